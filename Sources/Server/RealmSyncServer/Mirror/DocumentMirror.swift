// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import RealmPostgres
    import RealmQuery
    import RealmStorage
    import RealmSync
    import RealmSyncCore

    /// Copies the documents of stores to PostgreSQL, where SQL can query them.
    ///
    /// Like `PartitionDocuments`, the copy follows the log: a transaction writes the documents that versions have
    /// changed, together with the position of the last version. A copy whose position isn't in the log is filled again.
    /// One server at a time writes to the copy of a store.
    struct DocumentMirror: Sendable {
        let pool: PostgresPool
        /// The number of the store in PostgreSQL.
        let store: Int64

        /// The size in bytes at which a statement ends, including the document that exceeds it.
        private static let batchSize = 1 << 20

        /// Brings the copy up to date.
        ///
        /// - Parameter documents: The documents at `changes.newest`.
        /// - Returns: False if another server is writing to the copy.
        /// - Throws: `PostgresError`, `StateError`, `StorageError`.
        func follow(_ changes: DocumentChanges, _ documents: Snapshot) throws -> Bool {
            try pool.use { connection in
                try connection.query(
                    "INSERT INTO regnum.document_positions VALUES ($1, 0, 0) ON CONFLICT DO NOTHING", [.integer(store)])
                return try connection.transaction {
                    guard let position = try lockedPosition(connection) else { return false }
                    // Another server has written later versions.
                    if position.version > changes.newest.version { return true }
                    try write(changes.steps(after: position), documents, connection)
                    try connection.query(
                        "UPDATE regnum.document_positions SET version = $2, salt = $3 WHERE store = $1",
                        [store, changes.newest.version.bits, changes.newest.salt.bits].map { .integer($0) })
                    return true
                }
            }
        }

        /// Returns `nil` if another transaction holds the lock.
        private func lockedPosition(_ connection: PostgresConnection) throws -> SaltedVersion? {
            let rows = try connection.query(
                "SELECT version, salt FROM regnum.document_positions WHERE store = $1 FOR UPDATE SKIP LOCKED",
                [.integer(store)]
            ).rows
            guard let row = rows.first else { return nil }
            return SaltedVersion(
                version: UInt64(bitPattern: try row.integer(0)), salt: UInt64(bitPattern: try row.integer(1)))
        }

        private func write(
            _ steps: ArraySlice<DocumentChanges.Step>?, _ documents: Snapshot, _ connection: PostgresConnection
        ) throws {
            var writer = DocumentTableWriter(connection, store, batchSize: DocumentMirror.batchSize)
            if let steps, let objects = try steps.changedObjects() {
                for object in objects {
                    try writer.write(object, try DocumentMirror.document(of: object, documents))
                }
                return try writer.finish()
            }
            try connection.query("DELETE FROM regnum.documents WHERE store = $1", [.integer(store)])
            let encoder = DocumentEncoder(documents, keepsNanoseconds: true)
            for table in try documents.allTables() where table.className != nil && table.primaryKey != nil {
                let all = try Query.compile(.constant(true), on: table.key, in: documents)
                for key in try all.objects(in: documents) {
                    guard let object = try documents.reference(to: key, in: table) else { continue }
                    try writer.write(object, try encoder.document(key, of: table))
                }
            }
            try writer.finish()
        }

        /// Returns `nil` if the object doesn't exist.
        private static func document(
            of object: ObjectReference, _ documents: Snapshot
        ) throws -> [ExtendedJSON.Member]? {
            guard let table = try documents.table(named: FileFormat.classPrefix + object.table.string),
                let stored = SyncNames.storedKey(object.key), let key = try table.object(primaryKey: stored)
            else { return nil }
            return try DocumentEncoder(documents, keepsNanoseconds: true).document(key, of: table)
        }

        // MARK: Queries

        /// Returns an index for each queryable property of a class that can be compared in SQL.
        func indexes(of schema: AppSchema, _ queryable: QueryableFields) -> [DocumentTable.Index] {
            var indexes: [DocumentTable.Index] = []
            for (className, columns) in schema.columns where schema.primaryKey(of: className) != nil {
                for column in columns.values where column.collection == .single {
                    let name = column.column.name
                    guard queryable.contains(name, of: className), let type = SyncNames.columnType(column.type),
                        let index = DocumentTable.index(
                            of: className.string, property: name.string, type, store: store)
                    else { continue }
                    indexes.append(index)
                }
            }
            return indexes
        }

        /// Creates the indexes that don't exist, and returns the errors of those that can't be created. The statement
        /// for an existing index would lock the table.
        func create(_ indexes: [DocumentTable.Index]) -> [any Error] {
            if indexes.isEmpty { return [] }
            let names: Set<ByteText>
            do { names = try existingIndexes() } catch { return [error] }
            return indexes.filter { !names.contains(ByteText($0.name)) }.compactMap { index in
                do { try pool.use { try $0.execute(index.statement) } } catch { return error }
                return nil
            }
        }

        private func existingIndexes() throws -> Set<ByteText> {
            let statement = """
                SELECT indexname FROM pg_catalog.pg_indexes WHERE schemaname = 'regnum' AND tablename = 'documents'
                """
            return Set(try pool.use { try $0.query(statement).rows.map { ByteText(try $0.text(0)) } })
        }

        /// Returns the keys of the documents that a query selects, and whether all of them match.
        func keys(of className: String, _ outline: QueryOutline) throws -> (keys: [String], isExact: Bool) {
            let selection = DocumentTable.selection(of: className, outline, store: store)
            let rows = try pool.use { try $0.query(selection.statement, selection.parameters.map { .text($0) }).rows }
            return (try rows.map { try $0.text(0) }, selection.isExact)
        }
    }

    /// Collects documents for statements that write many of them.
    private struct DocumentTableWriter {
        private let connection: PostgresConnection
        private let store: Int64
        private let batchSize: Int
        private var written: [(className: String, key: String, document: String)] = []
        private var removed: [(className: String, key: String)] = []
        private var size = 0

        init(_ connection: PostgresConnection, _ store: Int64, batchSize: Int) {
            (self.connection, self.store, self.batchSize) = (connection, store, batchSize)
        }

        /// - Parameter document: `nil` to remove it.
        mutating func write(_ object: ObjectReference, _ document: [ExtendedJSON.Member]?) throws {
            let (className, key) = (JSONBText.written(object.table.string), JSONBDocument.key(object.key))
            if let document {
                let text = JSONBDocument.text(document)
                written.append((className, key, text))
                size += text.utf8.count
            } else {
                removed.append((className, key))
            }
            size += className.utf8.count + key.utf8.count
            if size >= batchSize { try finish() }
        }

        mutating func finish() throws {
            if !written.isEmpty {
                try run(
                    DocumentTable.replacement, [written.map(\.className), written.map(\.key), written.map(\.document)])
            }
            if !removed.isEmpty {
                try run(DocumentTable.removal, [removed.map(\.className), removed.map(\.key)])
            }
            (written, removed, size) = ([], [], 0)
        }

        private func run(_ statement: String, _ arrays: [[String]]) throws {
            try connection.query(statement, [.integer(store)] + arrays.map { .texts($0) })
        }
    }

    extension ArraySlice<DocumentChanges.Step> {
        /// Returns the objects that the steps change, or `nil` if a change of a class or a property can change others.
        fileprivate func changedObjects() throws -> Set<ObjectReference>? {
            var objects: Set<ObjectReference> = []
            for step in self {
                for instruction in try Changeset(decoding: try step.kept.bytes).instructions {
                    if let object = instruction.object {
                        objects.insert(object)
                    } else if case .addTable = instruction {
                        continue
                    } else {
                        return nil
                    }
                }
            }
            return objects
        }
    }

    extension UInt64 {
        fileprivate var bits: Int64 { Int64(bitPattern: self) }
    }
#endif
