// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSyncCore
    import RealmSyncServer
    import RealmTestSupport
    import SyncTestSupport

    /// The rights of a user on items, as functions of the model. All have all rights on other classes.
    struct SimulatedRights {
        typealias Condition = @Sendable (Int64, SimulatedQuery.Row) -> Bool

        var reads: Condition = { _, _ in true }
        var writes: Condition = { _, _ in true }
        var canInsert = true
        var canDelete = true
        var unreadable: Set<Text> = []
        var unwritable: Set<Text> = []

        static let none = SimulatedRights(
            reads: { _, _ in false }, writes: { _, _ in false }, canInsert: false, canDelete: false,
            unreadable: Set(SimulatedEditor.itemFields), unwritable: Set(SimulatedEditor.itemFields))

        func canRead(_ key: PrimaryKey, _ row: SimulatedQuery.Row) -> Bool {
            if case .int(let number) = key { reads(number, row) } else { false }
        }
    }

    /// Random rights that a hook in Swift returns, with filters in the query language.
    struct SimulatedHook {
        private(set) var access = DocumentAccess(others: .all)
        private(set) var rights = SimulatedRights()

        init(_ generator: inout SeededGenerator) {
            var item = DocumentAccess.OnClass.all
            if generator.chance(50) {
                let query = generator.pick(SimulatedQuery.all)
                (item.read, rights.reads) = (.matching(query.text), query.holds)
            }
            if generator.chance(50) {
                let query = generator.pick(SimulatedQuery.all)
                (item.write, rights.writes) = (.matching(query.text), query.holds)
            }
            item.canInsert = generator.chance(80)
            item.canDelete = generator.chance(80)
            (rights.canInsert, rights.canDelete) = (item.canInsert, item.canDelete)
            if generator.chance(40) {
                rights.unreadable = Set(SimulatedQuery.hideable.filter { _ in generator.chance(40) })
                item.readableFields = .allBut(rights.unreadable.sorted().map(\.string))
            }
            // Users can read what they can write.
            rights.unwritable = rights.unreadable
            if generator.chance(40) { rights.unwritable.insert(generator.pick(["n", "tags", "part", "friend"])) }
            item.writableFields = .allBut(rights.unwritable.sorted().map(\.string))
            access[SimulatedEditor.item.string] = item
        }
    }
#endif
