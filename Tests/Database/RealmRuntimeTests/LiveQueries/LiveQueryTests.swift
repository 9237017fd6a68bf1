// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmRuntime
import RealmStorage
import Testing

/// Live queries of an instance without models.
@Suite struct LiveQueryTests {
    /// Created in each test, because an instance belongs to its thread.
    private func make() throws -> (people: People, all: LiveQuery) {
        let people = try People()
        return (people, LiveQuery(people.instance, .table, elementClass: people.managed))
    }

    @Test func aFilterFollowsTheVersionsOfItsInstance() throws {
        let (people, all) = try make()
        let old = all.filtered(try Predicate(parsing: "age >= 2"))
        #expect(old.keys() == [people.keys[2], people.keys[3]] && old.count == 2)
        try people.setAge(9, of: 0)
        #expect(old.count == 2)
        people.instance.refresh()
        #expect(old.keys() == [people.keys[0], people.keys[2], people.keys[3]] && old.count == 3)
    }

    @Test func elementsHaveKeysAndTheLocationsOfTheirRows() throws {
        let (people, all) = try make()
        let sorted = all.sorted(by: [SortKey(PropertyPath("age"), ascending: false)])
        guard case .object(let first, let place?)? = sorted.storedFirst else {
            Issue.record("no located object")
            return
        }
        #expect(first == people.keys[3] && place.row == 3)
        let (key, known) = try #require(all.storedObject(at: 1))
        #expect(key == people.keys[1] && known?.row == 1)
        guard case .value(.null) = sorted.storedElement(at: 4) else {
            Issue.record("an element after the last one")
            return
        }
    }

    @Test func aggregatesAndPositions() throws {
        let (people, all) = try make()
        #expect(all.count == people.keys.count && all.aggregate(.sum, "age") == .int(6))
        #expect(all.index(matching: try Predicate(parsing: "age == 2")) == 2)
        #expect(all.limited(to: 2).aggregate(.max, "age") == .int(1))
    }

    @Test func statementsAreCheckedAgainstTheTable() throws {
        let (people, all) = try make()
        let found = try all.applying(QueryStatement(parsing: "age > 0 SORT(age DESC) LIMIT(1)"))
        #expect(found.keys() == [people.keys[3]])
        #expect(throws: PredicateError.self) { try all.applying(QueryStatement(parsing: "height > 0")) }
    }

    @Test func theQueryOfADeletedOwnerIsEmpty() throws {
        let people = try People()
        let inverse = LiveQuery(
            people.instance, .backlinks(people.owner(3), people.backlinks), elementClass: people.managed)
        #expect(inverse.keys() == [people.keys[0]] && !inverse.isInvalidated)
        try people.instance.write { _ = try $0.removeObject(people.keys[3], from: people.managed.tableKey) }
        #expect(inverse.count == 0 && inverse.isInvalidated)
        #expect(people.database.log.texts.contains { $0.contains("'Person.befriendedBy' was read from a deleted") })
    }

    @Test func anInvalidatedInstanceEndsItsQueries() throws {
        let (people, all) = try make()
        #expect(all.count == 4)
        people.instance.invalidate()
        #expect(all.isInvalidated && all.keys().isEmpty)
    }
}
