// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

final class DeletedPerson: TestObject {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var name: String
    @Persisted var age: Int
    @Persisted var scores: List<Double>
}

private final class LinkedItem: TestObject {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var link: LinkedItem?
    @Persisted var items: List<LinkedItem>
}

/// Deleting objects (behaviours B-184 to B-192). The rows of objects without links that are deleted one by one are
/// removed together later, which reads in between don't reveal.
@Suite struct DeletionTests: TrapSuite {
    @Test(arguments: [false, true]) func amongReadsAndChanges(_ tracksReads: Bool) throws {
        try withRealm([DeletedPerson.self], tracksReads: tracksReads) { realm in
            var generator = SeededGenerator(for: "deletions among reads, \(tracksReads)")
            var ages: [Int: Int] = [:]
            try realm.write {
                for id in 0..<1000 {
                    DeletionTests.add(id, to: realm)
                    ages[id] = id % 90
                }
            }
            var held: [Int: DeletedPerson] = [:]
            for _ in 0..<5 {
                try realm.write {
                    for _ in 0..<200 {
                        let id = generator.below(1000)
                        let person = realm.object(ofType: DeletedPerson.self, forPrimaryKey: id)
                        #expect((person != nil) == (ages[id] != nil))
                        guard let person else {
                            if generator.chance(5) {
                                DeletionTests.add(id, to: realm)
                                ages[id] = id % 90
                                held[id] = nil
                            }
                            continue
                        }
                        switch generator.below(12) {
                        case 0:
                            person.age += 100
                            ages[id]? += 100
                        case 1: held[id] = person
                        case 2:
                            #expect(person.age == ages[id])
                            #expect(person.scores.first == Double(id))
                        case 3:
                            let other = realm.object(ofType: DeletedPerson.self, forPrimaryKey: id)
                            realm.delete(person)
                            #expect(other?.isInvalidated == true && other?.age == 0)
                            ages[id] = nil
                        case 4:
                            let few = Array(realm.objects(DeletedPerson.self).where { $0.age == (ages[id] ?? 0) })
                            for other in few { ages[other.id] = nil }
                            realm.delete(few)
                        default:
                            realm.delete(person)
                            ages[id] = nil
                        }
                        if generator.chance(5) { #expect(realm.objects(DeletedPerson.self).count == ages.count) }
                    }
                    for (id, person) in held {
                        #expect(person.isInvalidated == (ages[id] == nil))
                        if !person.isInvalidated { #expect(person.id == id && person.age == ages[id]) }
                    }
                }
                held = held.filter { !$0.value.isInvalidated }
                let people = realm.objects(DeletedPerson.self)
                #expect(Dictionary(uniqueKeysWithValues: people.map { ($0.id, $0.age) }) == ages)
            }
        }
    }

    /// A cancelled write restores all objects, and objects found during it are valid afterwards.
    @Test func cancelled() throws {
        try withRealm([DeletedPerson.self]) { realm in
            try realm.write { for id in 0..<300 { DeletionTests.add(id, to: realm) } }
            realm.beginWrite()
            for id in 0..<200 {
                realm.object(ofType: DeletedPerson.self, forPrimaryKey: id).map { realm.delete($0) }
            }
            let survivor = realm.object(ofType: DeletedPerson.self, forPrimaryKey: 250)
            realm.cancelWrite()
            #expect(realm.objects(DeletedPerson.self).count == 300)
            #expect(survivor?.name == "name 250")
        }
    }

    private static func add(_ id: Int, to realm: Realm) {
        let person = DeletedPerson()
        person.id = id
        person.name = "name \(id)"
        person.age = id % 90
        person.scores.append(Double(id))
        realm.add(person)
    }

    @Test(.behaviour("B-184", "B-190")) func linksToADeletedObject() throws {
        try withRealm(ruleTypes) { realm in
            let dog = RuleDog(value: ["id": 1, "toy": ["id": 1, "next": ["id": 2]], "home": ["city": "Oslo"]])
            try realm.write { realm.add(dog) }
            let toy = try #require(dog.toy)
            let home = try #require(dog.home)
            try realm.write {
                dog.toys.append(toy)
                dog.toysByName["a"] = toy
                realm.delete(toy)
            }
            #expect(dog.toy == nil && dog.toys.isEmpty && toy.isInvalidated)
            // The entry of a map stays, with a null value.
            #expect(dog.toysByName.keys == ["a"] && dog.toysByName["a"] == .some(nil))
            #expect(realm.objects(RuleToy.self).map(\.id) == [2])
            try realm.write { realm.delete(dog) }
            #expect(home.isInvalidated && realm.objects(RuleDog.self).isEmpty)
            #expect(realm.objects(RuleToy.self).count == 1)
        }
    }

    private static let foreign = "Can only delete an object from the Realm it belongs to."

    @Test(.behaviour("B-185", "B-186"), arguments: traps) func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap(Self.foreign) { inWrite(ruleTypes) { $0.delete(RuleBall()) } },
        Trap(Self.foreign) {
            inWrite(ruleTypes) { first in
                let ball = first.create(RuleBall.self)
                inWrite(ruleTypes) { second in second.delete(ball) }
            }
        },
        Trap(Self.foreign) {
            inWrite(ruleTypes) { first in
                first.create(RuleBall.self)
                let balls = first.objects(RuleBall.self)
                inWrite(ruleTypes) { second in second.delete(balls) }
            }
        },
        Trap(Self.foreign) {
            inWrite(ruleTypes) { realm in
                let ball = realm.create(RuleBall.self)
                realm.delete(ball)
                realm.delete(ball)
            }
        },
        Trap("Can only add, remove, or create objects in a Realm in a write transaction") {
            inRealm(ruleTypes) { realm in
                let ball = try realm.write { realm.create(RuleBall.self) }
                realm.delete(ball)
            }
        },
    ]

    @Test(.behaviour("B-187")) func filteredResults() throws {
        try withRealm(ruleTypes) { realm in
            try realm.write { realm.add((1...20).map { RuleDog(value: ["id": $0, "age": $0]) }) }
            let old = realm.objects(RuleDog.self).where { $0.age > 5 }
            try realm.write { realm.delete(old) }
            #expect(old.isEmpty && realm.objects(RuleDog.self).map(\.id) == [1, 2, 3, 4, 5])
        }
    }

    @Test(.behaviour("B-191")) func deleteAll() throws {
        try withRealm(ruleTypes) { realm in
            try realm.write { realm.add(RuleDog(value: ["id": 1, "toy": ["id": 2], "home": ["city": "Oslo"]])) }
            let names = realm.schema.objectSchema.map(\.className)
            #expect(!realm.isEmpty && names.count == ruleTypes.count)
            try realm.write { realm.deleteAll() }
            #expect(realm.isEmpty && realm.schema.objectSchema.map(\.className) == names)
            #expect(realm.objects(RuleToy.self).isEmpty)
        }
    }

    @Test(.behaviour("B-192")) func anArrayOfResults() throws {
        try withRealm(ruleTypes) { realm in
            try realm.write { realm.add((1...5).map { RuleDog(value: ["id": $0]) }) }
            let array = Array(realm.objects(RuleDog.self).where { $0.id > 1 })
            try realm.write { realm.delete(array) }
            #expect(realm.objects(RuleDog.self).map(\.id) == [1] && array.allSatisfy(\.isInvalidated))
        }
    }

    @Test(.behaviour("R105")) func anObjectWithManyIncomingLinksIsDeleted() throws {
        try withRealm([LinkedItem.self]) { realm in
            try realm.write {
                let target = realm.create(LinkedItem.self, value: ["id": 0])
                let list = realm.create(LinkedItem.self, value: ["id": -1])
                for id in 1...4_000 {
                    realm.create(LinkedItem.self, value: ["id": id, "link": target] as [String: Any])
                    list.items.append(target)
                }
            }
            try realm.write { realm.delete(realm.object(ofType: LinkedItem.self, forPrimaryKey: 0)!) }
            #expect(realm.objects(LinkedItem.self).where { $0.link != nil }.isEmpty)
            #expect(realm.object(ofType: LinkedItem.self, forPrimaryKey: -1)?.items.isEmpty == true)
        }
    }
}
