// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage
import Testing

/// Lists of an instance without models.
@Suite struct ManagedListChangeTests {
    @Test func changesAreReadAtOnce() throws {
        let people = try People()
        let list = people.list
        #expect(list.keys() == Array(people.keys[1...]) && list.count == 3)
        try people.instance.writes.enter()
        list.move(from: 2, to: 0)
        list.insert(.link(people.keys[0]), at: 3)
        #expect(list.keys() == [people.keys[3], people.keys[1], people.keys[2], people.keys[0]])
        list.remove(1..<3)
        #expect(list.count == 2 && list.key(at: 1) == people.keys[0])
        people.instance.writes.cancel()
        #expect(list.keys() == Array(people.keys[1...]))
    }

    /// A link to an object that was removed is hidden, and positions are those of the visible elements.
    @Test func aListWithoutItsOwnerIsEmpty() throws {
        let people = try People()
        let list = people.list
        try people.instance.write { _ = try $0.removeObject(people.keys[2], from: people.managed.tableKey) }
        #expect(list.keys() == [people.keys[1], people.keys[3]] && list.value(at: 1) == .link(people.keys[3]))
        try people.instance.write { _ = try $0.removeObject(people.keys[0], from: people.managed.tableKey) }
        #expect(list.isInvalidated && list.count == 0 && list.values().isEmpty)
    }

    @Test func theSameListInAFrozenInstance() throws {
        let people = try People()
        let snapshot = try #require(people.instance.snapshot)
        let frozen = RealmInstance(
            VersionReader(people.database.host, people.instance.reader.settings, frozen: snapshot),
            models: people.instance.models)
        let list = ManagedList(people.list, in: frozen)
        try people.instance.write { _ = try $0.removeObject(people.keys[0], from: people.managed.tableKey) }
        #expect(list.keys() == Array(people.keys[1...]) && people.list.isInvalidated)
    }
}
