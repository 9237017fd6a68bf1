// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSyncCore
    import RealmTestSupport
    import SyncTestSupport

    /// The custom data of a user. Each member can be missing.
    struct SimulatedUserData {
        private(set) var team: Text?
        private(set) var limit: Int64?
        private(set) var isAdmin: Bool?

        init() {}

        init(_ generator: inout SeededGenerator) {
            team = generator.pick(["a", "b", "c", nil])
            limit = generator.pick([200, 500, 800, nil])
            isAdmin = generator.pick([true, false, nil])
        }

        var json: String {
            let members = [
                team.map { #""team":"\#($0)""# }, limit.map { #""limit":\#($0)"# },
                isAdmin.map { #""isAdmin":\#($0)"# },
            ]
            return "{\(members.compactMap(\.self).joined(separator: ","))}"
        }
    }

    /// A random file of rules for the items, as its text and as functions of the model.
    struct SimulatedRules {
        /// An expression about the user.
        private struct Condition: Sendable {
            let json: String
            let holds: @Sendable (SimulatedUserData) -> Bool

            static let all: [Condition] = [
                Condition(json: "true") { _ in true },
                Condition(json: #"{"%%user.custom_data.isAdmin":true}"#) { $0.isAdmin == true },
                Condition(json: #"{"%%user.custom_data.team":{"$in":["a","b"]}}"#) { ["a", "b"].contains($0.team) },
                Condition(json: #"{"%%user.custom_data.limit":{"$gte":500}}"#) { $0.limit ?? 0 >= 500 },
                Condition(json: #"{"%%user.custom_data.team":{"$exists":true},"%%user.type":"normal"}"#) {
                    $0.team != nil
                },
                Condition(
                    json: #"{"$or":[{"%%user.custom_data.isAdmin":true},{"%%user.custom_data.limit":200}]}"#
                ) { $0.isAdmin == true || $0.limit == 200 },
                Condition(json: #"{"%%user.custom_data.isAdmin":{"$exists":false}}"#) { $0.isAdmin == nil },
            ]

            static let never = Condition(json: "false") { _ in false }

            static func pick(_ generator: inout SeededGenerator) -> Condition {
                if generator.chance(60) { return all[0] }
                return generator.chance(20) ? never : generator.pick(all)
            }
        }

        /// An expression about the document and the user.
        private struct Filter: Sendable {
            let json: String
            let holds: @Sendable (Int64, SimulatedQuery.Row, SimulatedUserData) -> Bool

            private init(json: String, _ holds: @escaping @Sendable (SimulatedQuery.Row) -> Bool) {
                self.json = json
                self.holds = { _, row, _ in holds(row) }
            }

            private init(
                byUser json: String, _ holds: @escaping @Sendable (SimulatedQuery.Row, SimulatedUserData) -> Bool
            ) {
                self.json = json
                self.holds = { _, row, user in holds(row, user) }
            }

            private init(byKey json: String, _ holds: @escaping @Sendable (Int64, SimulatedQuery.Row) -> Bool) {
                self.json = json
                self.holds = { key, row, _ in holds(key, row) }
            }

            static let all: [Filter] = [
                Filter(json: "true") { _ in true },
                Filter(json: #"{"n":{"$gt":400}}"#) { $0.int("n") ?? 0 > 400 },
                Filter(byUser: #"{"n":{"$lte":"%%user.custom_data.limit"}}"#) { row, user in
                    user.limit.map { row.int("n") ?? 0 <= $0 } ?? false
                },
                Filter(byUser: #"{"s":"%%user.custom_data.team"}"#) { row, user in
                    user.team.map { row.string("s") == $0 } ?? false
                },
                Filter(json: #"{"tags":"b"}"#) { $0.list("tags").contains(.value(.string("b"))) },
                Filter(byKey: #"{"_id":{"$in":[1,4,7,20,33]}}"#) { key, _ in [1, 4, 7, 20, 33].contains(key) },
                Filter(json: #"{"$or":[{"s":"a"},{"s":{"$exists":false}}]}"#) {
                    $0.string("s") == "a" || $0.string("s") == nil
                },
                Filter(json: #"{"$not":{"n":{"$gte":200,"$lte":700}}}"#) { !(200...700).contains($0.int("n") ?? 0) },
                Filter(json: #"{"part.v":{"$gt":300}}"#) {
                    guard case .object(_, let members)? = $0["part"] else { return false }
                    return members.int("v") ?? 0 > 300
                },
                Filter(json: #"{"numbers":{"$gt":3}}"#) { $0.numbers.contains { $0 > 3 } },
                Filter(json: #"{"s":{"$nin":["a","c"]}}"#) { !["a", "c"].contains($0.string("s")) },
                Filter(byKey: #"{"n":{"$lte":500},"_id":{"$gt":10}}"#) { $0 > 10 && $1.int("n") ?? 0 <= 500 },
                Filter(byUser: #"{"%%user.custom_data.isAdmin":true}"#) { $1.isAdmin == true },
                Filter(byUser: #"{"$or":[{"%%user.custom_data.isAdmin":true},{"n":{"$ne":7}}]}"#) {
                    $1.isAdmin == true || $0.int("n") != 7
                },
            ]
        }

        private struct Field {
            let name: Text
            let read: Condition
            let write: Condition

            var json: String { #""\#(name)":{"read":\#(read.json),"write":\#(write.json)}"# }
        }

        private struct Role {
            let applies: Condition
            let filters: (read: Filter, write: Filter)?
            let insert: Condition
            let delete: Condition
            /// The rights on all fields, or `nil` if `fields` and `others` decide.
            let document: (read: Condition, write: Condition)?
            var fields: [Field] = []
            let others: (read: Condition, write: Condition)

            init(_ generator: inout SeededGenerator) {
                applies = Condition.pick(&generator)
                filters =
                    generator.chance(70) ? (generator.pick(Filter.all), generator.pick(Filter.all)) : nil
                (insert, delete) = (Condition.pick(&generator), Condition.pick(&generator))
                others = (Condition.all[0], Condition.pick(&generator))
                guard generator.chance(50) else {
                    document = (Condition.pick(&generator), Condition.pick(&generator))
                    return
                }
                document = nil
                // A query can't use a property that its user can't read.
                for name in SimulatedQuery.hideable where generator.chance(40) {
                    fields.append(
                        Field(name: name, read: Condition.pick(&generator), write: Condition.pick(&generator)))
                }
                if generator.chance(40) {
                    let name: Text = generator.pick(["n", "tags", "part", "friend"])
                    fields.append(Field(name: name, read: Condition.all[0], write: Condition.pick(&generator)))
                }
            }

            var json: String {
                var members = [
                    #""name":"role","apply_when":\#(applies.json),"insert":\#(insert.json),"delete":\#(delete.json)"#
                ]
                if let filters {
                    members.append(
                        #""document_filters":{"read":\#(filters.read.json),"write":\#(filters.write.json)}"#)
                }
                if let document {
                    members.append(#""read":\#(document.read.json),"write":\#(document.write.json)"#)
                } else {
                    members.append(#""fields":{\#(fields.map(\.json).joined(separator: ","))}"#)
                    members.append(
                        #""additional_fields":{"read":\#(others.read.json),"write":\#(others.write.json)}"#)
                }
                return "{\(members.joined(separator: ","))}"
            }

            func rights(of user: SimulatedUserData) -> SimulatedRights {
                var rights = SimulatedRights.none
                let (readable, writable) = (fields(user, isWrite: false), fields(user, isWrite: true))
                let canWrite = delete.holds(user) || !writable.isEmpty
                rights.unwritable.subtract(writable)
                rights.canInsert = insert.holds(user) && !writable.isEmpty
                rights.canDelete = delete.holds(user)
                if let write = filters?.write {
                    rights.writes = { write.holds($0, $1, user) }
                } else {
                    rights.writes = { _, _ in true }
                }
                // Users can read what they can write.
                rights.unreadable.subtract(readable.union(writable))
                guard !readable.isEmpty || !writable.isEmpty else { return rights }
                rights.reads = { [filters] key, row in
                    guard let filters else { return true }
                    return filters.read.holds(key, row, user) || canWrite && filters.write.holds(key, row, user)
                }
                return rights
            }

            private func fields(_ user: SimulatedUserData, isWrite: Bool) -> Set<Text> {
                let all = SimulatedEditor.itemFields
                if let document { return (isWrite ? document.write : document.read).holds(user) ? Set(all) : [] }
                return Set(
                    all.filter { name in
                        if let field = fields.first(where: { $0.name == name }) {
                            return (isWrite ? field.write : field.read).holds(user)
                        }
                        return (isWrite ? others.write : others.read).holds(user)
                    })
            }
        }

        private let roles: [Role]

        /// All rights on all documents.
        init() { roles = [] }

        init(_ generator: inout SeededGenerator) { roles = (0...generator.below(3)).map { _ in Role(&generator) } }

        func text(app: String) -> String {
            let item = SimulatedEditor.item
            let classes = roles.isEmpty ? "" : #""\#(item)":[\#(roles.map(\.json).joined(separator: ","))]"#
            let all = #"{"name":"all","apply_when":true,"read":true,"write":true,"insert":true,"delete":true}"#
            return #"{"apps":{"\#(app)":{"classes":{\#(classes)},"default_roles":[\#(all)]}}}"#
        }

        func rights(of user: SimulatedUserData) -> SimulatedRights {
            if roles.isEmpty { return SimulatedRights() }
            return roles.first { $0.applies.holds(user) }?.rights(of: user) ?? .none
        }
    }
#endif
