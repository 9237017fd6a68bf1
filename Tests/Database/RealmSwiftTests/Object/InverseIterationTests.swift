// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmSwift

private final class PetKeeper: TestObject {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(originProperty: "keeper") var pets: LinkingObjects<KeptPet>
    @Persisted(originProperty: "sitter") var guests: LinkingObjects<KeptPet>
}

private final class KeptPet: TestObject {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var keeper: PetKeeper?
    @Persisted var sitter: PetKeeper?
}

/// Iterations reuse one query of an inverse property, and one cursor, for all objects if the program can't detect it.
struct InverseIterationTests {
    private static let keeperCount = 40
    private static let petCount = 2000

    /// PetKeeper `k` has the pets whose number has remainder `k`, which are scattered. The first ten keepers have them
    /// as guests.
    private func withPets(_ body: (Realm) throws -> Void) throws {
        try withRealm([PetKeeper.self, KeptPet.self], tracksReads: false) { realm in
            try realm.write {
                let keepers = (0..<Self.keeperCount).map { realm.create(PetKeeper.self, value: ["id": $0]) }
                for id in 0..<Self.petCount {
                    realm.create(
                        KeptPet.self,
                        value: ["id": id, "keeper": keepers[id % Self.keeperCount], "sitter": keepers[id % 10]]
                            as [String: Any])
                }
            }
            try body(realm)
        }
    }

    private func pets(of keeper: Int) -> [Int] { Array(stride(from: keeper, to: Self.petCount, by: Self.keeperCount)) }
    private func guests(of keeper: Int) -> [Int] {
        keeper < 10 ? Array(stride(from: keeper, to: Self.petCount, by: 10)) : []
    }

    private func ids(_ pets: LinkingObjects<KeptPet>) -> [Int] {
        var ids: [Int] = []
        for pet in pets { ids.append(pet.id) }
        return ids
    }

    @Test func eachObjectHasItsOwn() throws {
        try withPets { realm in
            for keeper in realm.objects(PetKeeper.self) {
                #expect(ids(keeper.pets) == pets(of: keeper.id))
                #expect(ids(keeper.guests) == guests(of: keeper.id))
                #expect(keeper.pets.count == pets(of: keeper.id).count)
                #expect(keeper.pets.first?.id == keeper.id)
                #expect(keeper.pets.last?.keeper?.id == keeper.id)
                #expect(keeper.pets.where { $0.id > 1000 }.count == pets(of: keeper.id).filter { $0 > 1000 }.count)
                #expect(keeper.pets == keeper.pets)
            }
            for keeper in realm.freeze().objects(PetKeeper.self) { #expect(ids(keeper.pets) == pets(of: keeper.id)) }
        }
    }

    @Test func keptCollectionsStayWithTheirObject() throws {
        try withPets { realm in
            var kept: [LinkingObjects<KeptPet>] = []
            var iterators: [RLMIterator<KeptPet>] = []
            var keptPets: [KeptPet] = []
            for keeper in realm.objects(PetKeeper.self) {
                if keeper.id % 3 == 0 { kept.append(keeper.pets) }
                if keeper.id % 4 == 0 { iterators.append(keeper.pets.makeIterator()) }
                for pet in keeper.pets where pet.id % 7 == 0 { keptPets.append(pet) }
                for filtered in [keeper.pets.filter("id > 1000")] where keeper.id == 5 {
                    #expect(filtered.count == pets(of: 5).filter { $0 > 1000 }.count)
                }
            }
            #expect(kept.map(ids) == stride(from: 0, to: Self.keeperCount, by: 3).map(pets))
            #expect(
                iterators.map { IteratorSequence($0).map(\.id) }
                    == stride(from: 0, to: Self.keeperCount, by: 4).map(pets))
            #expect(
                keptPets.map(\.id) == (0..<Self.keeperCount).flatMap { pets(of: $0).filter { $0 % 7 == 0 } })
        }
    }

    @Test func iterationsMayBeWithinEachOther() throws {
        try withPets { realm in
            for keeper in realm.objects(PetKeeper.self).where({ $0.id < 3 }) {
                var seen: [Int] = []
                for pet in keeper.pets {
                    seen.append(pet.id)
                    if pet.id % 16 == 0 { #expect(ids(keeper.pets) == pets(of: keeper.id)) }
                    if pet.id % 9 == 0 { #expect(pet.keeper.map { ids($0.guests) } == guests(of: keeper.id)) }
                }
                #expect(seen == pets(of: keeper.id))
            }
        }
    }

    /// An iteration keeps the elements of its start, and reads their current values.
    @Test func changesDuringAnIteration() throws {
        try withPets { realm in
            try realm.write {
                let last = realm.object(ofType: PetKeeper.self, forPrimaryKey: Self.keeperCount - 1)
                for keeper in realm.objects(PetKeeper.self).where({ $0.id < 20 }) {
                    for pet in keeper.pets {
                        if pet.id % 3 == 0 { pet.keeper = last }
                        if pet.id % 5 == 1 { realm.delete(pet) }
                    }
                    #expect(ids(keeper.pets).sorted() == pets(of: keeper.id).filter { $0 % 3 != 0 && $0 % 5 != 1 })
                }
            }
            var count = 0
            for keeper in realm.objects(PetKeeper.self) {
                for pet in keeper.pets {
                    #expect(pet.keeper?.id == keeper.id)
                    count += 1
                }
            }
            #expect(count == realm.objects(KeptPet.self).count)
        }
    }

    /// A link changed after its target was prefetched leads to the new target.
    @Test func linksThatChangeAfterTheyWereLookedAt() throws {
        try withPets { realm in
            let pets = Array(realm.objects(KeptPet.self))
            let target = realm.object(ofType: PetKeeper.self, forPrimaryKey: 7)
            try realm.write {
                for pet in realm.objects(KeptPet.self) where pet.id + 3 < Self.petCount {
                    let wanted = pet.id % 4 == 3 ? 7 : pet.id % Self.keeperCount
                    #expect(pet.keeper?.id == wanted)
                    if pet.id % 4 == 0 { pets[pet.id + 3].keeper = target }
                }
            }
        }
    }

    @Test func deletedOwnersHaveNoLinkingObjects() throws {
        try withPets { realm in
            try realm.write {
                for keeper in realm.objects(PetKeeper.self) where keeper.id % 2 == 0 {
                    let pets = keeper.pets
                    #expect(pets.count == 50)
                    realm.delete(keeper)
                    #expect(pets.isInvalidated)
                    #expect(ids(pets).isEmpty)
                    #expect(ids(keeper.pets).isEmpty)
                    #expect(keeper.pets.count == 0)
                }
            }
            for keeper in realm.objects(PetKeeper.self) { #expect(ids(keeper.pets) == pets(of: keeper.id)) }
        }
    }
}
