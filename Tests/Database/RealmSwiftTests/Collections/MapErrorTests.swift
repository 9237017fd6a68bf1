// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import TestTraits
import Testing

@testable import RealmSwift

/// Programmer errors with maps.
@Suite struct MapErrorTests {
    @Test(.behaviour("B-170")) func keyWithADot() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            inWrite(Holder.types) { realm in realm.create(Holder.self).intMap["a.b"] = 1 }
        }.expectText("Dictionary::insert: key must not contain '.'")
    }

    @Test(.behaviour("B-170")) func keyWithADollar() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            inWrite(Holder.types) { realm in
                let holder = Holder()
                holder.boxMap["$a"] = HeldBox(1)
                realm.add(holder)
            }
        }.expectText("Dictionary::insert: key must not start with '$'")
    }

    @Test(.behaviour("B-356")) func outsideOfAWrite() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            inRealm(Holder.types) { realm in try realm.write { realm.create(Holder.self) }.intMap["a"] = 1 }
        }.expectText("Cannot modify managed Dictionary outside of a write transaction.")
    }

    @Test(.behaviour("B-357")) func wrongType() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            Map<String, Int?>().setValue("x", forKey: "a")
        }.expectText("Invalid value 'x' of type 'String' for expected type 'int?'.")
    }

    @Test func wrongValueInAnInitialiser() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            _ = Holder(value: ["intMap": ["a": "x"]])
        }.expectText("Invalid value 'x' of type 'String' for 'int' dictionary property 'Holder.intMap'.")
    }

    @Test func noDictionaryInAnInitialiser() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            _ = Holder(value: ["intMap": [1]])
        }.expectText("for 'int' dictionary property 'Holder.intMap': value is not enumerable.")
    }

    @Test(.behaviour("B-044")) func objectsThatAreNotOptional() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            class Wrong: TestObject { @Persisted var animals: Map<String, Animal> }
            _ = Wrong().objectSchema
        }.expectText("Map<String, Animal> property 'animals' must be marked as optional.")
    }

    @Test func queryOfAnUnmanagedMap() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            _ = Map<String, Int>().sorted()
        }.expectText("This method may only be called on RLMDictionary instances retrieved from an RLMRealm")
    }

    @Test func filterOfValues() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            inWrite(Holder.types) { realm in _ = realm.create(Holder.self).intMap.filter("self > 3") }
        }.expectText("Querying is currently only implemented for dictionaries of Realm Objects")
    }

    @Test func subclassAsAValue() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            class Plant: TestObject { @Persisted var height: Int }
            final class Tree: Plant {}
            class Garden: TestObject { @Persisted var plants: Map<String, Plant?> }
            inWrite([Plant.self, Tree.self, Garden.self]) { realm in realm.create(Garden.self).plants["t"] = Tree() }
        }.expectText("Value of type 'Tree' does not match RLMDictionary value type 'Plant'.")
    }
}
