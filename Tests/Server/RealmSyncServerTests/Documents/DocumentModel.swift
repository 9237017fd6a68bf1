// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSync
    import RealmSyncCore
    import RealmTestSupport
    import SyncTestSupport

    @testable import RealmSyncServer

    /// A database with a class `Thing` that has properties of all kinds, and random documents of it.
    struct DocumentModel {
        let folder: TemporaryFolder
        let database: Database
        private(set) var state = PartitionObjects()

        init() throws {
            folder = try TemporaryFolder()
            database = try Database.inMemory(in: folder.path)
            try apply(DocumentModel.schema)
        }

        mutating func apply(_ changeset: Changeset) throws {
            try state.apply(changeset)
            let step = DocumentChanges.Step(version: nil, kept: .memory(changeset.encoded()))
            try database.write { try DocumentWriter($0).apply([step]) }
        }

        private static func column(
            _ table: Text, _ name: Text, _ type: ValueType, nullable: Bool = false, _ kind: CollectionKind = .single,
            _ target: Text? = nil
        ) -> Instruction {
            .column(name, of: table, type, kind, isNullable: nullable, target: target)
        }

        static let schema = Changeset([
            .addTable(TableDefinition("Thing", .topLevel(PrimaryKeyColumn("_id", .int, isNullable: false)))),
            .addTable(TableDefinition("Part", .embedded)),
            column("Part", "x", .int, nullable: true),
            column("Part", "y", .string),
            column("Part", "tags", .string, .list),
            column("Thing", "int", .int, nullable: true),
            column("Thing", "double", .double),
            column("Thing", "text", .string, nullable: true),
            column("Thing", "flag", .bool),
            column("Thing", "time", .timestamp, nullable: true),
            column("Thing", "id", .objectId, nullable: true),
            column("Thing", "ints", .int, .list),
            column("Thing", "texts", .string, .set),
            column("Thing", "keyed", .int, .dictionary),
            column("Thing", "mixed", .null, nullable: true),
            column("Thing", "part", .link, nullable: true, .single, "Part"),
            column("Thing", "parts", .link, .list, "Part"),
            column("Thing", "friend", .link, nullable: true, .single, "Thing"),
            column("Thing", "friends", .link, .list, "Thing"),
        ])

        func documents() throws -> [[ExtendedJSON.Member]] {
            let snapshot = try database.snapshot()
            guard let table = try snapshot.table(named: "class_Thing") else { return [] }
            let encoder = DocumentEncoder(snapshot)
            var documents: [[ExtendedJSON.Member]] = []
            try table.clusters.forEachLeaf { leaf in
                for row in 0..<leaf.count {
                    if let document = try encoder.document(leaf.key(at: row), of: table) { documents.append(document) }
                }
                return true
            }
            return documents
        }

        mutating func insert(_ document: [ExtendedJSON.Member]) throws {
            var editor = DocumentEditor(try AppSchema(of: database.snapshot()))
            _ = try editor.insert(document, of: "Thing") { _ in false }
            if let changeset = editor.changeset { try apply(changeset) }
        }
    }

    /// Random documents that fit the class `Thing`.
    struct RandomDocuments {
        var random: SeededGenerator
        /// The query engine doesn't look for values in lists inside mixed values.
        var hasMixedLists = true

        mutating func pick<Value>(_ values: [Value]) -> Value { values[Int(random.next() % UInt64(values.count))] }
        mutating func chance(_ percent: UInt64) -> Bool { random.next() % 100 < percent }
        mutating func number() -> ExtendedJSON { .int64(Int64(random.next() % 7) - 2) }
        mutating func text() -> ExtendedJSON { .string(pick(["", "a", "b", "ab", "B", "ä"])) }
        mutating func double() -> ExtendedJSON { .double(pick([-1.5, 0, 0.5, 1, 2, 3])) }
        mutating func time() -> ExtendedJSON { .date(pick([-1500, 0, 1000, 1001])) }
        mutating func id() -> ExtendedJSON { .objectId(ObjectIdBytes(high: random.next() % 3, low: 1)) }

        mutating func many(_ element: (inout RandomDocuments) -> ExtendedJSON) -> [ExtendedJSON] {
            (0..<Int(random.next() % 4)).map { _ in element(&self) }
        }

        mutating func part() -> ExtendedJSON {
            .document([
                .init("x", chance(30) ? .null : number()), .init("y", text()),
                .init("tags", .array(many { $0.text() })),
            ])
        }

        mutating func mixed(_ depth: Int = 0) -> ExtendedJSON {
            switch random.next() % (depth < 2 ? 8 : 6) {
            case 0: .null
            case 1: number()
            case 2: text()
            case 3: double()
            case 4: .bool(chance(50))
            case 5: time()
            case 6 where hasMixedLists: .array(many { $0.mixed(depth + 1) })
            default: .document(["a", "b"].map { .init($0, mixed(depth + 1)) })
            }
        }

        mutating func document(_ key: Int64) -> [ExtendedJSON.Member] {
            var texts: [ExtendedJSON] = []
            for text in many({ $0.text() }) where !texts.contains(text) { texts.append(text) }
            let keys = ["k", "l"].filter { _ in chance(50) }
            return [
                .init("_id", .int64(key)), .init("int", chance(30) ? .null : number()), .init("double", double()),
                .init("text", chance(30) ? .null : text()), .init("flag", .bool(chance(50))),
                .init("time", chance(30) ? .null : time()), .init("id", chance(30) ? .null : id()),
                .init("ints", .array(many { $0.number() })), .init("texts", .array(texts)),
                .init("keyed", .document(keys.map { .init($0, number()) })), .init("mixed", mixed()),
                .init("part", chance(30) ? .null : part()), .init("parts", .array(many { $0.part() })),
                .init("friend", chance(30) ? .null : .int64(Int64(random.next() % 20))),
                .init("friends", .array(many { .int64(Int64($0.random.next() % 20)) })),
            ]
        }
    }
#endif
