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
            database = try PostgresCluster.shared().makePreparedDatabase()
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

        /// Texts whose quotes and backslashes are parts of longer characters.
        private static let joinedTexts = ["\u{301}", "\u{200D}", "\u{FE0F}", "\u{600}"].flatMap { joiner in
            ["'", "\"", "\\", "\",\"", "\\'", "'; DROP TABLE regnum.documents; --"].map { joiner + $0 + joiner }
        }

        @Test func quotesInLongerCharactersAreEscaped() throws {
            for text in Self.joinedTexts {
                let texts = [text, "", text + "x", "x" + text]
                let literal = SQLText.quoted(SQLText.array(texts))
                let rows = try pool.use { try $0.query("SELECT x FROM unnest(\(literal)::text[]) AS x").rows }
                #expect(try rows.map { Array(try $0.text(0).utf8) } == texts.map { Array($0.utf8) })
                let row = try pool.use { try $0.query("SELECT \(SQLText.quoted(text))::text").rows[0] }
                #expect(try Array(row.text(0).utf8) == Array(text.utf8))
            }
        }

        @Test func namesKeysAndValuesWithQuotesInLongerCharactersAreStored() throws {
            let mirror = DocumentMirror(pool: pool, store: 1)
            var (instructions, objects) = ([Instruction](), [ObjectReference]())
            instructions.append(
                .addTable(
                    TableDefinition(
                        SimpleChanges.table, .topLevel(PrimaryKeyColumn("_id", .string, isNullable: false)))))
            instructions.append(
                .column("s", of: SimpleChanges.table, .string))
            for text in Self.joinedTexts {
                let object = ObjectReference(SimpleChanges.table, .string(Text(text)))
                instructions.append(.createObject(object))
                instructions.append(.change(Place(object, "s"), .update(.string(Text(text)), isDefault: false)))
                objects.append(object)
            }
            try partition.append(Changeset(instructions))
            #expect(try update(mirror))
            let rows = try pool.use {
                try $0.query("SELECT document->>'_id', document->>'s', key FROM regnum.documents").rows
            }
            let texts = Set(Self.joinedTexts.map { Array($0.utf8) })
            #expect(try Set(rows.map { Array(try $0.text(0).utf8) }) == texts)
            #expect(try Set(rows.map { Array(try $0.text(1).utf8) }) == texts)
            let keys = objects.map { Array(JSONBDocument.key($0.key).utf8) }
            #expect(try Set(rows.map { Array(try $0.text(2).utf8) }) == Set(keys))
            for text in Self.joinedTexts {
                let index = try #require(DocumentTable.index(of: text, property: text, .int, store: 1))
                #expect(mirror.create([index]).isEmpty)
                #expect(try mirror.keys(of: text, .constant(true)).keys.isEmpty)
            }
            #expect(try mirror.keys(of: "Note", .constant(true)).keys.count == Self.joinedTexts.count)
            try partition.append(Changeset(objects.map { .eraseObject($0) }))
            #expect(try update(mirror))
            #expect(try mirror.keys(of: "Note", .constant(true)).keys.isEmpty)
        }

        @Test func aDocumentCanHaveALongKey() throws {
            let mirror = DocumentMirror(pool: pool, store: 1)
            var random = SeededGenerator(for: "aDocumentCanHaveALongKey")
            // PostgreSQL would compress a text with repetitions.
            let text = (0..<20_000).map { _ in String(UnicodeScalar(UInt8(97 + random.below(26)))) }.joined()
            let objects = [text, text + "\\x", "\\x" + text].map {
                ObjectReference(SimpleChanges.table, .string(Text($0)))
            }
            let n = ColumnDefinition(ColumnReference(SimpleChanges.table, "n"), .int, isNullable: false, .single)
            try partition.append(
                Changeset([
                    .addTable(
                        TableDefinition(
                            SimpleChanges.table, .topLevel(PrimaryKeyColumn("_id", .string, isNullable: false)))),
                    .addColumn(n),
                ]))
            try partition.append(Changeset(objects.map { .createObject($0) }))
            #expect(try update(mirror))
            try partition.append(
                Changeset(objects.map { .change(Place($0, "n"), .update(.int(5), isDefault: false)) }))
            #expect(try update(mirror))
            let keys = objects.map { JSONBDocument.key($0.key) }
            #expect(try documents(1) == Dictionary(uniqueKeysWithValues: keys.map { ($0, "5") }))
            try partition.append(Changeset([.eraseObject(objects[1])]))
            #expect(try update(mirror))
            #expect(try documents(1) == [keys[0]: "5", keys[2]: "5"])
        }

        @Test func anIndexIsCreatedOnce() throws {
            let mirror = DocumentMirror(pool: pool, store: 1)
            let index = try #require(DocumentTable.index(of: "Note", property: "n", .int, store: 1))
            let other = try #require(DocumentTable.index(of: "Note", property: "n", .int, store: 2))
            #expect(index.name != other.name)
            let failing = DocumentTable.Index(
                name: "documents_failing", statement: "CREATE INDEX documents_failing ON regnum.absent (n)")
            #expect(mirror.create([failing, index, other]).count == 1)
            // The statement of an index that exists isn't executed.
            #expect(mirror.create([DocumentTable.Index(name: index.name, statement: "not SQL")]).isEmpty)
            let stores = try PostgresStores(try PostgresSettings(database.url))
            #expect(stores.newIndexes([index, failing]).map(\.name) == [index.name, failing.name])
            #expect(stores.newIndexes([index, failing, other]).map(\.name) == [other.name])
        }
    }
#endif
