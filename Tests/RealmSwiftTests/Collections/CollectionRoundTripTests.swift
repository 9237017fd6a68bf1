// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import Testing

@testable import RealmSwift

/// Everything that sets, maps and mixed values can hold, on every way into a Realm.
@Suite struct CollectionRoundTripTests {
    @Test func B_101_everyValueComesBackWhenAdded() throws {
        try withRealm(Zoo.types) { realm in
            let zoo = Zoo()
            Samples.fill(zoo)
            let text = zoo.text
            try realm.write { realm.add(zoo) }
            #expect(zoo.realm == realm && zoo.text == text)
        }
    }

    @Test func everyValueComesBackWhenSetOneByOne() throws {
        try withRealm(Zoo.types) { realm in
            let unmanaged = Zoo()
            Samples.fill(unmanaged)
            let zoo = try realm.write { realm.create(Zoo.self) }
            try realm.write { Samples.fill(zoo) }
            #expect(zoo.text == unmanaged.text)
        }
    }

    @Test func B_165_everyValueComesBackWhenCreatedFromAnObject() throws {
        try withRealm(Zoo.types) { realm in
            let unmanaged = Zoo()
            Samples.fill(unmanaged)
            let zoo = try realm.write { realm.create(Zoo.self, value: unmanaged) }
            #expect(zoo !== unmanaged && unmanaged.realm == nil && unmanaged.animals[0].realm == nil)
            #expect(zoo.text == unmanaged.text)
            // And once more, over what is there.
            try realm.write { realm.create(Zoo.self, value: unmanaged, update: .all) }
            #expect(zoo.text == unmanaged.text && realm.objects(Zoo.self).count == 1)
            try realm.write { realm.create(Zoo.self, value: unmanaged, update: .modified) }
            #expect(zoo.text == unmanaged.text)
        }
    }

    @Test func B_160_copiesBetweenRealms() throws {
        try withRealm(Zoo.types) { source in
            let original = Zoo()
            Samples.fill(original)
            original.any = .fromDictionary(["animal": .object(original.animals[0])])
            try source.write { source.add(original) }
            try withRealm(Zoo.types) { target in
                let copy = try target.write { target.create(Zoo.self, value: original) }
                #expect(copy.text == original.text && copy != original)
                #expect(copy.animals[0].realm == target && copy.cageMap["first"]??.realm == target)
                // One animal is in the set and in the mixed value: it is still one.
                let inAny = copy.any.dictionaryValue?["animal"]?.object(Animal.self)
                #expect(copy.animals.contains(try #require(inAny)))
                #expect(target.objects(Animal.self).count == source.objects(Animal.self).count)
            }
        }
    }

    @Test func B_143_initialisersTakeWhatJSONGives() throws {
        let zoo = Zoo(value: [
            "id": 4, "any": ["a": [1, 2.5, NSNull()]], "anys": [1, "x", ["k": true]], "ints": [1, 1, 2],
            "sizes": [1, 7], "intMap": ["a": 1], "stringMap": ["a": NSNull(), "b": "c"],
            "animals": [["name": "Leo"]], "animalMap": ["l": ["name": "Leo", "age": 3], "n": NSNull()],
            "cageMap": ["c": ["number": 9]],
        ])
        #expect(zoo.any.text == "{a: [int(1), double(2.5), none]}")
        #expect(zoo.anys.map(\.text) == ["int(1)", "string(\"x\")", "{k: bool(true)}"])
        #expect(zoo.ints.count == 2 && zoo.sizes.contains(.large) && zoo.intMap["a"] == 1)
        #expect(zoo.stringMap["a"] == .some(nil) && zoo.stringMap["b"] == "c")
        #expect(zoo.animals[0].name == "Leo" && zoo.animalMap["l"]??.age == 3 && zoo.animalMap["n"] == .some(nil))
        #expect(zoo.cageMap["c"]??.number == 9)
        try withRealm(Zoo.types) { realm in
            let text = zoo.text
            let managed = try realm.write { realm.create(Zoo.self, value: zoo) }
            #expect(managed.text == text)
            // A dictionary touches only what it names.
            try realm.write {
                realm.create(Zoo.self, value: ["id": 4, "intMap": ["z": 26], "any": [1, [2]]], update: .modified)
            }
            #expect(managed.intMap.keys == ["z"] && managed.any.text == "[int(1), [int(2)]]" && managed.ints.count == 2)
        }
    }

