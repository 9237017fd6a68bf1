// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import RealmPostgres
    import RealmSystem

    /// The list of stores, and the files of their apps.
    extension PostgresStores {
        package var title: String { settings.name }

        package func apps() throws -> [String] {
            try texts("SELECT DISTINCT app FROM regnum.stores", [])
        }

        package func names(of app: String) throws -> [String] {
            try texts(
                "SELECT name FROM regnum.stores WHERE sha256(app) = sha256($1) AND name <> ''",
                [.bytes(Array(app.utf8))])
        }

        package func sizes(of app: String) throws -> AppSizes {
            try lookUp { connection in
                let row = try connection.query(
                    """
                    SELECT count(*) FILTER (WHERE name <> '' AND name <> $2 AND name <> $3), \
                    coalesce(sum(frame_bytes + snapshot_bytes + coalesce((SELECT ingested_bytes - bytes_through + \
                    length(document) FROM regnum.ingested WHERE store = stores.id ORDER BY sequence LIMIT 1), 0)), 0)\
                    ::int8 FROM regnum.stores WHERE sha256(app) = sha256($1)
                    """,
                    [.bytes(Array(app.utf8))]
                        + [SharedCatalog.unfinished, SharedCatalog.retired].map { .bytes(Array($0.utf8)) }
                ).rows[0]
                return AppSizes(partitionCount: Int(try row.number(0)), bytes: Int(try row.number(1)))
            }
        }

        private func texts(_ statement: String, _ parameters: [PostgresValue]) throws -> [String] {
            try lookUp { connection in
                try connection.query(statement, parameters).rows.map {
                    String(decoding: try $0.bytes(0), as: UTF8.self)
                }
            }
        }

        // MARK: Files

        package func contents(of path: String, app: String) throws -> [UInt8]? {
            try lookUp { try contents(of: path, app: app, $0) }
        }

        private func contents(of path: String, app: String, _ connection: PostgresConnection) throws -> [UInt8]? {
            try connection.query(
                "SELECT content FROM regnum.files WHERE sha256(app) = sha256($1) AND sha256(path) = sha256($2)",
                [.bytes(Array(app.utf8)), .bytes(Array(path.utf8))]
            ).rows.first?.bytes(0)
        }

        package func update(_ path: String, app: String, _ change: ([UInt8]?) throws -> [UInt8]?) throws {
            try PostgresStores.translated {
                try reads.transaction { connection in
                    try connection.lock(.files)
                    guard let changed = try change(try contents(of: path, app: app, connection)) else { return }
                    try write(changed, to: path, app: app, connection)
                }
            }
        }

        package func write(_ contents: [UInt8]?, to path: String, app: String) throws {
            try PostgresStores.translated { try reads.transaction { try write(contents, to: path, app: app, $0) } }
        }

        package func append(_ contents: [UInt8], to path: String, app: String) throws {
            try PostgresStores.translated {
                _ = try reads.use { connection in
                    try connection.query(
                        """
                        INSERT INTO regnum.files AS known (app, path, content) VALUES ($1, $2, $3) \
                        ON CONFLICT (sha256(app), sha256(path)) \
                        DO UPDATE SET content = known.content || excluded.content
                        """, [.bytes(Array(app.utf8)), .bytes(Array(path.utf8)), .bytes(contents)])
                }
            }
        }

        private func write(
            _ contents: [UInt8]?, to path: String, app: String, _ connection: PostgresConnection
        ) throws {
            let key: [PostgresValue] = [.bytes(Array(app.utf8)), .bytes(Array(path.utf8))]
            guard let contents else {
                try connection.query(
                    "DELETE FROM regnum.files WHERE sha256(app) = sha256($1) AND sha256(path) = sha256($2)", key)
                return
            }
            try connection.query(
                """
                INSERT INTO regnum.files (app, path, content) VALUES ($1, $2, $3) \
                ON CONFLICT (sha256(app), sha256(path)) DO UPDATE SET content = excluded.content
                """, key + [.bytes(contents)])
        }

        // MARK: Moves of an app

        package func remove(app: String, name: String) throws {
            guard let store = try find(app, name) else { return }
            try removeCopy(of: store)
            let id = PostgresValue.integer(try Int64(of: store))
            try PostgresStores.translated {
                try reads.transaction { connection in
                    try use.require(connection, settings)
                    try connection.query("DELETE FROM regnum.ingested WHERE store = $1", [id])
                    try connection.query("DELETE FROM regnum.stores WHERE id = $1", [id])
                }
            }
        }

        package func rename(
            app: String, _ name: String?, to newName: String?, with contents: [UInt8], _ path: String
        ) throws {
            // Stores that the app doesn't have afterwards have no documents in SQL.
            for old in try newName == nil ? names(of: app) : [""] {
                if old != name, let store = try find(app, old) { try removeCopy(of: store) }
            }
            let (old, new) = (Array((name ?? "").utf8), Array((newName ?? "").utf8))
            try PostgresStores.translated {
                try reads.transaction { connection in
                    try use.require(connection, settings)
                    try connection.query(
                        """
                        UPDATE regnum.stores SET name = $3 \
                        WHERE sha256(app) = sha256($1) AND sha256(name) = sha256($2)
                        """, [.bytes(Array(app.utf8)), .bytes(old), .bytes(new)])
                    try write(contents, to: path, app: app, connection)
                }
            }
        }

        /// The number of documents that a statement removes.
        private static let removedCount = 10_000

        /// Removes the documents of a store in SQL, in parts. A node that opens the store writes them again.
        private func removeCopy(of store: UInt64) throws {
            let id = PostgresValue.integer(try Int64(of: store))
            try PostgresStores.translated {
                try reads.use { connection in
                    try connection.query("DELETE FROM regnum.document_positions WHERE store = $1", [id])
                    let part = """
                        DELETE FROM regnum.documents WHERE ctid = ANY (ARRAY(
                        SELECT ctid FROM regnum.documents WHERE store = $1 LIMIT \(PostgresStores.removedCount)))
                        """
                    while try connection.query(part, [id]).affected > 0 {}
                }
            }
        }
    }
#endif
