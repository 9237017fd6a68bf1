// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

@Suite struct FreezingTests: TrapSuite {
    @Test(.behaviour("B-280")) func frozenObjectsKeepTheirValuesOnAllThreads() throws {
        let file = try LiveFile()
        let realm = try file.realm()
        let dog = try makeDog(realm)
        let before = account(dog)
        let frozen = dog.freeze()
        #expect(frozen.isFrozen && !dog.isFrozen)
        try realm.write {
            dog.name = "Changed"
            dog.nicknames.removeAll()
            dog.friends.removeAll()
            dog.toys.removeAll()
            dog.toy = nil
            dog.home = nil
            dog.remark = .none
            realm.delete(realm.objects(LiveDog.self).where { $0.id == 2 })
        }
        #expect(dog.name == "Changed")
        #expect(account(frozen) == before)
        let shared = UncheckedBox(frozen)
        for _ in 0..<4 { #expect(try onThread { account(shared.value) } == before) }
        #expect(frozen.friends.isFrozen && frozen.tricks.isFrozen && frozen.notes.isFrozen)
        #expect(frozen.befriendedBy.isFrozen && frozen.toy?.isFrozen == true && frozen.home?.isFrozen == true)
        #expect(frozen.remark.listValue?.isFrozen == true)
        #expect(frozen.realm?.isFrozen == true)
        try file.audit()
    }

    @Test(.behaviour("B-281", "B-282", "B-283", "B-287", "B-238"), arguments: traps)
    func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap("Unmanaged objects cannot be frozen.") { _ = LiveDog().freeze() },
        Trap("Unmanaged objects cannot be thawed.") { _ = LiveDog().thaw() },
        Trap("This method may only be called on RLMArray instances retrieved from an RLMRealm") {
            _ = LiveDog().friends.freeze()
        },
        Trap("Attempting to modify a frozen object - call thaw on the Object instance first.") {
            inRealm(liveTypes) { realm in
                let dog = try makeDog(realm).freeze()
                realm.beginWrite()
                dog.name = "Max"
            }
        },
        Trap("Cannot freeze an object in the same write transaction as it was created in.") {
            inWrite(liveTypes) { realm in _ = realm.create(LiveDog.self, value: ["id": 1]).freeze() }
        },
        Trap("Object has been deleted or invalidated.") {
            inRealm(liveTypes) { realm in
                let dog = try makeDog(realm)
                try realm.write { realm.delete(dog) }
                _ = dog.freeze()
            }
        },
        Trap("Cannot modify managed List outside of a write transaction.") {
            inRealm(liveTypes) { realm in
                let list = try makeDog(realm).nicknames.freeze()
                realm.beginWrite()
                list.append("x")
            }
        },
        Trap("Can't perform transactions on a frozen Realm") {
            inRealm(liveTypes) { realm in try realm.freeze().write {} }
        },
        Trap("Auto-refresh cannot be enabled for frozen Realms.") {
            inRealm(liveTypes) { realm in realm.freeze().autorefresh = true }
        },
        Trap("Cannot read from a frozen Realm which has been invalidated.") {
            inRealm(liveTypes) { realm in
                let frozen = try makeDog(realm).freeze()
                print(frozen.age)
                frozen.realm?.invalidate()
                print(frozen.age)
            }
        },
    ]

    @Test(.behaviour("B-284", "B-285")) func thawingFindsTheRowOrNothing() throws {
        try withRealm(liveTypes) { realm in
            let dog = try makeDog(realm)
            let frozen = dog.freeze()
            #expect(frozen.freeze() === frozen)
            #expect(dog.thaw() === dog)
            #expect(frozen.thaw() == dog)
            #expect(frozen.thaw()?.isFrozen == false)
            #expect(realm.freeze(dog) == frozen)
            #expect(realm.thaw(frozen) == dog)
            let home = try #require(frozen.home)
            #expect(home.thaw()?.city == "Oslo")
            let (list, set, map) = (frozen.friends, frozen.tricks, frozen.notes)
            let inverse = frozen.befriendedBy
            #expect(list.thaw() == dog.friends && set.thaw() == dog.tricks && map.thaw() == dog.notes)
            #expect(inverse.thaw()?.map(\.id) == [1])
            #expect(frozen.remark.listValue?.thaw()?.count == 2)
            let nested = try #require(frozen.remark.listValue)
            try realm.write { dog.remark = .int(1) }
            #expect(nested.thaw() == nil && nested.count == 2)
            try realm.write { realm.delete(dog) }
            #expect(frozen.thaw() == nil && home.thaw() == nil)
            #expect(list.thaw() == nil && set.thaw() == nil && map.thaw() == nil && inverse.thaw() == nil)
            #expect(frozen.name == "Rex")
        }
    }

