// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmTestSupport
import Testing

@testable import RealmSwift

/// Uses of deleted objects that used to crash apps (design decision 8).
@Suite struct SurvivalTests {
    @Test func aDetailOutlivesItsRow() throws {
        let file = try LiveFile()
        let realm = try file.realm()
        let dog = try makeDog(realm)
        let (friends, tricks, notes, inverse) = (dog.friends, dog.tricks, dog.notes, dog.befriendedBy)
        let (toy, home, remark) = (try #require(dog.toy), try #require(dog.home), dog.remark)
        #expect(friends.count == 2)
        try file.elsewhere { realm in try realm.write { realm.deleteAll() } }
        #expect(dog.name == "Rex")
        realm.refresh()
        #expect(dog.isInvalidated && dog.name == "" && dog.age == 0 && dog.toy == nil && dog.home == nil)
        #expect(friends.isEmpty && friends.first == nil && Array(friends).isEmpty && friends.isInvalidated)
        #expect(tricks.isEmpty && !tricks.contains("roll") && notes.count == 0 && notes["a"] == nil)
        #expect(inverse.isEmpty && toy.name == "" && home.city == "" && remark.listValue?.count == 0)
        #expect(dog.description == "[invalid object]" && dog.thaw() === dog)
    }

    @Test func loopsOutliveTheirCollections() throws {
        try withRealm(liveTypes) { realm in
            let dog = try makeDog(realm)
            var names: [String] = []
            try realm.write {
                for friend in dog.friends {
                    names.append(friend.name)
                    realm.delete(realm.objects(LiveDog.self).where { $0.id == 2 })
                }
            }
            #expect(names.count == 2)
            var ids: [Int] = []
            try realm.write { for id in 10..<2000 { realm.create(LiveDog.self, value: ["id": id]) } }
            for dog in realm.objects(LiveDog.self) {
                ids.append(dog.id)
                if ids.count == 5 { try realm.write { realm.deleteAll() } }
            }
            #expect(ids.count == 1991 && ids.suffix(1980).allSatisfy { $0 == 0 })
        }
    }

    @Test func everyLoopOutlivesInvalidation() throws {
        try withRealm(liveTypes) { realm in
            let dog = try makeDog(realm)
            for _ in dog.nicknames { realm.invalidate() }
            #expect(dog.nicknames.isEmpty && dog.isInvalidated)
        }
        try withRealm(liveTypes) { realm in
            _ = try makeDog(realm)
            var count = 0
            for dog in realm.objects(LiveDog.self) {
                realm.invalidate()
                #expect(dog.isInvalidated && dog.name == "")
                count += 1
            }
            #expect(count == 2)
        }
    }

    @Test func frozenRowsServeAnOldIndex() throws {
        let file = try LiveFile()
        let realm = try file.realm()
        _ = try makeDog(realm)
        let rows = realm.objects(LiveDog.self).sorted(byKeyPath: "id").freeze()
        let count = rows.count
        try file.elsewhere { realm in try realm.write { realm.deleteAll() } }
        realm.refresh()
        // The index and the rows come from the older version.
        #expect((0..<count).map { rows[$0].name } == ["Rex", "Max"])
        #expect(rows[1].thaw() == nil && rows.thaw()?.isEmpty == true)
    }

    @Test func frozenThingsOutliveTheirRealm() throws {
        let file = try LiveFile()
        let before = Locked("")
        let frozen = try onThread {
            let dog = try makeDog(try file.realm())
            before.withLock { $0 = account(dog) }
            return Frozen(dog)
        }
        #expect(account(frozen.value) == before.withLock { $0 })
        for name in 0..<5 { try file.set(name: "\(name)") }
        #expect(account(frozen.value) == before.withLock { $0 })
    }
}