    @Test func B_081_collectionsTakenBeforeStayValid() throws {
        try withRealm(Zoo.types) { realm in
            let zoo = Zoo()
            let (set, map) = (zoo.ints, zoo.intMap)
            set.insert(1)
            map["a"] = 1
            try realm.write {
                realm.add(zoo)
                set.insert(2)
                map["b"] = 2
            }
            #expect(zoo.ints === set && zoo.intMap === map && set.realm == realm && map.realm == realm)
            #expect(zoo.ints.count == 2 && Array(map.keys) == ["a", "b"])
        }
    }

    @Test func B_179_assignmentCopies() throws {
        try withRealm(Zoo.types) { realm in
            let zoo = Zoo(value: ["ints": [1], "intMap": ["a": 1]])
            try realm.write { realm.add(zoo) }
            let (set, map) = (zoo.ints, zoo.intMap)
            let other = Zoo(value: ["ints": [5, 6], "intMap": ["x": 9]])
            try realm.write {
                zoo.ints = other.ints
                zoo.intMap = other.intMap
                zoo.ints = zoo.ints
                zoo.intMap = zoo.intMap
            }
            #expect(zoo.ints === set && Array(set) == [5, 6] && zoo.intMap === map && map.keys == ["x"])
            other.ints = MutableSet()
            other.intMap = Map()
            #expect(other.ints.isEmpty && other.intMap.count == 0)
        }
    }

    @Test func deletedOwnersReadAsEmpty() throws {
        try withRealm(Zoo.types) { realm in
            let zoo = Zoo(value: ["ints": [1], "intMap": ["a": 1], "any": [1]])
            try realm.write { realm.add(zoo) }
            let (set, map, list) = (zoo.ints, zoo.intMap, try #require(zoo.any.listValue))
            try realm.write { realm.delete(zoo) }
            #expect(set.isInvalidated && map.isInvalidated && list.isInvalidated)
            #expect(set.count == 0 && Array(set).isEmpty && !set.contains(1) && set.first == nil)
            #expect(map.count == 0 && map["a"] == nil && map.keys.isEmpty && Array(map).isEmpty)
            #expect(list.count == 0 && zoo.any == .none && zoo.ints.isEmpty && zoo.intMap.count == 0)
        }
    }

    @Test func cancelledWritesLeaveWhatWasThere() throws {
        try withRealm(Zoo.types) { realm in
            let zoo = Zoo()
            Samples.fill(zoo)
            try realm.write { realm.add(zoo) }
            let text = zoo.text
            realm.beginWrite()
            zoo.ints.removeAll()
            zoo.intMap["new"] = 1
            zoo.any = .none
            zoo.anys.removeAll()
            realm.cancelWrite()
            #expect(zoo.text == text)
        }
    }

    @Test func descriptionsShowElements() throws {
        let zoo = Zoo(value: ["ints": [7], "intMap": ["a": 1]])
        let text = zoo.description
        #expect(text.contains("MutableSet<int> <0x") && text.contains("[0] 7"))
        #expect(text.contains("Map<string, int> <0x") && text.contains("[a]: 1"))
        try withRealm(Zoo.types) { realm in
            try realm.write { realm.add(zoo) }
            #expect(zoo.intMap.description.hasPrefix("Map<string, int> <0x"))
            #expect(zoo.intMap.description.hasSuffix("> (\n[a]: 1\n)"))
            #expect(zoo.anySet.description.hasPrefix("MutableSet<mixed> <0x"))
        }
    }
}
