// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

/// All values of sets, maps, and mixed values, on every way into a Realm.
@Suite struct CollectionRoundTripTests {
    @Test(.behaviour("B-101")) func everyValueRoundTripsWhenAdded() throws {
        try withRealm(Holder.types) { realm in
            let holder = Holder()
            Samples.fill(holder)
            let text = holder.text
            try realm.write { realm.add(holder) }
            #expect(holder.realm == realm && holder.text == text)
        }
    }

    @Test func everyValueRoundTripsWhenSetOneByOne() throws {
        try withRealm(Holder.types) { realm in
            let unmanaged = Holder()
            Samples.fill(unmanaged)
            let holder = try realm.write { realm.create(Holder.self) }
            try realm.write { Samples.fill(holder) }
            #expect(holder.text == unmanaged.text)
        }
    }

    @Test(.behaviour("B-165")) func everyValueRoundTripsWhenCreatedFromAnObject() throws {
        try withRealm(Holder.types) { realm in
            let unmanaged = Holder()
            Samples.fill(unmanaged)
            let holder = try realm.write { realm.create(Holder.self, value: unmanaged) }
            #expect(holder !== unmanaged && unmanaged.realm == nil && unmanaged.animals[0].realm == nil)
            #expect(holder.text == unmanaged.text)
            try realm.write { realm.create(Holder.self, value: unmanaged, update: .all) }
            #expect(holder.text == unmanaged.text && realm.objects(Holder.self).count == 1)
            try realm.write { realm.create(Holder.self, value: unmanaged, update: .modified) }
            #expect(holder.text == unmanaged.text)
        }
    }

    @Test(.behaviour("B-160")) func copiesBetweenRealms() throws {
        try withRealm(Holder.types) { source in
            let original = Holder()
            Samples.fill(original)
            original.any = .fromDictionary(["animal": .object(original.animals[0])])
            try source.write { source.add(original) }
            try withRealm(Holder.types) { target in
                let copy = try target.write { target.create(Holder.self, value: original) }
                #expect(copy.text == original.text && copy != original)
                #expect(copy.animals[0].realm == target && copy.boxMap["first"]??.realm == target)
                let inAny = copy.any.dictionaryValue?["animal"]?.object(Animal.self)
                #expect(copy.animals.contains(try #require(inAny)))
                #expect(target.objects(Animal.self).count == source.objects(Animal.self).count)
            }
        }
    }

    @Test(.behaviour("B-143")) func initialisersAcceptParsedJSON() throws {
        let holder = Holder(value: [
            "id": 4, "any": ["a": [1, 2.5, NSNull()]], "anys": [1, "x", ["k": true]], "ints": [1, 1, 2],
            "sizes": [1, 7], "intMap": ["a": 1], "stringMap": ["a": NSNull(), "b": "c"],
            "animals": [["name": "Leo"]], "animalMap": ["l": ["name": "Leo", "age": 3], "n": NSNull()],
            "boxMap": ["c": ["number": 9]],
        ])
        #expect(holder.any.text == "{a: [int(1), double(2.5), none]}")
        #expect(holder.anys.map(\.text) == ["int(1)", "string(\"x\")", "{k: bool(true)}"])
        #expect(holder.ints.count == 2 && holder.sizes.contains(.large) && holder.intMap["a"] == 1)
        #expect(holder.stringMap["a"] == .some(nil) && holder.stringMap["b"] == "c")
        #expect(
            holder.animals[0].name == "Leo" && holder.animalMap["l"]??.age == 3 && holder.animalMap["n"] == .some(nil))
        #expect(holder.boxMap["c"]??.number == 9)
        try withRealm(Holder.types) { realm in
            let text = holder.text
            let managed = try realm.write { realm.create(Holder.self, value: holder) }
            #expect(managed.text == text)
            try realm.write {
                realm.create(Holder.self, value: ["id": 4, "intMap": ["z": 26], "any": [1, [2]]], update: .modified)
            }
            #expect(managed.intMap.keys == ["z"] && managed.any.text == "[int(1), [int(2)]]" && managed.ints.count == 2)
        }
    }

    @Test(.behaviour("B-081")) func collectionsTakenBeforeStayValid() throws {
        try withRealm(Holder.types) { realm in
            let holder = Holder()
            let (set, map) = (holder.ints, holder.intMap)
            set.insert(1)
            map["a"] = 1
            try realm.write {
                realm.add(holder)
                set.insert(2)
                map["b"] = 2
            }
            #expect(holder.ints === set && holder.intMap === map && set.realm == realm && map.realm == realm)
            #expect(holder.ints.count == 2 && Array(map.keys) == ["a", "b"])
        }
    }

    @Test(.behaviour("B-179")) func assignmentCopies() throws {
        try withRealm(Holder.types) { realm in
            let holder = Holder(value: ["ints": [1], "intMap": ["a": 1]])
            try realm.write { realm.add(holder) }
            let (set, map) = (holder.ints, holder.intMap)
            let other = Holder(value: ["ints": [5, 6], "intMap": ["x": 9]])
            try realm.write {
                holder.ints = other.ints
                holder.intMap = other.intMap
                holder.ints = holder.ints
                holder.intMap = holder.intMap
            }
            #expect(holder.ints === set && Array(set) == [5, 6] && holder.intMap === map && map.keys == ["x"])
            other.ints = MutableSet()
            other.intMap = Map()
            #expect(other.ints.isEmpty && other.intMap.count == 0)
        }
    }

    @Test func deletedOwnersReadAsEmpty() throws {
        try withRealm(Holder.types) { realm in
            let holder = Holder(value: ["ints": [1], "intMap": ["a": 1], "any": [1]])
            try realm.write { realm.add(holder) }
            let (set, map, list) = (holder.ints, holder.intMap, try #require(holder.any.listValue))
            try realm.write { realm.delete(holder) }
            #expect(set.isInvalidated && map.isInvalidated && list.isInvalidated)
            #expect(set.count == 0 && Array(set).isEmpty && !set.contains(1) && set.first == nil)
            #expect(map.count == 0 && map["a"] == nil && map.keys.isEmpty && Array(map).isEmpty)
            #expect(list.count == 0 && holder.any == .none && holder.ints.isEmpty && holder.intMap.count == 0)
        }
    }

    @Test func cancelledWritesRestoreCollections() throws {
        try withRealm(Holder.types) { realm in
            let holder = Holder()
            Samples.fill(holder)
            try realm.write { realm.add(holder) }
            let text = holder.text
            realm.beginWrite()
            holder.ints.removeAll()
            holder.intMap["new"] = 1
            holder.any = .none
            holder.anys.removeAll()
            realm.cancelWrite()
            #expect(holder.text == text)
        }
    }

    @Test func descriptionsShowElements() throws {
        let holder = Holder(value: ["ints": [7], "intMap": ["a": 1]])
        let text = holder.description
        #expect(text.contains("MutableSet<int> <0x") && text.contains("[0] 7"))
        #expect(text.contains("Map<string, int> <0x") && text.contains("[a]: 1"))
        try withRealm(Holder.types) { realm in
            try realm.write { realm.add(holder) }
            #expect(holder.intMap.description.hasPrefix("Map<string, int> <0x"))
            #expect(holder.intMap.description.hasSuffix("> (\n[a]: 1\n)"))
            #expect(holder.anySet.description.hasPrefix("MutableSet<mixed> <0x"))
        }
    }
}
