// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmAccounts
    import RealmQuery
    import RealmStorage
    import RealmSyncCore
    import RealmTestSupport
    import Testing

    @testable import RealmSyncServer

    /// Filters of MongoDB's query language, run by the query engine.
    @Suite struct FilterTranslatorTests {
        private func members(_ text: String) throws -> [ExtendedJSON.Member] {
            try #require(ExtendedJSON(try JSON(parsing: text))?.members)
        }

        private func keys(_ selection: DocumentSelection, _ model: DocumentModel) throws -> [Int64] {
            let snapshot = try model.database.snapshot()
            let table = try #require(try snapshot.table(named: "class_Thing"))
            let encoder = DocumentEncoder(snapshot)
            return try selection.keys(in: snapshot, table, .unrestricted).compactMap { key in
                try encoder.document(key, of: table)?.first?.value.number
            }
        }

        @Test func filtersSelectTheSameDocumentsAsAPlainEvaluator() throws {
            var model = try DocumentModel()
            var random = RandomDocuments(random: SeededGenerator(for: "FilterTranslatorTests"), hasMixedLists: false)
            for key in 0..<20 { try model.insert(random.document(Int64(key))) }
            let documents = try model.documents()
            var selected = 0
            for _ in 0..<3000 {
                let filter = random.filter()
                let expected = documents.filter { PlainFilter.matches(filter, $0) }.compactMap {
                    $0.first?.value.number
                }
                let found = try keys(DocumentSelection(filter: filter), model)
                #expect(found.sorted() == expected.sorted(), "\(ExtendedJSON.document(filter))")
                selected += found.count
            }
            #expect(selected > 3000)
        }

        @Test func sortSkipAndLimit() throws {
            var model = try DocumentModel()
            for (key, number) in [3, 1, 2, 1].enumerated() {
                try model.insert([.init("_id", .int64(Int64(key))), .init("int", .int64(Int64(number)))])
            }
            let sort = try members(#"{"int":1,"_id":-1}"#)
            #expect(try keys(DocumentSelection(sort: sort), model) == [3, 1, 2, 0])
            #expect(try keys(DocumentSelection(sort: sort, skip: 1, limit: 2), model) == [1, 2])
            #expect(try keys(DocumentSelection(sort: try members(#"{"int":-1}"#), limit: 1), model) == [0])
        }

        @Test(arguments: [
            (#"{"text":{"$regex":"^a"}}"#, [1, 2]), (#"{"text":{"$regex":"B$","$options":"i"}}"#, [2]),
            (#"{"text":{"$regex":"a\\.b"}}"#, []), (#"{"text":{"$not":{"$regex":"a"}}}"#, [0]),
            (#"{"text":{"$regularExpression":{"pattern":"^ab$","options":""}}}"#, [2]),
        ])
        func literalPatterns(filter: String, keys: [Int64]) throws {
            var model = try DocumentModel()
            for (key, text) in [ExtendedJSON.null, .string("a"), .string("ab")].enumerated() {
                try model.insert([.init("_id", .int64(Int64(key))), .init("text", text)])
            }
            #expect(try self.keys(DocumentSelection(filter: try members(filter)), model) == keys)
        }

        @Test(arguments: [
            (#"{"$where":"1"}"#, "$where"), (#"{"int":{"$mod":[2,0]}}"#, "$mod"), (#"{"$expr":{}}"#, "$expr"),
            (#"{"text":{"$regex":"(a+)+$"}}"#, "(a+)+$"), (#"{"ints.0":1}"#, "ints.0"), (#"{"$and":[]}"#, "$and"),
            (#"{"int":{"$exists":"x"}}"#, "$exists"), (#"{"part":{"x":1}}"#, "part"), (#"{"int":{"$not":1}}"#, "$not"),
            (#"{"int":{"$minKey":1}}"#, "int"), (#"{"a..b":1}"#, "a..b"), (#"{"$or":[1]}"#, "$or"),
            (#"{"int":{"$in":1}}"#, "$in"),
            (#"{"text":{"$options":"i"}}"#, "$options"),
        ])
        func unsupportedFiltersAreRefusedByName(filter: String, name: String) throws {
            let model = try DocumentModel()
            let members = try members(filter)
            let error = #expect(throws: ServiceRefusal.self) {
                _ = try keys(DocumentSelection(filter: members), model)
            }
            #expect(error?.message.contains(name) == true, "\(error?.message ?? "")")
        }

        @Test func deepAndLongFiltersAreRefusedOrAnswered() throws {
            let model = try DocumentModel()
            var deep: ExtendedJSON = .document([.init("int", .int64(1))])
            for _ in 0..<90 { deep = .document([.init("$and", .array([deep]))]) }
            let members = try #require(deep.members)
            #expect(throws: ServiceRefusal.self) { _ = try keys(DocumentSelection(filter: members), model) }
            var negated: ExtendedJSON = .document([.init("$gt", .int64(1))])
            for _ in 0..<90 { negated = .document([.init("$not", negated)]) }
            let filter = [ExtendedJSON.Member("int", negated)]
            #expect(throws: ServiceRefusal.self) { _ = try keys(DocumentSelection(filter: filter), model) }
            let name = Array(repeating: "part", count: 1000).joined(separator: ".")
            #expect(throws: ServiceRefusal.self) {
                _ = try keys(DocumentSelection(filter: [.init(name, .int64(1))]), model)
            }
            let long = ExtendedJSON.array((0..<20000).map { .document([.init("int", .int64($0))]) })
            #expect(try keys(DocumentSelection(filter: [.init("$or", long)]), model).isEmpty)
        }

        @Test func rightsLimitTheFieldsAndTheDocuments() throws {
            var model = try DocumentModel()
            for key in Int64(0)..<4 { try model.insert([.init("_id", .int64(key)), .init("int", .int64(key))]) }
            let snapshot = try model.database.snapshot()
            let table = try #require(try snapshot.table(named: "class_Thing"))
            var rights = ClassRights.unrestricted
            rights.read = .matching("int > 1")
            #expect(try DocumentSelection().count(in: snapshot, table, rights) == 2)
            rights.readableFields = .allBut(["int"])
            #expect(try DocumentSelection(filter: try members(#"{"int":2}"#)).count(in: snapshot, table, rights) == 0)
            rights.read = .none
            #expect(try DocumentSelection().count(in: snapshot, table, rights) == 0)
        }
    }

    extension RandomDocuments {
        fileprivate mutating func constant() -> ExtendedJSON {
            switch random.next() % 8 {
            case 0: .null
            case 1: text()
            case 2: double()
            case 3: .bool(chance(50))
            case 4: time()
            case 5: id()
            default: number()
            }
        }

        fileprivate mutating func condition(_ name: String) -> ExtendedJSON {
            // The order of mixed values and of binary data isn't that of MongoDB.
            let orders = name.hasPrefix("mixed") ? ["$eq"] : ["$gt", "$gte", "$lt", "$lte"]
            switch random.next() % 10 {
            case 0: return .document([.init("$ne", constant())])
            case 1: return .document([.init("$in", .array([constant(), constant()]))])
            case 2: return .document([.init("$nin", .array([constant(), constant()]))])
            case 3: return .document([.init("$not", .document([.init(pick(orders), constant())]))])
            case 4 where !name.hasPrefix("mixed"): return .document([.init("$exists", .bool(chance(50)))])
            case 5 where name == "ints" || name == "texts":
                return .document([.init("$size", .int32(Int32(random.next() % 3)))])
            case 6 where name == "ints": return .array(many { $0.number() })
            case 7, 8: return .document([.init(pick(orders), constant()), .init(pick(orders), constant())])
            default: return constant()
            }
        }

        fileprivate mutating func filter(_ depth: Int = 0) -> [ExtendedJSON.Member] {
            if depth < 2, chance(20) {
                let parts = (0...Int(random.next() % 2)).map { _ in ExtendedJSON.document(filter(depth + 1)) }
                return [.init(pick(["$and", "$or", "$nor"]), .array(parts))]
            }
            if chance(8) {
                return [
                    .init(
                        "parts",
                        .document([
                            .init("$elemMatch", .document([.init("x", condition("x")), .init("y", condition("y"))]))
                        ]))
                ]
            }
            let names = [
                "_id", "int", "double", "text", "flag", "time", "id", "ints", "texts", "keyed.k", "mixed", "mixed.a",
                "mixed.a.b",
                "part.x", "part.y", "part.tags", "parts.x", "parts.y", "parts.tags", "friend", "friends", "missing",
                "int.missing", "part.missing",
            ]
            return (0...Int(random.next() % 2)).map { _ in
                let name = pick(names)
                return .init(name, condition(name))
            }
        }
    }

    /// The reference: MongoDB's semantics, evaluated on documents.
    private enum PlainFilter {
        static func matches(_ filter: [ExtendedJSON.Member], _ document: [ExtendedJSON.Member]) -> Bool {
            filter.allSatisfy { member in
                let parts: [[ExtendedJSON.Member]] =
                    if case .array(let elements) = member.value { elements.compactMap(\.members) } else { [] }
                switch member.name {
                case "$and": return parts.allSatisfy { matches($0, document) }
                case "$or": return parts.contains { matches($0, document) }
                case "$nor": return !parts.contains { matches($0, document) }
                default:
                    let values = values(member.name.split(separator: ".").map(String.init)[...], .document(document))
                    return satisfies(values, member.value)
                }
            }
        }

        /// The values at a path, `nil` for a missing one.
        private static func values(_ path: ArraySlice<String>, _ value: ExtendedJSON) -> [ExtendedJSON?] {
            guard let step = path.first else { return [value] }
            switch value {
            case .document(let members):
                guard let member = members.first(where: { $0.name == step }) else { return [nil] }
                return values(path.dropFirst(), member.value)
            case .array(let elements):
                return elements.flatMap { element -> [ExtendedJSON?] in
                    if case .document = element { values(path, element) } else { [] }
                }
            default: return [nil]
            }
        }

        private static func satisfies(_ values: [ExtendedJSON?], _ condition: ExtendedJSON) -> Bool {
            guard case .document(let members) = condition, members.first?.name.hasPrefix("$") == true else {
                return equals(values, condition)
            }
            return members.allSatisfy { member in
                switch (member.name, member.value) {
                case ("$eq", let value): equals(values, value)
                case ("$ne", let value): !equals(values, value)
                case ("$in", .array(let elements)): elements.contains { equals(values, $0) }
                case ("$nin", .array(let elements)): !elements.contains { equals(values, $0) }
                case ("$not", let inner): !satisfies(values, inner)
                case ("$exists", .bool(let isWanted)): values.contains { $0 != nil } == isWanted
                case ("$size", .int32(let size)):
                    values.contains { if case .array(let elements)? = $0 { elements.count == size } else { false } }
                case ("$elemMatch", .document(let filter)):
                    values.contains { value in
                        guard case .array(let elements)? = value else { return false }
                        return elements.contains { $0.members.map { matches(filter, $0) } ?? false }
                    }
                case (let name, let limit): isOrdered(values, name, limit)
                }
            }
        }

        /// Arrays contribute their elements.
        private static func candidates(_ values: [ExtendedJSON?]) -> [ExtendedJSON?] {
            values.flatMap { value -> [ExtendedJSON?] in
                if case .array(let elements)? = value { elements.map { $0 } } else { [value] }
            }
        }

        private static func equals(_ values: [ExtendedJSON?], _ constant: ExtendedJSON) -> Bool {
            if case .array = constant { return values.contains { $0.map(normal) == normal(constant) } }
            return candidates(values).contains { normal($0 ?? .null) == normal(constant) }
        }

        private static func normal(_ value: ExtendedJSON) -> ExtendedJSON {
            switch value {
            case .int32(let number): .double(Double(number))
            case .int64(let number): .double(Double(number))
            case .array(let elements): .array(elements.map(normal))
            default: value
            }
        }

        private static func isOrdered(_ values: [ExtendedJSON?], _ name: String, _ limit: ExtendedJSON) -> Bool {
            candidates(values).contains { value in
                guard let order = compare(normal(value ?? .null), normal(limit)) else { return false }
                return switch name {
                case "$gt": order > 0
                case "$gte": order >= 0
                case "$lt": order < 0
                default: order <= 0
                }
            }
        }

        private static func compare(_ a: ExtendedJSON, _ b: ExtendedJSON) -> Int? {
            func order<Value: Comparable>(_ a: Value, _ b: Value) -> Int { a < b ? -1 : a == b ? 0 : 1 }
            return switch (a, b) {
            case (.null, .null): 0
            case (.double(let a), .double(let b)): order(a, b)
            case (.bool(let a), .bool(let b)): order(a ? 1 : 0, b ? 1 : 0)
            case (.string(let a), .string(let b)): order(ByteText(a), ByteText(b))
            case (.date(let a), .date(let b)): order(a, b)
            case (.objectId(let a), .objectId(let b)): order(a, b)
            default: nil
            }
        }
    }
#endif
