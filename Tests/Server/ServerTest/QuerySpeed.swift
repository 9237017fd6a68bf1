// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import Foundation
    import RealmPostgres
    import RealmQuery
    import RealmStorage
    import RealmSync
    import RealmSyncCore
    import RealmSyncServer
    import RealmTestSupport
    import ServerTestSupport
    import SyncTestSupport

    /// Measures queries of subscriptions by the engine on the documents of a node, and in SQL on their copy in
    /// PostgreSQL: the time for the keys of all matching objects.
    struct QuerySpeed {
        private static let className = "Sample"
        private static let rounds = 5

        private static let schema = Changeset([
            .addTable(TableDefinition("Sample", .topLevel(PrimaryKeyColumn("_id", .int, isNullable: false)))),
            .column("n", of: "Sample", .int),
            .column("x", of: "Sample", .double),
            .column("s", of: "Sample", .string),
        ])

        /// `n` has 1000 different values, `x` is between 0 and 1, and `s` is unique.
        private static func sample(_ number: Int) -> [Instruction] {
            let object = ObjectReference("Sample", .int(Int64(number)))
            let mixed = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
            let values: [(Text, SyncValue)] = [
                ("n", .int(Int64(mixed >> 40 % 1000))), ("x", .double(Double(mixed >> 11) / 0x1p53)),
                ("s", .string(Text("sample-\(mixed % 1_000_000)-\(number)"))),
            ]
            return [.createObject(object)]
                + values.map { .change(Place(object, $0), .update($1, isDefault: false)) }
        }

        private static let queries = [
            ("an indexed equality", "n == 500"),
            ("an indexed range", "x >= 0.25 AND x < 0.26"),
            ("the beginning of a text", "s BEGINSWITH 'sample-1234'"),
            ("an exact combination", "n == 500 AND (x < 0.5 OR s CONTAINS '99')"),
            ("one that SQL only narrows", "n == 500 AND s LIKE '*77*'"),
            ("one that SQL doesn't narrow", "s LIKE '*777*'"),
        ]

        func run(documents count: Int) async throws {
            let cluster = try PostgresCluster()
            let database = try cluster.makeDatabase()
            let folder = try TemporaryFolder()
            let server = try ServerProcess(folder: folder, postgres: database.url)
            defer { server.crash() }
            try await fill(count, server.port)
            let connection = try PostgresConnection(database.settings())
            let store = try connection.query("SELECT id FROM regnum.stores").rows[0].integer(0)
            try await waitForCopy(of: count, connection)
            for (name, type) in [("n", ColumnType.int), ("x", .double)] {
                guard let index = DocumentTable.index(of: Self.className, property: name, type, store: store) else {
                    throw Failure("no index")
                }
                try connection.execute(index.statement)
            }
            try connection.execute("VACUUM ANALYZE regnum.documents")
            let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
            guard let name = names.first(where: { $0.hasSuffix("documents.realm") }) else {
                throw Failure("the server has no documents")
            }
            let documents = try Database.open(folder.path + "/" + name, readOnly: true, joining: .always)
                .snapshot(label: "queries")
            print("\(count) documents, median of \(Self.rounds) runs:")
            for (title, text) in Self.queries { try measure(title, text, documents, connection, store) }
        }

        private func fill(_ count: Int, _ port: Int) async throws {
            let folder = try TemporaryFolder()
            let writer = try FlexibleClient(folder.path + "/writer.realm", user: "ann", app: "flexible", seed: 1) {
                port
            }
            try await writer.commit(Self.schema)
            try await writer.subscribe("TRUEPREDICATE", className: Self.className)
            try await writer.waitForSubscriptions()
            for part in stride(from: 0, to: count, by: 20_000) {
                try await writer.commit(Changeset((part..<min(part + 20_000, count)).flatMap(Self.sample)))
            }
            try await writer.waitForUpload(seconds: 3600)
            writer.stop()
        }

        private func waitForCopy(of count: Int, _ connection: PostgresConnection) async throws {
            while try connection.query("SELECT count(*) FROM regnum.documents").rows[0].integer(0) < Int64(count) {
                try await Task.sleep(for: .milliseconds(500))
            }
        }

        // MARK: Measuring

        /// The runs of the engine and of SQL alternate.
        private func measure(
            _ title: String, _ text: String, _ documents: Snapshot, _ connection: PostgresConnection, _ store: Int64
        ) throws {
            var times: [[Double]] = [[], []]
            var counts: [Int] = []
            var isExact = false
            for _ in 0..<Self.rounds {
                var start = ContinuousClock.now
                let expected = try Self.keys(text, documents)
                times[0].append((ContinuousClock.now - start) / .milliseconds(1))
                start = ContinuousClock.now
                let found = try Self.keys(text, documents, connection, store)
                times[1].append((ContinuousClock.now - start) / .milliseconds(1))
                guard expected.sorted() == found.keys.sorted() else { throw Failure("\(text): different objects") }
                (counts, isExact) = ([expected.count, found.selected], found.isExact)
            }
            let medians = times.map { String(format: "%.1f ms", $0.sorted()[$0.count / 2]) }
            let end = isExact ? "exact" : "\(counts[1]) selected, then evaluated"
            print("\(title), \(text): \(counts[0]) objects; engine \(medians[0]), SQL \(medians[1]), \(end)")
        }

        private static func compiled(_ text: String, _ documents: Snapshot) throws -> (Table, Query) {
            guard let table = try documents.table(named: FileFormat.classPrefix + className) else {
                throw Failure("no class")
            }
            return (table, try Query.compile(try Predicate(parsing: text), on: table.key, in: documents))
        }

        private static func keys(_ text: String, _ documents: Snapshot) throws -> [Int64] {
            let (table, query) = try compiled(text, documents)
            return try query.objects(in: documents).map { key in
                guard case .int(let number)? = try documents.reference(to: key, in: table)?.key else {
                    throw Failure("an object has no key")
                }
                return number
            }
        }

        private static func keys(
            _ text: String, _ documents: Snapshot, _ connection: PostgresConnection, _ store: Int64
        ) throws -> (keys: [Int64], selected: Int, isExact: Bool) {
            let (table, query) = try compiled(text, documents)
            let selection = DocumentTable.selection(of: className, try query.outline(in: documents), store: store)
            let rows = try connection.query(selection.statement, selection.parameters.map { .text($0) }).rows
            var keys = try rows.map { row in
                guard let text = try JSON(parsing: try row.text(0))["$numberLong"]?.text, let key = Int64(text) else {
                    throw Failure("a key is \(try row.text(0))")
                }
                return key
            }
            if !selection.isExact {
                keys = try keys.filter { key in
                    guard let object = try table.object(primaryKey: .int(key)) else { return false }
                    return try query.contains(object, in: documents)
                }
            }
            return (keys, rows.count, selection.isExact)
        }
    }
#endif
