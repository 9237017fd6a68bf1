// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

/// Deleting objects (behaviours B-184 to B-192). Separate suites test collections.
@Suite struct DeletingBehaviourTests {
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

    @Test(.behaviour("B-185")) func anUnmanagedObject() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            inWrite(ruleTypes) { $0.delete(RuleBall()) }
        }
        expect(Self.foreign, in: result)
    }

    @Test(.behaviour("B-185")) func anObjectOfAnotherRealm() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            inWrite(ruleTypes) { first in
                let ball = first.create(RuleBall.self)
                inWrite(ruleTypes) { second in second.delete(ball) }
            }
        }
        expect(Self.foreign, in: result)
    }

    @Test(.behaviour("B-185")) func resultsOfAnotherRealm() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            inWrite(ruleTypes) { first in
                first.create(RuleBall.self)
                let balls = first.objects(RuleBall.self)
                inWrite(ruleTypes) { second in second.delete(balls) }
            }
        }
        expect(Self.foreign, in: result)
    }

    @Test(.behaviour("B-185")) func aDeletedObject() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            inWrite(ruleTypes) { realm in
                let ball = realm.create(RuleBall.self)
                realm.delete(ball)
                realm.delete(ball)
            }
        }
        expect(Self.foreign, in: result)
    }

    @Test(.behaviour("B-186")) func outsideOfAWrite() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            inRealm(ruleTypes) { realm in
                let ball = try realm.write { realm.create(RuleBall.self) }
                realm.delete(ball)
            }
        }
        expect("Can only add, remove, or create objects in a Realm in a write transaction", in: result)
    }

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
}
