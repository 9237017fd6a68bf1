// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import TestTraits
import Testing

@testable import RealmSwift

/// Programmer errors with sets.
@Suite struct MutableSetErrorTests: TrapSuite {
    @Test(.behaviour("B-341", "B-342", "B-344", "B-053", "B-043"), arguments: traps)
    func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap("Right hand side value must be a managed Set.") {
            inWrite(Holder.types) { realm in realm.create(Holder.self).ints.formUnion(MutableSet()) }
        },
        Trap("Can only perform [RLMSet intersectSet:] in a Realm in a write transaction") {
            inRealm(Holder.types) { realm in
                let holder = try realm.write { realm.create(Holder.self) }
                holder.ints.formIntersection(holder.ints)
            }
        },
        Trap("index(of:) is not available on MutableSet") { _ = MutableSet<Int>().index(of: 1) },
        Trap("index(matching:) is not available on MutableSet") { _ = MutableSet<Animal>().index(matching: "age > 3") },
        Trap("Cannot modify managed Set outside of a write transaction.") {
            inRealm(Holder.types) { realm in try realm.write { realm.create(Holder.self) }.ints.insert(1) }
        },
        Trap("This method may only be called on RLMSet instances retrieved from an RLMRealm") {
            _ = MutableSet<Int>().sorted(ascending: true)
        },
        Trap("Querying is currently only implemented for sets of Realm Objects") {
            inWrite(Holder.types) { realm in _ = realm.create(Holder.self).ints.filter("self > 3") }
        },
        Trap("Index 1 is out of bounds (must be less than 1).") { _ = Holder(value: ["ints": [1]]).ints[1] },
        Trap("Object is already managed by another Realm. Use create instead to copy it into this Realm.") {
            inWrite(Holder.types) { first in
                let animal = first.create(Animal.self)
                inWrite(Holder.types) { second in second.create(Holder.self).animals.insert(animal) }
            }
        },
        Trap("A set cannot hold a list or a dictionary.") {
            inWrite(Holder.types) { realm in realm.create(Holder.self).anySet.insert(.fromArray([])) }
        },
        Trap("MutableSet<Animal> property 'animals' must not be marked as optional.") {
            class Wrong: TestObject { @Persisted var animals: MutableSet<Animal?> }
            _ = Wrong().objectSchema
        },
        Trap("Invalid value 'x' of type 'String' for 'int' set property 'Holder.ints'.") {
            _ = Holder(value: ["ints": ["x"]])
        },
    ]

    @Test(.behaviour("B-069")) func embeddedObjects() throws {
        class Wrong: TestObject { @Persisted var boxs: MutableSet<HeldBox> }
        #expect {
            try withRealm([Wrong.self, HeldBox.self]) { _ in }
        } throws: { "\($0)".contains("Set semantics are not applicable to embedded objects") }
    }
}
