// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSyncCore
    import RealmTestSupport
    import SyncTestSupport

    /// A random call of a function of the collection of items, with its expected result.
    struct SimulatedRequest {
        typealias Row = SimulatedQuery.Row
        typealias Members = [ExtendedJSON.Member]

        enum Result: Equatable {
            /// The items after the request.
            case success([PrimaryKey: Row])
            /// An item with the key exists.
            case conflict
            case notPermitted
        }

        let name: String
        private(set) var arguments: Members
        private(set) var result: Result

        private struct State {
            let table: SyncModel.Table
            let rights: SimulatedRights

            func visible(_ key: Int64) -> Row? {
                table.objects[.int(key)].flatMap { rights.reads(key, $0) ? $0 : nil }
            }

            var defaults: Row { table.columns.mapValues(SyncModel.empty) }
        }

        /// - Parameter table: The items at the server.
        init(_ table: SyncModel.Table, _ rights: SimulatedRights, _ generator: inout SeededGenerator) {
            let state = State(table: table, rights: rights)
            let key = Int64(generator.below(40))
            switch generator.below(12) {
            case 0, 1: self = .insertion(key, SimulatedRequest.fields(&generator), state)
            case 2..<6:
                let (fields, isUpsert) = (SimulatedRequest.fields(&generator), generator.chance(20))
                self = .update(key, fields, isUpsert: isUpsert, state)
            case 6: self = .increment(key, Int64(generator.below(40)) - 10, state)
            case 7, 8: self = .replacement(key, SimulatedRequest.fields(&generator), state)
            case 9: self = .deletion(key, state)
            default: self = .deletion(above: 900 + Int64(generator.below(100)), state)
            }
        }

        private init(_ name: String, _ arguments: Members, _ result: Result) {
            (self.name, self.arguments, self.result) = (name, arguments, result)
        }

        // MARK: Kinds

        private static func insertion(_ key: Int64, _ fields: Row, _ state: State) -> SimulatedRequest {
            let document = [ExtendedJSON.Member("_id", .int64(key))] + members(fields)
            return SimulatedRequest(
                "insertOne", [.init("document", .document(document))], insertionResult(key, fields, state))
        }

        private static func insertionResult(_ key: Int64, _ fields: Row, _ state: State) -> Result {
            if state.table.objects[.int(key)] != nil { return .conflict }
            let row = state.defaults.merging(fields) { $1 }
            guard state.rights.canInsert, state.rights.unwritable.isDisjoint(with: fields.keys),
                state.rights.writes(key, row)
            else { return .notPermitted }
            return success([key: row], state)
        }

        private static func update(
            _ key: Int64, _ fields: Row, isUpsert: Bool, _ state: State
        ) -> SimulatedRequest {
            var request = SimulatedRequest.update(key, [.init("$set", .document(members(fields)))], fields.keys, state)
            { $0.merging(fields) { $1 } }
            guard isUpsert else { return request }
            request.arguments.append(.init("upsert", .bool(true)))
            if state.visible(key) == nil { request.result = insertionResult(key, fields, state) }
            return request
        }

        private static func increment(_ key: Int64, _ amount: Int64, _ state: State) -> SimulatedRequest {
            update(key, [.init("$inc", .document([.init("n", .int64(amount))]))], ["n"], state) { row in
                row.merging(["n": .value(.int((row.int("n") ?? 0) + amount))]) { $1 }
            }
        }

        /// Properties without rights remain. A Mixed that is a collection remains one, because the merge of a plain
        /// value with changes of a collection isn't defined.
        private static func replacement(_ key: Int64, _ fields: Row, _ state: State) -> SimulatedRequest {
            var fields = fields
            if case .dictionary? = state.visible(key)?["nested"] { fields["nested"] = state.visible(key)?["nested"] }
            let new = state.defaults.merging(fields) { $1 }
            return update(key, members(fields), fields.keys, state) { row in
                row.merging(new) { $1 }.merging(row.filter { state.rights.unreadable.contains($0.key) }) { $1 }
            }
        }

        private static func update(
            _ key: Int64, _ update: Members, _ fields: some Collection<Text>, _ state: State, _ change: (Row) -> Row
        ) -> SimulatedRequest {
            let arguments: Members = [
                .init("query", .document([.init("_id", .int64(key))])), .init("update", .document(update)),
            ]
            func request(_ result: Result) -> SimulatedRequest { SimulatedRequest("updateOne", arguments, result) }
            guard state.rights.unwritable.isDisjoint(with: fields) else { return request(.notPermitted) }
            guard let old = state.visible(key) else { return request(success([:], state)) }
            let new = change(old)
            let changed = new.filter { old[$0.key] != $0.value }.keys
            if changed.isEmpty { return request(success([:], state)) }
            guard state.rights.unwritable.isDisjoint(with: changed), state.rights.writes(key, old),
                state.rights.writes(key, new)
            else { return request(.notPermitted) }
            return request(success([key: new], state))
        }

        private static func deletion(_ key: Int64, _ state: State) -> SimulatedRequest {
            deletion("deleteOne", [.init("_id", .int64(key))], state.visible(key).map { [key: $0] } ?? [:], state)
        }

        private static func deletion(above number: Int64, _ state: State) -> SimulatedRequest {
            var deleted: [Int64: Row] = [:]
            for case (.int(let key), let row) in state.table.objects where row.int("n") ?? 0 > number {
                if state.rights.reads(key, row) { deleted[key] = row }
            }
            let filter = ExtendedJSON.document([.init("$gt", .int64(number))])
            return deletion("deleteMany", [.init("n", filter)], deleted, state)
        }

        private static func deletion(
            _ name: String, _ filter: Members, _ deleted: [Int64: Row], _ state: State
        ) -> SimulatedRequest {
            let isPermitted = state.rights.canDelete && deleted.allSatisfy { state.rights.writes($0.key, $0.value) }
            return SimulatedRequest(
                name, [.init("query", .document(filter))],
                deleted.isEmpty || isPermitted ? success(deleted.mapValues { _ in nil }, state) : .notPermitted)
        }

        private static func success(_ changes: [Int64: Row?], _ state: State) -> Result {
            var objects = state.table.objects
            for (key, row) in changes { objects[.int(key)] = row }
            return .success(objects)
        }

        // MARK: Documents

        /// The values differ from the defaults.
        private static func fields(_ generator: inout SeededGenerator) -> Row {
            var fields: Row = [:]
            for _ in 0...generator.below(3) {
                let name = generator.pick(SimulatedEditor.itemFields.filter { $0 != "nested" })
                fields[name] = content(name, &generator)
            }
            return fields
        }

        private static func content(_ name: Text, _ generator: inout SeededGenerator) -> SyncModel.Content {
            switch name {
            case "n": .value(.int(1 + Int64(generator.below(999))))
            case "s": .value(.string(SimulatedEditor.word(&generator)))
            case "tags":
                .list((0...generator.below(4)).map { _ in .value(.string(SimulatedEditor.word(&generator))) })
            case "numbers": .set(Set((0...generator.below(3)).map { _ in .int(Int64(generator.below(8))) }))
            case "map":
                .dictionary(
                    Dictionary(
                        (0...generator.below(2)).map { _ in
                            (SimulatedEditor.word(&generator), .value(SimulatedEditor.plain(&generator)))
                        }, uniquingKeysWith: { $1 }))
            case "part": part(&generator)
            case "parts": .list((0...generator.below(2)).map { _ in part(&generator) })
            case "friend": .value(SimulatedEditor.link(&generator))
            case "friends": .list((0...generator.below(3)).map { _ in .value(SimulatedEditor.link(&generator)) })
            default: .value(.int(Int64(generator.below(1000))))
            }
        }

        private static func part(_ generator: inout SeededGenerator) -> SyncModel.Content {
            .object(
                SimulatedEditor.part,
                [
                    "v": .value(.int(Int64(generator.below(1000)))),
                    "w": .list((0..<generator.below(3)).map { _ in .value(.int(Int64(generator.below(100)))) }),
                ])
        }

        private static func members(_ row: Row) -> Members {
            row.sorted { $0.key < $1.key }.map { name, content in
                ExtendedJSON.Member(name.string, json(content, isMixed: mixed.contains(name)))
            }
        }

        private static let mixed: Set<Text> = ["x", "map", "nested"]

        private static func json(_ content: SyncModel.Content, isMixed: Bool) -> ExtendedJSON {
            switch content {
            case .value(.link(let target)) where isMixed:
                .document([.init("$ref", .string(target.table.string)), .init("$id", key(target))])
            case .value(.link(let target)): key(target)
            case .value(let value): json(value)
            case .list(let elements): .array(elements.map { json($0, isMixed: isMixed) })
            case .set(let elements): .array(elements.map(json).sorted { "\($0)" < "\($1)" })
            case .dictionary(let members), .object(_, let members):
                .document(
                    members.sorted { $0.key < $1.key }.map { .init($0.key.string, json($0.value, isMixed: isMixed)) })
            }
        }
    }

    extension SimulatedRequest {
        private static func key(_ object: ObjectReference) -> ExtendedJSON {
            if case .int(let number) = object.key { .int64(number) } else { .null }
        }

        private static func json(_ value: SyncValue) -> ExtendedJSON {
            switch value {
            case .bool(let flag): .bool(flag)
            case .int(let number): .int64(number)
            case .double(let number): .double(number)
            case .string(let text): .string(text.string)
            case .binary(let bytes): .binary(bytes, subtype: 0)
            default: .null
            }
        }

        /// Returns items as a user reads them, ordered by the key, each with the members in the order of names.
        static func documents(_ table: SyncModel.Table, _ rights: SimulatedRights) -> [ExtendedJSON] {
            table.objects.compactMap { key, row -> (Int64, ExtendedJSON)? in
                guard case .int(let number) = key, rights.reads(number, row) else { return nil }
                let visible = row.filter { !rights.unreadable.contains($0.key) }
                return (number, canonical(.document([.init("_id", .int64(number))] + members(visible))))
            }.sorted { $0.0 < $1.0 }.map(\.1)
        }

        /// Sorts the members of documents and the elements of sets.
        static func canonical(_ json: ExtendedJSON) -> ExtendedJSON {
            switch json {
            case .array(let elements): .array(elements.map(canonical))
            case .document(let members) where members.first?.name != "$ref":
                .document(
                    members.sorted { ByteText($0.name) < ByteText($1.name) }.map { member in
                        guard member.name == "numbers", case .array(let elements) = member.value else {
                            return .init(member.name, canonical(member.value))
                        }
                        return .init(member.name, .array(elements.sorted { "\($0)" < "\($1)" }))
                    })
            default: json
            }
        }
    }
#endif
