// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

@Suite struct RealmWriteTests: TrapSuite {
    private static let types: [ObjectBase.Type] = [LifeDog.self, LifeToy.self, LifeAddress.self]

    private struct Failure: Error {}

    @Test(.behaviour("B-230")) func anErrorRollsBackAndIsThrownOn() throws {
        try withRealm(Self.types) { realm in
            #expect(throws: Failure.self) {
                try realm.write {
                    realm.add(LifeDog(value: ["id": 1]))
                    throw Failure()
                }
            }
            #expect(realm.isEmpty && !realm.isInWriteTransaction)
            let dog = try realm.write { realm.create(LifeDog.self, value: ["id": 2]) }
            #expect(dog.id == 2)
        }
    }

    @Test(.behaviour("B-153", "B-158", "B-159")) func updatePolicies() throws {
        try withRealm(Self.types) { realm in
            try realm.write {
                realm.create(LifeDog.self, value: ["id": 1, "name": "Rex", "weight": 3.5, "toy": ["name": "ball"]])
                realm.create(LifeDog.self, value: ["id": 1, "name": "Max"], update: .modified)
            }
            let dog = try #require(realm.object(ofType: LifeDog.self, forPrimaryKey: 1))
            #expect(dog.name == "Max" && dog.weight == 3.5 && dog.toy?.name == "ball")
            try realm.write { realm.add(LifeDog(value: ["id": 1, "name": "Bo"]), update: .all) }
            #expect(dog.name == "Bo" && dog.weight == 0 && dog.toy == nil)
            try realm.write { realm.create(LifeDog.self, value: ["id": 1, "age": NSNull()], update: .all) }
            #expect(dog.age == nil && dog.name == "Bo")
            #expect(realm.objects(LifeDog.self).count == 1)
        }
    }

    @Test func graphsAndCyclesAreAdded() throws {
        try withRealm(Self.types) { realm in
            let first = LifeDog(value: ["id": 1])
            let second = LifeDog(value: ["id": 2])
            first.friend = second
            second.friend = first
            second.friends.append(first)
            try realm.write { realm.add(first) }
            #expect(second.realm == realm && second.friend == first)
            #expect(first.befriendedBy.count == 1 && first.befriendedBy.first == second)
            try realm.write { second.friends.removeAll() }
            #expect(first.befriendedBy.isEmpty)
        }
    }

    @Test func embeddedObjectsFollowTheirParent() throws {
        try withRealm(Self.types) { realm in
            let dog = LifeDog(value: ["id": 1, "home": ["city": "Oslo"]])
            try realm.write { realm.add(dog) }
            let home = try #require(dog.home)
            try realm.write { dog.home = LifeAddress(value: ["city": "Rome"]) }
            #expect(home.isInvalidated && dog.home?.city == "Rome")
            let second = try #require(dog.home)
            try realm.write { realm.delete(dog) }
            #expect(second.isInvalidated && realm.isEmpty)
        }
    }

    @Test(.behaviour("B-182", "B-183")) func deletedObjectsReadAsEmpty() throws {
        try withRealm(Self.types) { realm in
            let dog = LifeDog(value: ["id": 1, "name": "Rex", "age": 3, "nicknames": ["a", "b"]])
            try realm.write { realm.add(dog) }
            let nicknames = dog.nicknames
            try realm.write { realm.delete(dog) }
            #expect(dog.isInvalidated && dog.name == "" && dog.age == nil && dog.size == .small)
            #expect(dog.toy == nil && dog.nicknames.isEmpty && nicknames.isInvalidated && nicknames.count == 0)
            #expect(dog.description == "[invalid object]")
        }
    }

    @Test func anotherThreadsCommitIsSeenAfterRefresh() throws {
        let folder = try TemporaryFolder()
        let configuration = Realm.Configuration(
            fileURL: URL(fileURLWithPath: folder.path + "/threads.realm"), objectTypes: Self.types)
        let realm = try Realm(configuration: configuration)
        let dogs = realm.objects(LifeDog.self)
        #expect(dogs.count == 0 && !realm.refresh())
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            let other = try? Realm(configuration: configuration)
            try? other?.write { other?.add(LifeDog(value: ["id": 1])) }
            done.signal()
        }
        done.wait()
        #expect(dogs.count == 0)
        #expect(realm.refresh() && dogs.count == 1)
    }

    @Test(.behaviour("B-191")) func deleteAllKeepsTheSchema() throws {
        try withRealm(Self.types) { realm in
            try realm.write {
                realm.add((1...5).map { LifeDog(value: ["id": $0, "toy": ["name": "t"], "home": ["city": "c"]]) })
                realm.deleteAll()
            }
            #expect(realm.isEmpty && realm.schema["LifeDog"] != nil)
        }
    }

    // MARK: Programmer errors

    @Test(.behaviour("B-152", "B-173", "B-181", "B-231", "B-232", "B-262"), arguments: traps)
    func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap("Attempting to create an object of type 'LifeDog' with an existing primary key value '7'") {
            try withRealm([LifeDog.self, LifeToy.self, LifeAddress.self]) { realm in
                try realm.write {
                    realm.add(LifeDog(value: ["id": 7]))
                    realm.add(LifeDog(value: ["id": 7]))
                }
            }
        },
        Trap("Attempting to modify object outside of a write transaction") {
            try withRealm([LifeDog.self, LifeToy.self, LifeAddress.self]) { realm in
                let dog = try realm.write { realm.create(LifeDog.self, value: ["id": 1]) }
                dog.name = "x"
            }
        },
        Trap("Object has been deleted or invalidated.") {
            try withRealm([LifeDog.self, LifeToy.self, LifeAddress.self]) { realm in
                try realm.write {
                    let dog = realm.create(LifeDog.self, value: ["id": 1])
                    realm.delete(dog)
                    dog.name = "x"
                }
            }
        },
        Trap("Object has been deleted or invalidated.") {
            var configuration = Realm.Configuration(
                inMemoryIdentifier: "trap", objectTypes: [LifeDog.self, LifeToy.self, LifeAddress.self])
            configuration.access.invalidated = .trap
            let realm = try Realm(configuration: configuration)
            let dog = try realm.write { realm.create(LifeDog.self, value: ["id": 1]) }
            try realm.write { realm.delete(dog) }
            _ = dog.name
        },
        Trap("The Realm is already in a write transaction") {
            try withRealm([LifeDog.self, LifeToy.self, LifeAddress.self]) { realm in
                realm.beginWrite()
                realm.beginWrite()
            }
        },
        Trap("Can't commit a non-existing write transaction") {
            try withRealm([LifeDog.self, LifeToy.self, LifeAddress.self]) { try $0.commitWrite() }
        },
        Trap("Invalid value 'one' of type 'String' for 'int' property 'LifeDog.id'.") {
            try withRealm([LifeDog.self, LifeToy.self, LifeAddress.self]) { realm in
                _ = realm.object(ofType: LifeDog.self, forPrimaryKey: "one")
            }
        },
    ]
}
