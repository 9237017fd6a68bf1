// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import Foundation
    import RealmPostgres
    import RealmStorage
    import RealmSync
    import RealmSyncCore
    import RealmTestSupport
    import ServerTestSupport
    import TestTraits
    import Testing

    @testable import RealmQuery
    @testable import RealmSyncServer

    /// Queries on the documents of a file with all types of properties, by the engine and by SQL.
    @Suite(.serialized, .timeLimited, .enabled(if: PostgresCluster.isAvailable, "\(PostgresCluster.absence)"))
    struct SQLQueryTests {
        private let database: PostgresDatabase
        private let mirror: DocumentMirror
        private let snapshot: Snapshot
        private let schema: AppSchema

        init() throws {
            database = try PostgresCluster.shared().makePreparedDatabase()
            let pool = PostgresPool(try PostgresSettings(database.url))
            try pool.use { try PostgresSchema.prepare($0) }
            mirror = DocumentMirror(pool: pool, store: 7)
            snapshot = try Database.open(Fixtures.path("queries/items.realm"), readOnly: true).snapshot(label: "items")
            schema = try AppSchema(of: snapshot)
            let version = SaltedVersion(version: 1, salt: 5)
            let changes = DocumentChanges(base: version)
            #expect(try mirror.follow(changes, snapshot))
            #expect(mirror.create(mirror.indexes(of: schema, .all)).isEmpty)
        }

        /// Returns whether SQL selects exactly the matching objects, or `nil` if flexible sync rejects the query.
        private func compare(_ className: String, _ text: String) throws -> Bool? {
            guard let query = try? SubscriptionQuery(Text(className), parsing: text),
                (try? query.check(in: schema)) != nil,
                let table = try snapshot.table(named: FileFormat.classPrefix + className),
                let compiled = try? Query.compile(query.predicate, on: table.key, in: snapshot, dialect: .query)
            else { return nil }
            let expected = try compiled.objects(in: snapshot).map { key in
                JSONBDocument.key(try #require(try snapshot.reference(to: key, in: table)).key)
            }
            let outline = try compiled.outline(in: snapshot)
            let found: (keys: [String], isExact: Bool)
            do { found = try mirror.keys(of: className, outline) } catch {
                Issue.record("\(className) WHERE \(text): \(error)\n\(SQLQuery(outline))")
                return nil
            }
            let missing = Set(expected).subtracting(found.keys)
            #expect(
                missing.isEmpty, "\(text) lacks \(missing.count), such as \(missing.first ?? "")\n\(SQLQuery(outline))")
            guard found.isExact else { return false }
            let surplus = Set(found.keys).subtracting(expected)
            #expect(
                surplus.isEmpty, "\(text) has \(surplus.count), such as \(surplus.first ?? "")\n\(SQLQuery(outline))")
            return true
        }

        private struct Answer: Decodable {
            let `class`: String
            let query: String
        }

        @Test func sqlSelectsTheMatchesOfEachRecordedQuery() throws {
            let lines = try GzipFile.read(Fixtures.path("queries/answers.jsonl.gz")).split(
                separator: UInt8(ascii: "\n"))
            var (exact, others) = (0, 0)
            for line in lines {
                let answer = try JSONDecoder().decode(Answer.self, from: Data(line))
                guard let isExact = try compare(answer.class, answer.query) else { continue }
                if isExact { exact += 1 } else { others += 1 }
            }
            print("SQLQueryTests: \(exact) queries exact, \(others) evaluated by the engine after SQL")
            #expect(exact > 100)
        }

        @Test func sqlSelectsTheMatchesOfRandomQueries() throws {
            var queries = try RandomQueryTexts(snapshot, "QItem", SeededGenerator(for: "SQLQueryTests"))
            var (exact, others, refused) = (0, 0, 0)
            for _ in 0..<(Settings.number("REGNUM_QUERIES") ?? 200) {
                switch try compare("QItem", queries.next()) {
                case true?: exact += 1
                case false?: others += 1
                case nil: refused += 1
                }
            }
            print("SQLQueryTests: \(exact) random queries exact, \(others) others, \(refused) refused")
            #expect(exact > 50)
        }

        /// Texts that fail as numbers, base64, or keys of an ordered index.
        private static func malformedTexts() -> [String] {
            var random = SeededGenerator(for: "malformedTexts")
            // PostgreSQL would compress a text with repetitions.
            let digits = (0..<20_000).map { _ in String(random.below(10)) }.joined()
            return [
                "x", "", "-", "99999999999999999999", "1e999", "1e-999", "-1e-400", "1E99999", "1E-99999", "=", "A",
                "AAAA=", "Infinity", "-Infinity", "NaN", "5\\n", "\u{663}", digits,
            ]
        }

        @Test func documentsOfAnotherFormCauseNoErrors() throws {
            let table = try #require(try snapshot.table(named: FileFormat.classPrefix + "QItem"))
            let texts = Self.malformedTexts()
            let objects = texts.map { (text: String) -> String in
                let names = ["$numberLong", "$numberDouble", "$numberDecimal", "$oid", "$nanoseconds"]
                let members = names.map { name in "\"\(name)\": \"\(text)\"" }
                let nested = [("$binary", "base64"), ("$date", "$numberLong")].map { outer, inner in
                    "\"\(outer)\": {\"\(inner)\": \"\(text)\"}"
                }
                return "{" + (members + nested).joined(separator: ", ") + "}"
            }
            let plain = ["true", "5", "null", "[]", "{}", "[{}]", "[[1]]", "{\"$date\": 5}", "{\"$binary\": []}"]
            let values = plain + texts.map { "\"\($0)\"" } + objects + objects.map { "[\($0)]" }
            for (number, value) in values.enumerated() {
                let members = table.publicColumns.map { "\"\($0.name)\": \(value)" }.joined(separator: ", ")
                try mirror.pool.use {
                    try $0.query(
                        "INSERT INTO regnum.documents VALUES (7, 'QItem', $1, $2::jsonb)",
                        [.text("malformed \(number)"), .text("{\(members)}")])
                }
            }
            var queries = try RandomQueryTexts(snapshot, "QItem", SeededGenerator(for: "documentsOfAnotherForm"))
            for _ in 0..<100 {
                let text = queries.next()
                guard let query = try? SubscriptionQuery(Text("QItem"), parsing: text),
                    let compiled = try? Query.compile(query.predicate, on: table.key, in: snapshot, dialect: .query)
                else { continue }
                let outline = try compiled.outline(in: snapshot)
                #expect(throws: Never.self, "\(text)") { _ = try mirror.keys(of: "QItem", outline) }
            }
        }

        private func outline(
            _ property: String, _ end: OutlinePath.End, _ kind: OutlineTest.Kind, isNegated: Bool
        ) -> QueryOutline {
            .test(
                OutlinePath(hops: [], property: property, end: end, type: .string, skipsNull: false),
                OutlineTest(kind: kind, isNegated: isNegated, matchesNull: false))
        }

        @Test func aZeroInTheConstantOfAnOrderLosesNoMatches() throws {
            let value = JSONBText.written("a\u{1}")
            try mirror.pool.use {
                try $0.query(
                    "INSERT INTO regnum.documents VALUES (7, 'Order', '1', jsonb_build_object('s', $1))",
                    [.text(value)])
            }
            for (operation, isNegated) in [(ComparisonOperator.greater, false), (.less, true)] {
                let outline = outline("s", .value, .order(operation, .string("a\0")), isNegated: isNegated)
                let found = try mirror.keys(of: "Order", outline)
                #expect(found.keys == ["1"] && !found.isExact)
            }
        }

        @Test func aNegatedTestOfKeysLosesNoMatches() throws {
            let key = JSONBText.written("b\u{E000}")
            try mirror.pool.use {
                try $0.query(
                    """
                    INSERT INTO regnum.documents
                    VALUES (7, 'Keys', '1', jsonb_build_object('m', jsonb_build_object($1, 1)))
                    """, [.text(key)])
            }
            let outline = outline("m", .keys, .order(.less, .string("a")), isNegated: true)
            let found = try mirror.keys(of: "Keys", outline)
            #expect(found.keys == ["1"] && !found.isExact)
        }
    }

    /// Random queries on the properties of a class, with constants that are values of its objects.
    private struct RandomQueryTexts {
        private let columns: [Column]
        /// Literals, by column.
        private let values: [[String]]
        private var random: SeededGenerator

        init(_ snapshot: Snapshot, _ className: String, _ random: SeededGenerator) throws {
            self.random = random
            let table = try #require(try snapshot.table(named: FileFormat.classPrefix + className))
            columns = table.publicColumns.filter { $0.type != .link && $0.type != .mixed }
            let keys = try Query.compile(.constant(true), on: table.key, in: snapshot).objects(in: snapshot).prefix(400)
            values = try columns.map { column in
                var literals: [String] = []
                for key in keys {
                    guard let position = try table.find(key) else { continue }
                    if column.key.isCollection {
                        try table.forEachElementLeaf(column, at: position) { leaf in
                            for row in 0..<min(leaf.count, 2) { literals.append(try leaf.value(at: row).literal) }
                            return false
                        }
                    } else {
                        literals.append(try table.value(column, at: position).literal)
                    }
                }
                return literals.isEmpty ? ["NULL"] : literals
            }
        }

        mutating func next(depth: Int = 2) -> String {
            guard depth > 0, random.chance(50) else { return test() }
            switch random.below(3) {
            case 0: return "(\(next(depth: depth - 1)) AND \(next(depth: depth - 1)))"
            case 1: return "(\(next(depth: depth - 1)) OR \(next(depth: depth - 1)))"
            default: return "NOT (\(next(depth: depth - 1)))"
            }
        }

        private mutating func test() -> String {
            let index = random.below(columns.count)
            let (column, name) = (columns[index], columns[index].name)
            let constant = random.pick(values[index])
            if column.key.isCollection {
                if random.chance(20) { return "\(name).@count \(random.pick(["==", ">", "<="])) \(random.below(4))" }
                if column.key.isDictionary, random.chance(30) {
                    return
                        "\(name).@allKeys \(random.pick(["==", "BEGINSWITH"])) '\(random.pick(["a", "k", "key", ""]))'"
                }
                let quantifier = random.pick(["ANY", "ALL", "NONE"])
                return "\(quantifier) \(name) \(operation(column.type)) \(constant)"
            }
            if random.chance(10) { return "\(name) \(random.pick(["==", "!="])) NULL" }
            if random.chance(15) { return "\(name) IN {\(constant), \(random.pick(values[index])), NULL}" }
            return "\(name) \(operation(column.type)) \(constant)"
        }

        private mutating func operation(_ type: ColumnType) -> String {
            var operations = ["==", "!="]
            if type != .bool { operations += ["<", "<=", ">", ">="] }
            if type == .string || type == .binary { operations += ["BEGINSWITH", "CONTAINS", "ENDSWITH"] }
            return random.pick(operations)
        }
    }
#endif
