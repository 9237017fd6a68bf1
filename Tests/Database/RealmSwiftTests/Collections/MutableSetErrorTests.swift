// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import TestTraits
import Testing

@testable import RealmSwift

/// Programmer errors with sets.
@Suite struct MutableSetErrorTests {
    @Test(.behaviour("B-341")) func unmanagedOperand() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            inWrite(Holder.types) { realm in realm.create(Holder.self).ints.formUnion(MutableSet()) }
        }.expectText("Right hand side value must be a managed Set.")
    }

    @Test(.behaviour("B-342")) func algebraOutsideOfAWrite() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            inRealm(Holder.types) { realm in
                let holder = try realm.write { realm.create(Holder.self) }
                holder.ints.formIntersection(holder.ints)
            }
        }.expectText("Can only perform [RLMSet intersectSet:] in a Realm in a write transaction")
    }

    @Test(.behaviour("B-344")) func indexOf() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            _ = MutableSet<Int>().index(of: 1)
        }.expectText("index(of:) is not available on MutableSet")
    }

    @Test(.behaviour("B-344")) func indexMatching() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            _ = MutableSet<Animal>().index(matching: "age > 3")
        }.expectText("index(matching:) is not available on MutableSet")
    }

    @Test func insertOutsideOfAWrite() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            inRealm(Holder.types) { realm in try realm.write { realm.create(Holder.self) }.ints.insert(1) }
        }.expectText("Cannot modify managed Set outside of a write transaction.")
    }

    @Test func queryOfAnUnmanagedSet() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            _ = MutableSet<Int>().sorted(ascending: true)
        }.expectText("This method may only be called on RLMSet instances retrieved from an RLMRealm")
    }

    @Test func filterOfValues() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            inWrite(Holder.types) { realm in _ = realm.create(Holder.self).ints.filter("self > 3") }
        }.expectText("Querying is currently only implemented for sets of Realm Objects")
    }

    @Test func outOfBounds() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            _ = Holder(value: ["ints": [1]]).ints[1]
        }.expectText("Index 1 is out of bounds (must be less than 1).")
    }

    @Test(.behaviour("B-053")) func objectOfAnotherRealm() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            inWrite(Holder.types) { first in
                let animal = first.create(Animal.self)
                inWrite(Holder.types) { second in second.create(Holder.self).animals.insert(animal) }
            }
        }.expectText("Object is already managed by another Realm. Use create instead to copy it into this Realm.")
    }

    @Test func nestedCollection() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            inWrite(Holder.types) { realm in realm.create(Holder.self).anySet.insert(.fromArray([])) }
        }.expectText("A set cannot hold a list or a dictionary.")
    }

    @Test(.behaviour("B-043")) func optionalObjects() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            class Wrong: TestObject { @Persisted var animals: MutableSet<Animal?> }
            _ = Wrong().objectSchema
        }.expectText("MutableSet<Animal> property 'animals' must not be marked as optional.")
    }

    @Test(.behaviour("B-069")) func embeddedObjects() throws {
        class Wrong: TestObject { @Persisted var boxs: MutableSet<HeldBox> }
        #expect {
            try withRealm([Wrong.self, HeldBox.self]) { _ in }
        } throws: { "\($0)".contains("Set semantics are not applicable to embedded objects") }
    }

    @Test func wrongElementInAValue() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            _ = Holder(value: ["ints": ["x"]])
        }.expectText("Invalid value 'x' of type 'String' for 'int' set property 'Holder.ints'.")
    }
}
