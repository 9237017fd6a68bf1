// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import TestTraits
import Testing

@testable import RealmSwift

private final class Owner: TestObject {
    @Persisted var name: String
    @Persisted var pet: Kitten?
    @Persisted var pets: List<Kitten>
    @Persisted var friend: Owner?
    @Persisted var home: Abode?
    @Persisted var holidayHome: Abode?
    @Persisted var homes: List<Abode>
    @Persisted var homeMap: Map<String, Abode?>
    @Persisted var rank: Int

    static let types: [ObjectBase.Type] = [Owner.self, Kitten.self, Abode.self, Room.self]
}

private final class Kitten: TestObject {
    @Persisted var name: String
    @Persisted var age: Int
    @Persisted(originProperty: "pets") var owners: LinkingObjects<Owner>

    convenience init(_ name: String) { self.init(value: ["name": name]) }
}

private final class Abode: TestEmbedded {
    @Persisted var city: String
    @Persisted var rooms: List<Room>
    @Persisted(originProperty: "home") var owners: LinkingObjects<Owner>

    convenience init(_ city: String) { self.init(value: ["city": city]) }
}

private final class Room: TestEmbedded {
    @Persisted var name: String
}

/// Links, inverse links and embedded objects (behaviours B-041 to B-072).
@Suite struct RelationshipTests: TrapSuite {
    private func withOwner(_ body: (Realm, Owner) throws -> Void) throws {
        try withRealm(Owner.types) { realm in
            let owner = Owner()
            try realm.write { realm.add(owner) }
            try body(realm, owner)
        }
    }

    private func rows(_ type: ObjectBase.Type, _ realm: Realm) -> Int {
        realm.instance.allKeys(of: realm.instance.requireManaged(type)).count
    }

    @Test(.behaviour("B-045")) func settingALinkToNilKeepsTheTarget() throws {
        try withOwner { realm, owner in
            try realm.write {
                owner.pet = Kitten("a")
                owner.pet = nil
            }
            #expect(owner.pet == nil && realm.objects(Kitten.self).count == 1)
        }
    }

    @Test(.behaviour("B-046", "B-047")) func deletedTargetsVanish() throws {
        try withOwner { realm, owner in
            let (first, second) = (Kitten("a"), Kitten("b"))
            try realm.write {
                owner.pet = first
                owner.pets.append(objectsIn: [first, second, first])
            }
            try realm.write { realm.delete(first) }
            #expect(owner.pet == nil && owner.pets.map(\.name) == ["b"] && first.isInvalidated)
        }
    }

    @Test(.behaviour("B-050", "B-051", "B-052")) func graphsAreAdded() throws {
        try withOwner { realm, owner in
            let (other, kitten) = (Owner(), Kitten("a"))
            other.pet = kitten
            other.friend = other
            try realm.write { realm.add(other) }
            #expect(other.realm == realm && kitten.realm == realm)
            #expect(other.friend?.isSameObject(as: other) == true)
            let late = Kitten("b")
            let third = Owner()
            third.friend = other
            try realm.write {
                owner.pet = late
                owner.friend = third
            }
            #expect(late.realm == realm && third.realm == realm && owner.pet?.isSameObject(as: late) == true)
            try realm.write { late.age = 3 }
            #expect(owner.pet?.age == 3 && realm.objects(Kitten.self).count == 2)
            #expect(realm.objects(Owner.self).count == 3)
        }
    }

    @Test(.behaviour("B-054", "B-055")) func inversesFollowEveryChange() throws {
        try withOwner { realm, owner in
            let kitten = Kitten("a")
            try realm.write { realm.add(kitten) }
            let owners = kitten.owners
            #expect(owners.count == 0 && owners.isEmpty && owners.first == nil)
            try realm.write {
                owner.pets.append(kitten)
                #expect(owners.count == 1)
                owner.pets.append(kitten)
                #expect(owners.count == 2 && kitten.owners.count == 2)
                owner.pets.remove(at: 0)
            }
            #expect(owners.count == 1 && owners.first?.isSameObject(as: owner) == true)
            try realm.write { owner.pets.removeAll() }
            #expect(owners.count == 0)
            try realm.write { owner.pets.append(kitten) }
            try realm.write { realm.delete(owner) }
            #expect(owners.count == 0)
        }
    }

    @Test(.behaviour("B-060")) func inversesAreCollections() throws {
        try withOwner { realm, owner in
            let kitten = Kitten("a")
            try realm.write {
                for (rank, name) in ["c", "a", "b"].enumerated() {
                    let owner = realm.create(Owner.self, value: ["name": name, "rank": rank])
                    owner.pets.append(kitten)
                    owner.pet = kitten
                }
                kitten.age = 4
            }
            #expect(kitten.owners.sorted(byKeyPath: "name").map(\.name) == ["a", "b", "c"])
            #expect(kitten.owners.filter("name > 'a'").count == 2 && kitten.owners.where { $0.name == "b" }.count == 1)
            #expect(kitten.owners.max(ofProperty: "rank") == 2 as Int? && kitten.owners.index(of: owner) == nil)
            #expect(realm.objects(Kitten.self).filter("owners.@count == 3").count == 1)
            #expect(realm.objects(Kitten.self).filter("ANY owners.name == 'c'").count == 1)
        }
    }

