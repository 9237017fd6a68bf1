// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSyncCore
    import RealmSyncServer
    import RealmTestSupport
    import SyncTestSupport

    /// A condition on the items of `SimulatedEditor`, as a text for the server and as a function of the model.
    struct SimulatedQuery: Sendable {
        typealias Row = [Text: SyncModel.Content]

        let text: String
        let holds: @Sendable (Int64, Row) -> Bool

        private init(_ text: String, _ holds: @escaping @Sendable (Int64, Row) -> Bool) {
            (self.text, self.holds) = (text, holds)
        }

        func holds(_ key: PrimaryKey, _ row: Row) -> Bool {
            if case .int(let number) = key { holds(number, row) } else { false }
        }

        static let all: [SimulatedQuery] = [
            SimulatedQuery("TRUEPREDICATE") { _, _ in true },
            SimulatedQuery("n > 400") { $1.int("n") ?? 0 > 400 },
            SimulatedQuery("n <= 500 AND _id > 10") { $0 > 10 && $1.int("n") ?? 0 <= 500 },
            SimulatedQuery("NOT n BETWEEN {200, 700}") { !(200...700).contains($1.int("n") ?? 0) },
            SimulatedQuery("tags.@count > 1") { $1.list("tags").count > 1 },
            SimulatedQuery("ANY tags == 'b'") { $1.list("tags").contains(.value(.string("b"))) },
            SimulatedQuery("_id IN {1, 4, 7, 20, 33}") { key, _ in [1, 4, 7, 20, 33].contains(key) },
            SimulatedQuery("s == 'a' OR s == nil") {
                $1["s"] == .value(.string("a")) || $1["s"] == .value(.null)
            },
            SimulatedQuery("part.v > 300") {
                guard case .object(_, let members)? = $1["part"] else { return false }
                return members.int("v") ?? 0 > 300
            },
            SimulatedQuery("ANY numbers > 3") { $1.numbers.contains { $0 > 3 } },
            SimulatedQuery("parts.@count == 0") { $1.list("parts").isEmpty },
        ]

        /// Queries that the server rejects.
        static let unsupported = ["friend.n > 3", "missing == 1", "n > 0 SORT(n ASC)", "m > 0", "n >"]

        /// The properties that no query uses, and that rights can hide.
        static let hideable: [Text] = ["map", "nested", "x", "friends"]
    }

    extension [Text: SyncModel.Content] {
        func int(_ name: Text) -> Int64? {
            if case .value(.int(let number))? = self[name] { number } else { nil }
        }

        func string(_ name: Text) -> Text? {
            if case .value(.string(let text))? = self[name] { text } else { nil }
        }

        func list(_ name: Text) -> [SyncModel.Content] {
            if case .list(let elements)? = self[name] { elements } else { [] }
        }

        var numbers: [Int64] {
            guard case .set(let elements)? = self["numbers"] else { return [] }
            return elements.compactMap { if case .int(let number) = $0 { number } else { nil } }
        }
    }
#endif
