// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import RealmPostgres
    import RealmStorage
    import RealmSyncCore
    import RealmTestSupport
    import ServerTestSupport
    import SyncTestSupport
    import TestTraits
    import Testing

    @testable import RealmSyncServer

    /// The copy of a store's documents in PostgreSQL.
    @Suite(.serialized, .timeLimited, .enabled(if: PostgresCluster.isAvailable, "\(PostgresCluster.absence)"))
    struct DocumentMirrorTests {
        private let database: PostgresDatabase
        private let pool: PostgresPool
        private let folder: TemporaryFolder
        private let partition: StoredPartition

        init() throws {
            database = try PostgresCluster.shared().makeDatabase()
            pool = PostgresPool(try PostgresSettings(database.url))
            try pool.use { try PostgresSchema.prepare($0) }
            folder = try TemporaryFolder()
            partition = try StoredPartition(folder: folder.path, partition: "string:p")
        }

        private func update(_ mirror: DocumentMirror) throws -> Bool {
            try partition.flush()
            let changes = partition.beginDocuments()
            let documents = try PartitionDocuments(folder: folder.path)
            partition.finishDocuments(Result { try documents.follow(changes) })
            return try mirror.follow(partition.changes(after: SaltedVersion()), try documents.snapshot())
        }

        private func documents(_ store: Int64) throws -> [String: String] {
            let rows = try pool.use {
                try $0.query(
                    "SELECT key, document->'n'->>'$numberLong' FROM regnum.documents WHERE store = $1",
                    [.integer(store)]
                ).rows
            }
            return try Dictionary(uniqueKeysWithValues: rows.map { (try $0.text(0), try $0.text(1)) })
        }

        private func key(_ number: Int64) -> String { JSONBDocument.key(.int(number)) }

        @Test func theCopyFollowsTheLog() throws {
            let mirror = DocumentMirror(pool: pool, store: 1)
            for changeset in [SimpleChanges.schema, SimpleChanges.create(1, n: 4), SimpleChanges.create(2, n: 5)] {
                try partition.append(changeset)
            }
            #expect(try update(mirror))
            #expect(try documents(1) == [key(1): "4", key(2): "5"])
            try partition.append(SimpleChanges.set(9, of: 2))
            try partition.append(Changeset([.eraseObject(SimpleChanges.object(1))]))
            // A document that the log didn't change isn't written again.
            try partition.append(SimpleChanges.create(3, n: 6))
            #expect(try update(mirror))
            #expect(try documents(1) == [key(2): "9", key(3): "6"])
            #expect(try update(mirror), "nothing to do")
        }

        @Test func onlyChangedDocumentsAreWritten() throws {
            let mirror = DocumentMirror(pool: pool, store: 1)
            for changeset in [SimpleChanges.schema, SimpleChanges.create(1, n: 4), SimpleChanges.create(2, n: 5)] {
                try partition.append(changeset)
            }
            #expect(try update(mirror))
            try pool.use {
                try $0.execute(
                    "UPDATE regnum.documents SET document = jsonb_set(document, '{n,$numberLong}', '\"77\"')")
            }
            try partition.append(SimpleChanges.set(6, of: 1))
            #expect(try update(mirror))
            #expect(try documents(1) == [key(1): "6", key(2): "77"])
            // A change of the schema fills the copy again.
            let column = ColumnDefinition(
                ColumnReference(SimpleChanges.table, "more"), .string, isNullable: true, .single)
            try partition.append(Changeset([.addColumn(column)]))
            #expect(try update(mirror))
            #expect(try documents(1) == [key(1): "6", key(2): "5"])
        }

        @Test func anUnknownPositionFillsTheCopyAgain() throws {
            let mirror = DocumentMirror(pool: pool, store: 1)
            for changeset in [SimpleChanges.schema, SimpleChanges.create(1, n: 4)] { try partition.append(changeset) }
            #expect(try update(mirror))
            try pool.use {
                try $0.execute(
                    """
                    DELETE FROM regnum.documents;
                    UPDATE regnum.document_positions SET salt = salt + 1;
                    """)
            }
            #expect(try update(mirror))
            #expect(try documents(1) == [key(1): "4"])
        }

        @Test func oneServerAtATimeWritesTheCopyOfAStore() throws {
            let mirror = DocumentMirror(pool: pool, store: 1)
            for changeset in [SimpleChanges.schema, SimpleChanges.create(1, n: 4)] { try partition.append(changeset) }
            #expect(try update(mirror))
            let other = try pool.begin()
            try other.connection.query("SELECT 1 FROM regnum.document_positions WHERE store = 1 FOR UPDATE")
            try partition.append(SimpleChanges.set(5, of: 1))
            #expect(try !update(mirror))
            #expect(try update(DocumentMirror(pool: pool, store: 2)), "another store")
            other.rollback()
            #expect(try update(mirror))
            #expect(try documents(1) == [key(1): "5"])
            #expect(try documents(2) == [key(1): "5"])
        }

        private static func read(_ written: String) -> String {
            var scalars = String.UnicodeScalarView()
            var isEscaped = false
            for scalar in written.unicodeScalars {
                if isEscaped {
                    scalars.append(scalar == "\u{E001}" ? "\0" : JSONBText.escape)
                } else if scalar != JSONBText.escape {
                    scalars.append(scalar)
                }
                isEscaped = !isEscaped && scalar == JSONBText.escape
            }
            return String(scalars)
        }

        @Test func aTextWithZerosIsStoredAndFound() throws {
            for text in ["", "a", "a\0b", "\u{E000}", "\0\u{E000}\u{E001}", "\u{E000}\u{E002}\0"] {
                #expect(Self.read(JSONBText.written(text)) == text)
                #expect(!JSONBText.written(text).unicodeScalars.contains("\0"))
            }
            let mirror = DocumentMirror(pool: pool, store: 1)
            for changeset in [
                SimpleChanges.schema, SimpleChanges.create(1, n: 4),
                SimpleChanges.insert("a\0\"\\'{},b", at: 0, of: 0, in: 1),
            ] { try partition.append(changeset) }
            #expect(try update(mirror))
            #expect(try documents(1) == [key(1): "4"])
        }
    }
#endif
