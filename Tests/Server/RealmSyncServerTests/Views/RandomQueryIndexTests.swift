// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSyncCore
    import RealmTestSupport
    import SyncTestSupport
    import TestTraits
    import Testing

    @testable import RealmSyncServer

    /// Compares the results that each version records for all queries with evaluations on all documents.
    @Suite(.timeLimited) struct RandomQueryIndexTests {
        private static let table: Text = "Thing"

        /// The properties with values and constants of queries, also those of other types.
        private static let fields: [(name: Text, type: ValueType, values: [SyncValue], constants: [String])] = [
            ("n", .int, [-1, 0, 1, 2, 1 << 53, 1 << 53 + 1, .max, .min].map { .int($0) }, numbers),
            ("d", .double, [-0.0, 0, 0.5, 1, 1.5, 0x1p53, .infinity, -.infinity, .nan].map { .double($0) }, numbers),
            ("f", .float, [-0.0, 0, 0.1, 1.5, .infinity, .nan].map { .float($0) }, numbers + ["0.1"]),
            ("c", .decimal, ["0", "0.1", "1.5", "9007199254740993"].map { .decimal(DecimalBits($0)!) }, numbers),
            ("b", .bool, [.bool(true), .bool(false)], ["true", "false", "1", "0"]),
            (
                "s", .string, ["", "a", "ab", "abc", "b", "A", "\u{e9}", "e\u{301}", "e"].map { .string($0) },
                ["''", "'a'", "'ab'", "'B'", "'e'", "'\u{e9}'", "NULL"]
            ),
            (
                "t", .timestamp, [-1, 0, 1, 2].map { .timestamp(Timestamp(seconds: $0, nanoseconds: 0)) },
                ["T0:0", "T1:0", "T1:5", "T2:0", "NULL"]
            ),
            (
                "o", .objectId, [objectId(1), objectId(2), objectId(3)].map { .objectId($0) },
                ["oid(000000000000000000000001)", "oid(000000000000000000000002)", "NULL"]
            ),
            ("m", .null, [.int(1), .double(1), .string("a"), .bool(true)], numbers + ["'a'", "'ab'", "T1:0"]),
        ]

        private static let numbers = [
            "-1", "0", "1", "2", "0.5", "1.5", "1.5f", "9007199254740992", "9007199254740993", "9.3e18", "inf", "-inf",
            "NaN", "NULL", "true", "'1'", "'0.5'", "decimal(1.5)", "9223372036854775807", "-9223372036854775808",
        ]

        private static func objectId(_ last: UInt8) -> ObjectIdBytes {
            ObjectIdBytes(high: 0, low: UInt32(last))
        }

        private static let schema = Changeset(
            [.addTable(TableDefinition(table, .topLevel(PrimaryKeyColumn("_id", .int, isNullable: false))))]
                + fields.map {
                    .addColumn(ColumnDefinition(ColumnReference(table, $0.name), $0.type, isNullable: true, .single))
                } + [
                    .column("tags", of: table, .string, .list)
                ])

        // MARK: Queries

        private static func query(_ random: inout SeededGenerator, depth: Int = 2) -> String {
            switch depth == 0 ? 9 : Int.random(in: 0..<10, using: &random) {
            case 0, 1, 2:
                // Ranges of one property are common.
                let field = fields.randomElement(using: &random)!
                return (0..<2).map { _ in "(\(comparison(field.name, field.constants, &random)))" }
                    .joined(separator: Bool.random(using: &random) ? " AND " : " OR ")
            case 3: return "(\(query(&random, depth: depth - 1))) AND (\(query(&random, depth: depth - 1)))"
            case 4: return "(\(query(&random, depth: depth - 1))) OR (\(query(&random, depth: depth - 1)))"
            case 5: return "NOT (\(query(&random, depth: depth - 1)))"
            default:
                let field = fields.randomElement(using: &random)!
                return comparison(field.name, field.constants, &random)
            }
        }

        private static func comparison(_ name: Text, _ constants: [String], _ random: inout SeededGenerator) -> String {
            func constant() -> String { constants.randomElement(using: &random)! }
            let name = name.string
            switch Int.random(in: 0..<14, using: &random) {
            case 0: return "\(name) IN {\(constant()), \(constant()), \(constant())}"
            case 1: return "\(name) BETWEEN {\(constant()), \(constant())}"
            case 2, 3: return "\(name) BEGINSWITH \(constant())"
            case 4: return "\(name) ==[c] \(constant())"
            case 5: return "\(name) BEGINSWITH[c] \(constant())"
            case 6: return "\(name) != \(constant())"
            case 7: return "tags.@count > 0"
            default:
                let operation = ["==", "<", "<=", ">", ">="].randomElement(using: &random)!
                return Bool.random(using: &random)
                    ? "\(name) \(operation) \(constant())" : "\(constant()) \(operation) \(name)"
            }
        }

        // MARK: Changes

        private static func change(_ keys: inout Set<Int64>, _ random: inout SeededGenerator) -> [Instruction] {
            let key = Int64.random(in: 0..<12, using: &random)
            let object = ObjectReference(table, .int(key))
            func values(_ count: Int) -> [Instruction] {
                fields.shuffled(using: &random).prefix(count).map { field in
                    let value =
                        Int.random(in: 0..<6, using: &random) == 0 ? .null : field.values.randomElement(using: &random)!
                    return .change(Place(object, field.name), .update(value, isDefault: false))
                }
            }
            guard keys.contains(key) else {
                keys.insert(key)
                return [.createObject(object)] + values(Int.random(in: 0...fields.count, using: &random))
            }
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                keys.remove(key)
                return [.eraseObject(object)]
            case 1: return [.eraseObject(object), .createObject(object)] + values(2)
            case 2:
                return [
                    .change(Place(object, "tags", .one(.index(0))), .insert(.string("x"), priorSize: 0)),
                    .change(Place(object, "tags", .one(.index(0))), .erase(priorSize: 1)),
                ]
            default: return values(Int.random(in: 1...3, using: &random))
            }
        }

        /// The keys of the results of all queries.
        private static func answers(_ partition: StoredPartition) throws -> [UInt64: Set<Int64>] {
            let documents = try partition.openDocuments()
            return try partition.history.registry.queries.mapValues { query in
                Set(
                    try documents.keys(query).compactMap {
                        guard case .int(let key) = $0 else { return nil }
                        return key
                    })
            }
        }

        @Test func versionsHaveTheResultsOfAllQueries() throws {
            var random = SeededGenerator(for: "versionsHaveTheResultsOfAllQueries")
            let folder = try TemporaryFolder()
            let partition = try StoredPartition(folder: folder.path + "/app", partition: "app", isFlexible: true)
            let writer = try partition.addFile().ident
            try partition.flush()
            var version: UInt64 = 0
            func upload(_ changeset: Changeset) throws {
                version += 1
                let base = partition.newest.version
                try partition.integrate([UploadedChange(changeset, version, from: writer, basedOn: base)], from: writer)
            }
            try upload(Self.schema)
            func subscribe(_ file: UInt64, _ query: String) throws {
                let text = query.replacing("\"", with: "'")
                let query = VersionedQuery(version: 1, text: #"{"Thing":"\#(text)"}"#)
                _ = try partition.subscribe(file, to: query, at: partition.newest.version)
            }
            try subscribe(writer, "TRUEPREDICATE")
            var queryCount = 0
            var texts: [String] = []
            while queryCount < 150 {
                let text = Self.query(&random)
                do {
                    try subscribe(try partition.addFile().ident, text)
                    queryCount += 1
                    texts.append(text)
                } catch is SessionError {}
            }
            let restrictions = partition.history.registry.queries.values.map(\.restriction)
            #expect(restrictions.contains { $0?.isExact == true } && restrictions.contains { $0?.isExact == false })
            #expect(restrictions.contains { $0 == nil })
            var keys: Set<Int64> = []
            var before = try Self.answers(partition)
            for _ in 0..<150 {
                let count = Int.random(in: 1...4, using: &random)
                let changeset = Changeset((0..<count).flatMap { _ in Self.change(&keys, &random) })
                try upload(changeset)
                let after = try Self.answers(partition)
                let views = try partition.history.versions.last?.views ?? ViewChanges()
                for (id, query) in partition.history.registry.queries {
                    let members = views.members[id] ?? ViewChanges.Members()
                    for (number, object) in changeset.objects.enumerated() {
                        guard case .int(let key) = object.key else { continue }
                        let expected = (before[id]?.contains(key), after[id]?.contains(key))
                        let found = (members.before.contains(number), members.after.contains(number))
                        #expect(found == (expected.0 == true, expected.1 == true), "\(query.name.text) of \(object)")
                    }
                }
                before = after
            }
        }
    }
#endif
