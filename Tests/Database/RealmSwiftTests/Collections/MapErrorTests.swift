// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import TestTraits
import Testing

@testable import RealmSwift

/// Programmer errors with maps.
@Suite struct MapErrorTests {
    @Test(.behaviour("B-170")) func keyWithADot() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            inWrite(Holder.types) { realm in realm.create(Holder.self).intMap["a.b"] = 1 }
        }
        expect("Dictionary::insert: key must not contain '.'", in: result)
    }

    @Test(.behaviour("B-170")) func keyWithADollar() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            inWrite(Holder.types) { realm in
                let holder = Holder()
                holder.boxMap["$a"] = HeldBox(1)
                realm.add(holder)
            }
        }
        expect("Dictionary::insert: key must not start with '$'", in: result)
    }

    @Test(.behaviour("B-356")) func outsideOfAWrite() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            inRealm(Holder.types) { realm in try realm.write { realm.create(Holder.self) }.intMap["a"] = 1 }
        }
        expect("Cannot modify managed Dictionary outside of a write transaction.", in: result)
    }

    @Test(.behaviour("B-357")) func wrongType() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Map<String, Int?>().setValue("x", forKey: "a")
        }
        expect("Invalid value 'x' of type 'String' for expected type 'int?'.", in: result)
    }

    @Test func wrongValueInAnInitialiser() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Holder(value: ["intMap": ["a": "x"]])
        }
        expect("Invalid value 'x' of type 'String' for 'int' dictionary property 'Holder.intMap'.", in: result)
    }

    @Test func noDictionaryInAnInitialiser() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Holder(value: ["intMap": [1]])
        }
        expect("for 'int' dictionary property 'Holder.intMap': value is not enumerable.", in: result)
    }

    @Test(.behaviour("B-065")) func managedEmbeddedObject() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            inWrite(Holder.types) { realm in
                let holder = realm.create(Holder.self)
                holder.boxMap["a"] = HeldBox(1)
                holder.boxMap["b"] = holder.boxMap["a"]
            }
        }
        expect("Cannot add an existing managed embedded object to a Dictionary.", in: result)
    }

    @Test(.behaviour("B-044")) func objectsThatAreNotOptional() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            class Wrong: TestObject { @Persisted var animals: Map<String, Animal> }
            _ = Wrong().objectSchema
        }
        expect("Map<String, Animal> property 'animals' must be marked as optional.", in: result)
    }

    @Test func queryOfAnUnmanagedMap() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Map<String, Int>().sorted()
        }
        expect("This method may only be called on RLMDictionary instances retrieved from an RLMRealm", in: result)
    }

    @Test func filterOfValues() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            inWrite(Holder.types) { realm in _ = realm.create(Holder.self).intMap.filter("self > 3") }
        }
        expect("Querying is currently only implemented for dictionaries of Realm Objects", in: result)
    }

    @Test func subclassAsAValue() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            class Plant: TestObject { @Persisted var height: Int }
            final class Tree: Plant {}
            class Garden: TestObject { @Persisted var plants: Map<String, Plant?> }
            inWrite([Plant.self, Tree.self, Garden.self]) { realm in realm.create(Garden.self).plants["t"] = Tree() }
        }
        expect("Value of type 'Tree' does not match RLMDictionary value type 'Plant'.", in: result)
    }
}