    @Test(.behaviour("B-286")) func frozenCollectionsStayAndGiveFrozenResults() throws {
        try withRealm(liveTypes) { realm in
            let dog = try makeDog(realm)
            let dogs = realm.objects(LiveDog.self)
            let old = dogs.where { $0.age > 4 }
            let (frozen, frozenOld, frozenList) = (dogs.freeze(), old.freeze(), realm.freeze(dog.friends))
            #expect(frozen.isFrozen && frozenOld.isFrozen && frozenList.isFrozen)
            try realm.write {
                for id in 3..<10 { realm.create(LiveDog.self, value: ["id": id, "age": id]) }
                dog.friends.removeAll()
            }
            #expect(frozen.count == 2 && frozenOld.count == 1 && frozenList.count == 2)
            #expect(dogs.count == 9)
            let sorted = frozen.sorted(byKeyPath: "age", ascending: false)
            #expect(sorted.isFrozen && sorted.map(\.id) == [2, 1] && sorted[0].isFrozen)
            #expect(frozenList.where { $0.id == 1 }.isFrozen)
            #expect(frozenList.sorted(byKeyPath: "id").map(\.id) == [1, 2])
            #expect(frozen.first?.id == 1 && frozen.last?.id == 2 && frozenOld.first?.id == 2)
            #expect(frozenOld.thaw()?.count == 6 && frozen.thaw()?.isFrozen == false)
            #expect(frozen.sum(of: \.age) == 8 && frozen.index(of: frozen[1]) == 1)
            #expect(frozen.distinct(by: ["age"]).count == 2)
            #expect(dog.nicknames.freeze().sorted(ascending: false).map { $0 } == ["Rexy", "R"])
        }
    }

    @Test(.behaviour("B-288", "B-289")) func frozenRealmsDoNotChange() throws {
        try withRealm(liveTypes) { realm in
            let dog = try makeDog(realm)
            let frozen = realm.freeze()
            #expect(frozen.isFrozen && frozen == realm.freeze() && frozen.freeze() == frozen)
            #expect(frozen.objects(LiveDog.self).isFrozen && !frozen.refresh() && !frozen.autorefresh)
            try realm.write { dog.age = 10 }
            #expect(realm.freeze() != frozen)
            #expect(frozen.object(ofType: LiveDog.self, forPrimaryKey: 1)?.age == 3)
            #expect(realm.freeze().object(ofType: LiveDog.self, forPrimaryKey: 1)?.age == 10)
            #expect(frozen.thaw() == realm && realm.thaw() == realm)
            #expect(!frozen.isInWriteTransaction && !frozen.isEmpty)
            let labels = try realm.pins().map(\.label)
            #expect(labels.contains { $0.contains("frozen") })
        }
    }

    @Test func aFrozenRealmOfAWriteIsTheVersionItBeganWith() throws {
        try withRealm(liveTypes) { realm in
            let dog = try makeDog(realm)
            try realm.write {
                dog.age = 20
                let frozen = realm.freeze()
                #expect(frozen.object(ofType: LiveDog.self, forPrimaryKey: 1)?.age == 3)
                #expect(dog.freeze().age == 3 && realm.objects(LiveDog.self).freeze().sum(of: \.age) == 8)
            }
            #expect(dog.freeze().age == 20)
        }
    }

    @Test(.behaviour("B-290")) func frozenObjectsOfOneRowAndVersionAreEqual() throws {
        try withRealm(liveTypes) { realm in
            let toy = try #require(try makeDog(realm).toy)
            let (first, second) = (toy.freeze(), toy.freeze())
            #expect(first !== second && first == second && first.hashValue == second.hashValue)
            #expect(Set([first, second]).count == 1)
            try realm.write { toy.name = "bone" }
            #expect(toy.freeze() != first)
        }
    }

    @Test func frozenVersionsArePinnedOnceEach() throws {
        try withRealm(liveTypes) { realm in
            let dog = try makeDog(realm)
            var frozen: [LiveDog] = []
            for age in 0..<3 {
                try realm.write { dog.age = age }
                for _ in 0..<5 { frozen.append(dog.freeze()) }
            }
            #expect(frozen.map(\.age) == [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2])
            let pins = try realm.pins().filter { $0.label.contains("frozen") }
            #expect(pins.count == 3 && pins.map(\.holders) == [1, 1, 2])
            frozen = []
            #expect(try realm.pins().allSatisfy { !$0.label.contains("frozen") })
        }
    }
}
