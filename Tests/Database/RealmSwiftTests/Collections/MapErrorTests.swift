// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import TestTraits
import Testing

@testable import RealmSwift

/// Programmer errors with maps.
@Suite struct MapErrorTests: TrapSuite {
    @Test(.behaviour("B-170", "B-356", "B-357", "B-044"), arguments: traps)
    func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap("Dictionary::insert: key must not contain '.'") {
            inWrite(Holder.types) { realm in realm.create(Holder.self).intMap["a.b"] = 1 }
        },
        Trap("Dictionary::insert: key must not start with '$'") {
            inWrite(Holder.types) { realm in
                let holder = Holder()
                holder.boxMap["$a"] = HeldBox(1)
                realm.add(holder)
            }
        },
        Trap("Cannot modify managed Dictionary outside of a write transaction.") {
            inRealm(Holder.types) { realm in try realm.write { realm.create(Holder.self) }.intMap["a"] = 1 }
        },
        Trap("Invalid value 'x' of type 'String' for expected type 'int?'.") {
            Map<String, Int?>().setValue("x", forKey: "a")
        },
        Trap("Invalid value 'x' of type 'String' for 'int' dictionary property 'Holder.intMap'.") {
            _ = Holder(value: ["intMap": ["a": "x"]])
        },
        Trap("for 'int' dictionary property 'Holder.intMap': value is not enumerable.") {
            _ = Holder(value: ["intMap": [1]])
        },
        Trap("Map<String, Animal> property 'animals' must be marked as optional.") {
            class Wrong: TestObject { @Persisted var animals: Map<String, Animal> }
            _ = Wrong().objectSchema
        },
        Trap("This method may only be called on RLMDictionary instances retrieved from an RLMRealm") {
            _ = Map<String, Int>().sorted()
        },
        Trap("Querying is currently only implemented for dictionaries of Realm Objects") {
            inWrite(Holder.types) { realm in _ = realm.create(Holder.self).intMap.filter("self > 3") }
        },
        Trap("Value of type 'Tree' does not match RLMDictionary value type 'Plant'.") {
            class Plant: TestObject { @Persisted var height: Int }
            final class Tree: Plant {}
            class Garden: TestObject { @Persisted var plants: Map<String, Plant?> }
            inWrite([Plant.self, Tree.self, Garden.self]) { realm in realm.create(Garden.self).plants["t"] = Tree() }
        },
    ]
}
