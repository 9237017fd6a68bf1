// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import TestTraits
import Testing

@testable import RealmSwift

/// Programmer errors with sets.
@Suite struct MutableSetErrorTests {
    @Test(.behaviour("B-341")) func unmanagedOperand() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            inWrite(Holder.types) { realm in realm.create(Holder.self).ints.formUnion(MutableSet()) }
        }
        expect("Right hand side value must be a managed Set.", in: result)
    }

    @Test(.behaviour("B-342")) func algebraOutsideOfAWrite() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            inRealm(Holder.types) { realm in
                let holder = try realm.write { realm.create(Holder.self) }
                holder.ints.formIntersection(holder.ints)
            }
        }
        expect("Can only perform [RLMSet intersectSet:] in a Realm in a write transaction", in: result)
    }

    @Test(.behaviour("B-344")) func indexOf() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = MutableSet<Int>().index(of: 1)
        }
        expect("index(of:) is not available on MutableSet", in: result)
    }

    @Test(.behaviour("B-344")) func indexMatching() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = MutableSet<Animal>().index(matching: "age > 3")
        }
        expect("index(matching:) is not available on MutableSet", in: result)
    }

    @Test func insertOutsideOfAWrite() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            inRealm(Holder.types) { realm in try realm.write { realm.create(Holder.self) }.ints.insert(1) }
        }
        expect("Cannot modify managed Set outside of a write transaction.", in: result)
    }

    @Test func queryOfAnUnmanagedSet() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = MutableSet<Int>().sorted(ascending: true)
        }
        expect("This method may only be called on RLMSet instances retrieved from an RLMRealm", in: result)
    }

    @Test func filterOfValues() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            inWrite(Holder.types) { realm in _ = realm.create(Holder.self).ints.filter("self > 3") }
        }
        expect("Querying is currently only implemented for sets of Realm Objects", in: result)
    }

    @Test func outOfBounds() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Holder(value: ["ints": [1]]).ints[1]
        }
        expect("Index 1 is out of bounds (must be less than 1).", in: result)
    }

    @Test(.behaviour("B-053")) func objectOfAnotherRealm() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            inWrite(Holder.types) { first in
                let animal = first.create(Animal.self)
                inWrite(Holder.types) { second in second.create(Holder.self).animals.insert(animal) }
            }
        }
        expect(
            "Object is already managed by another Realm. Use create instead to copy it into this Realm.", in: result)
    }

    @Test func nestedCollection() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            inWrite(Holder.types) { realm in realm.create(Holder.self).anySet.insert(.fromArray([])) }
        }
        expect("A set cannot hold a list or a dictionary.", in: result)
    }

    @Test(.behaviour("B-043")) func optionalObjects() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            class Wrong: TestObject { @Persisted var animals: MutableSet<Animal?> }
            _ = Wrong().objectSchema
        }
        expect("MutableSet<Animal> property 'animals' must not be marked as optional.", in: result)
    }

    @Test(.behaviour("B-069")) func embeddedObjects() throws {
        class Wrong: TestObject { @Persisted var boxs: MutableSet<HeldBox> }
        #expect {
            try withRealm([Wrong.self, HeldBox.self]) { _ in }
        } throws: { "\($0)".contains("Set semantics are not applicable to embedded objects") }
    }

    @Test func wrongElementInAValue() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Holder(value: ["ints": ["x"]])
        }
        expect("Invalid value 'x' of type 'String' for 'int' set property 'Holder.ints'.", in: result)
    }
}