    // MARK: Embedded objects

    @Test(.behaviour("B-061")) func deletingTheParentDeletesThroughAnyDepth() throws {
        try withOwner { realm, owner in
            let (home, room) = (Abode("Oslo"), Room(value: ["name": "kitchen"]))
            home.rooms.append(room)
            try realm.write { owner.home = home }
            #expect(home.realm == realm && room.realm == realm && rows(Room.self, realm) == 1)
            try realm.write { realm.delete(owner) }
            #expect(home.isInvalidated && room.isInvalidated)
            #expect(rows(Abode.self, realm) == 0 && rows(Room.self, realm) == 0)
        }
    }

    @Test(.behaviour("B-062", "B-063")) func assigningReplaces() throws {
        try withOwner { realm, owner in
            let first = Abode("Oslo")
            try realm.write {
                owner.home = first
                owner.home = Abode("Rome")
            }
            #expect(first.isInvalidated && owner.home?.city == "Rome" && rows(Abode.self, realm) == 1)
            let second = try #require(owner.home)
            try realm.write { owner.home = nil }
            #expect(second.isInvalidated && owner.home == nil && rows(Abode.self, realm) == 0)
        }
    }

    @Test(.behaviour("B-064", "B-065"), arguments: traps) func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap("Can't set link to existing managed embedded object") {
            inWrite(Owner.types) { realm in
                let owner = realm.create(Owner.self, value: ["home": ["city": "Oslo"]])
                realm.create(Owner.self).home = owner.home
            }
        },
        Trap("Can't set link to existing managed embedded object") {
            inWrite(Owner.types) { realm in
                let owner = realm.create(Owner.self, value: ["home": ["city": "Oslo"]])
                owner.holidayHome = owner.home
            }
        },
        Trap("Cannot add an existing managed embedded object to a List.") {
            inWrite(Owner.types) { realm in
                let owner = realm.create(Owner.self, value: ["home": ["city": "Oslo"]])
                if let home = owner.home { owner.homes.append(home) }
            }
        },
        Trap("Cannot add an existing managed embedded object to a Dictionary.") {
            inWrite(Owner.types) { realm in
                let owner = realm.create(Owner.self, value: ["home": ["city": "Oslo"]])
                owner.homeMap["a"] = owner.home
            }
        },
    ]

    @Test(.behaviour("B-066")) func assigningToItsOwnPlaceChangesNothing() throws {
        try withOwner { realm, owner in
            let home = Abode("Oslo")
            try realm.write { owner.home = home }
            try realm.write { owner.home = owner.home }
            #expect(!home.isInvalidated && owner.home?.isSameObject(as: home) == true && rows(Abode.self, realm) == 1)
        }
    }

    @Test(.behaviour("B-067")) func leavingAListDeletes() throws {
        try withOwner { realm, owner in
            let homes = ["a", "b", "c"].map { Abode($0) }
            try realm.write { owner.homes.append(objectsIn: homes) }
            try realm.write { owner.homes.remove(at: 1) }
            #expect(homes.map(\.isInvalidated) == [false, true, false] && rows(Abode.self, realm) == 2)
            try realm.write { owner.homes.removeAll() }
            #expect(homes.allSatisfy(\.isInvalidated) && rows(Abode.self, realm) == 0)
        }
    }

    @Test(.behaviour("B-071", "B-072")) func parentOfAnEmbeddedObject() throws {
        try withOwner { realm, owner in
            try realm.write { owner.home?.city = "nowhere" }
            #expect(owner.home == nil && rows(Abode.self, realm) == 0)
            try realm.write { owner.home = Abode("Oslo") }
            #expect(owner.home?.owners.count == 1 && owner.home?.owners.first?.isSameObject(as: owner) == true)
            try realm.write { owner.homes.append(Abode("Rome")) }
            #expect(owner.homes[0].owners.count == 0)
        }
    }

    // MARK: Rejected schemas

    final class NoOriginProperty: TestObject {
        @Persisted(originProperty: "missing") var owners: LinkingObjects<NoOriginProperty>
        @Persisted var a: Int
    }

    final class KeyedEmbedded: TestEmbedded {
        @Persisted(primaryKey: true) var id: Int
    }

    @Test(.behaviour("B-058", "B-068")) func validation() throws {
        #expect {
            try withRealm([NoOriginProperty.self]) { _ in }
        } throws: {
            "\($0)".contains(
                "declared as origin of linking objects property 'NoOriginProperty.owners' does not exist")
        }
        #expect {
            try withRealm([KeyedEmbedded.self]) { _ in }
        } throws: { "\($0)".contains("Embedded object type 'KeyedEmbedded' cannot have a primary key.") }
    }
}
