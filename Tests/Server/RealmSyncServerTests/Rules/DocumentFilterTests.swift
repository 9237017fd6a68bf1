// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import RealmQuery
    import RealmStorage
    import RealmSyncCore
    import RealmTestSupport
    import Testing

    @testable import RealmSyncServer

    /// Document filters as queries of the engine, compared with their evaluation on plain values.
    @Suite struct DocumentFilterTests {
        private typealias Document = [String: [StoredValue]]

        private struct Field {
            let name: String
            let type: ColumnType
            var isList = false
        }

        private static let fields = [
            Field(name: "int", type: .int), Field(name: "double", type: .double), Field(name: "text", type: .string),
            Field(name: "flag", type: .bool), Field(name: "day", type: .timestamp), Field(name: "oid", type: .objectId),
            Field(name: "uuid", type: .uuid), Field(name: "decimal", type: .decimal),
            Field(name: "data", type: .binary),
            Field(name: "ints", type: .int, isList: true), Field(name: "texts", type: .string, isList: true),
        ]

        /// `team` and `number` are members of the user, `missing` isn't.
        private static let user = UserValues(
            RuleExpressionTests.user(customData: #"{"texts": ["a", "c"], "text": "b", "ints": [1, 3], "int": 2}"#))

        @Test func randomFiltersMatchPlainValues() throws {
            var random = SeededGenerator(for: "DocumentFilterTests")
            let database = try Database.inMemory(in: NSTemporaryDirectory())
            let (table, documents) = try store(&random, in: database)
            let snapshot = try database.snapshot(label: "filters")
            var matches = 0
            for _ in 0..<1000 {
                let json = filter(&random, depth: 3)
                let reader = RuleExpressionReader(place: "filter", allowsFields: true)
                let expression = try reader.expression(json)
                let text = expression.predicate(for: Self.user).description
                let query = try SubscriptionQuery("Doc", parsing: text)
                let found = try Query.compile(query.predicate, on: table, in: snapshot).objects(in: snapshot)
                let expected = documents.filter { evaluate(json, $0.document) == true }.map(\.key)
                #expect(found == expected, "\(json)\n\(text)")
                matches += found.count
            }
            #expect(matches > 5000)
        }

        private func store(
            _ random: inout SeededGenerator, in database: Database
        ) throws -> (TableKey, [(key: ObjectKey, document: Document)]) {
            let write = try database.beginWrite()
            let table = try write.schema.addTable("class_Doc")
            var columns: [ColumnKey] = []
            for field in Self.fields {
                columns.append(
                    try write.schema.addColumn(field.name, field.type, field.isList ? .list : .nullable, to: table))
            }
            var documents: [(ObjectKey, Document)] = []
            for _ in 0..<60 {
                let key = try write.createObject(in: table)
                var document: Document = [:]
                for (field, column) in zip(Self.fields, columns) {
                    if field.isList {
                        let values = (0..<random.below(3)).map { _ in stored(value(field.type, &random)) }
                        for (index, value) in values.enumerated() {
                            try write.list(column, of: key, in: table).insert(value, at: index)
                        }
                        document[field.name] = values
                    } else {
                        let value = random.chance(25) ? StoredValue.null : stored(value(field.type, &random))
                        try write.set(value, column, of: key, in: table)
                        document[field.name] = [value]
                    }
                }
                documents.append((key, document))
            }
            try write.commit()
            return (table, documents)
        }

        // MARK: Random filters

        private func value(_ type: ColumnType, _ random: inout SeededGenerator) -> ExtendedJSON {
            let number = random.below(4)
            switch type {
            case .int: return .int64(Int64(number))
            case .double: return .double(Double(number) / 2)
            case .string: return .string(["a", "b", "it's \"c\"", "\u{301}d\n"][number])
            case .bool: return .bool(number < 2)
            case .timestamp: return .date(Int64(number) * 750 - 1500)
            case .objectId: return .objectId(ObjectIdBytes(hexadecimal: "00000000000000000000000\(number)")!)
            case .uuid: return .uuid(UUIDBytes(bytes: Array(repeating: UInt8(number), count: 16)))
            case .decimal: return .decimal(DecimalBits("\(number).5")!)
            default: return .binary([UInt8(number), 0], subtype: 0)
            }
        }

        private func stored(_ value: ExtendedJSON) -> StoredValue { value.scalar ?? .null }

        private func filter(_ random: inout SeededGenerator, depth: Int) -> JSON {
            switch depth == 0 ? 9 : random.below(10) {
            case 0: return .object([JSON.Member("%and", .array(filters(&random, depth)))])
            case 1: return .object([JSON.Member("$or", .array(filters(&random, depth)))])
            case 2: return .object([JSON.Member("%nor", .array(filters(&random, depth)))])
            case 3: return .object([JSON.Member("$not", filter(&random, depth: depth - 1))])
            case 4: return .bool(random.chance(50))
            case 5:
                let name = ["%%user.custom_data.int", "%%user.custom_data.ints"].randomElement(using: &random)!
                return .object([JSON.Member(name, .int(random.below(4)))])
            default:
                return .object((0..<1 + random.below(2)).map { _ in condition(&random) })
            }
        }

        private func filters(_ random: inout SeededGenerator, _ depth: Int) -> [JSON] {
            (0..<1 + random.below(3)).map { _ in filter(&random, depth: depth - 1) }
        }

        private func condition(_ random: inout SeededGenerator) -> JSON.Member {
            let field = Self.fields.randomElement(using: &random)!
            if random.chance(20) { return JSON.Member(field.name, operand(field, &random)) }
            if random.chance(15) { return JSON.Member(field.name, ["$not": test(field, &random)]) }
            return JSON.Member(field.name, test(field, &random))
        }

        private func test(_ field: Field, _ random: inout SeededGenerator) -> JSON {
            let prefix = random.chance(50) ? "$" : "%"
            switch random.below(6) {
            case 0: return .object([JSON.Member(prefix + "eq", operand(field, &random))])
            case 1: return .object([JSON.Member(prefix + "ne", operand(field, &random))])
            case 2: return .object([JSON.Member(prefix + "exists", .bool(random.chance(50)))])
            case 3, 4:
                let name = prefix + (random.chance(50) ? "in" : "nin")
                if random.chance(20), [.int, .string].contains(field.type) {
                    let member = random.chance(30) ? "missing" : field.type == .int ? "ints" : "texts"
                    return .object([JSON.Member(name, .string("%%user.custom_data." + member))])
                }
                return .object([JSON.Member(name, .array((0..<random.below(4)).map { _ in operand(field, &random) }))])
            default:
                guard field.type != .bool else { return ["$ne": true] }
                let names = ["lt", "lte", "gt", "gte"]
                let members = (0..<1 + random.below(2)).map { _ in
                    JSON.Member(prefix + names.randomElement(using: &random)!, value(field.type, &random).json)
                }
                return .object(members)
            }
        }

        private func operand(_ field: Field, _ random: inout SeededGenerator) -> JSON {
            if random.chance(10) { return .null }
            if random.chance(15), [.int, .string].contains(field.type) {
                let member = random.chance(30) ? "missing" : field.type == .int ? "int" : "text"
                return .string("%%user.custom_data." + member)
            }
            return value(field.type, &random).json
        }

        // MARK: Plain evaluation

        /// Returns `nil` if the result depends on a missing member of the user.
        private func evaluate(_ json: JSON, _ document: Document) -> Bool? {
            if let value = json.bool { return value }
            return conjunction(
                (json.members ?? []).map { member in
                    let parts = (member.value.elements ?? []).map { evaluate($0, document) }
                    switch member.name.drop(while: { "$%".contains($0) }) {
                    case "and": return conjunction(parts)
                    case "or": return negation(conjunction(parts.map(negation)))
                    case "nor": return conjunction(parts.map(negation))
                    case "not": return negation(evaluate(member.value, document))
                    case "user.custom_data.int": return tests(member.value, [.int(2)])
                    case "user.custom_data.ints": return tests(member.value, [.int(1), .int(3)])
                    default: return tests(member.value, document[member.name] ?? [])
                    }
                })
        }

        private func conjunction(_ values: [Bool?]) -> Bool? {
            values.contains(false) ? false : values.contains(nil) ? nil : true
        }

        private func negation(_ value: Bool?) -> Bool? { value.map { !$0 } }

        private func tests(_ json: JSON, _ values: [StoredValue]) -> Bool? {
            guard let members = json.members, let first = members.first,
                ["eq", "ne", "lt", "lte", "gt", "gte", "in", "nin", "exists", "not"].contains(first.name.dropFirst())
            else { return equals(json, values) }
            return conjunction(
                members.map { member in
                    switch member.name.dropFirst() {
                    case "eq": return equals(member.value, values)
                    case "ne": return negation(equals(member.value, values))
                    case "in": return isMember(member.value, values)
                    case "nin": return negation(isMember(member.value, values))
                    case "exists": return values.contains { !$0.isNull } == member.value.bool
                    case "not": return negation(tests(member.value, values))
                    case let name: return ordered(String(name), member.value, values)
                    }
                })
        }

        private func constant(_ json: JSON) -> StoredValue? {
            switch json.text {
            case "%%user.custom_data.int"?: .int(2)
            case "%%user.custom_data.text"?: .string("b")
            case "%%user.custom_data.missing"?: nil
            default: ExtendedJSON(json)?.scalar
            }
        }

        private func equals(_ json: JSON, _ values: [StoredValue]) -> Bool? {
            constant(json).map { constant in values.contains { $0 == constant } }
        }

        private func isMember(_ json: JSON, _ values: [StoredValue]) -> Bool? {
            let constants: [StoredValue?]
            switch json.text {
            case "%%user.custom_data.ints"?: constants = [.int(1), .int(3)]
            case "%%user.custom_data.texts"?: constants = [.string("a"), .string("c")]
            case .some: constants = [nil]
            case nil: constants = (json.elements ?? []).map(constant)
            }
            if values.contains(where: { value in constants.contains { $0 == value } }) { return true }
            return constants.contains { $0 == nil } ? nil : false
        }

        private func ordered(_ name: String, _ json: JSON, _ values: [StoredValue]) -> Bool? {
            guard let constant = constant(json) else { return nil }
            return values.contains { value in
                guard !value.isNull else { return false }
                let order = StoredValue.compare(value, constant)
                switch name {
                case "lt": return order < 0
                case "lte": return order <= 0
                case "gt": return order > 0
                default: return order >= 0
                }
            }
        }
    }
#endif
