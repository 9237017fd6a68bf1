// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import Testing

@testable import RealmSwift

@Suite struct MapTests {
    /// Runs `body` with maps that no Realm manages and with managed ones.
    private func withBoth(_ body: (Zoo) throws -> Void) throws {
        try body(Zoo())
        try withRealm(Zoo.types) { realm in try realm.write { try body(realm.create(Zoo.self)) } }
    }

    @Test func B_347_subscripts() throws {
        try withBoth { zoo in
            zoo.intMap["a"] = 1
            #expect(zoo.intMap.count == 1 && zoo.intMap["a"] == 1 && zoo.intMap["b"] == nil)
            zoo.intMap["a"] = 2
            #expect(zoo.intMap.count == 1 && zoo.intMap["a"] == 2)
            zoo.intMap["a"] = nil
            #expect(zoo.intMap.count == 0 && zoo.intMap["a"] == nil)
        }
    }

    @Test func B_348_nilAsAValue() throws {
        try withBoth { zoo in
            zoo.stringMap["a"] = .some(nil)
            zoo.stringMap.updateValue(nil, forKey: "b")
            zoo.animalMap["a"] = .some(nil)
            #expect(zoo.stringMap.count == 2 && zoo.stringMap["a"] == .some(nil) && zoo.stringMap["c"] == .none)
            #expect(zoo.animalMap.keys == ["a"] && zoo.animalMap["a"] == .some(nil))
            zoo.stringMap["a"] = .none
            #expect(zoo.stringMap.keys == ["b"])
        }
    }

    @Test func B_349_merge() throws {
        try withBoth { zoo in
            zoo.intMap["a"] = 1
            zoo.intMap.merge([(key: "a", value: 2), (key: "b", value: 5)], uniquingKeysWith: +)
            #expect(zoo.intMap["a"] == 3 && zoo.intMap["b"] == 5)
            let other = Map<String, Int>()
            other["b"] = 7
            zoo.intMap.merge(other) { $1 - $0 }
            #expect(zoo.intMap["a"] == 3 && zoo.intMap["b"] == 2)
            struct Failure: Error {}
            #expect(throws: Failure.self) { try zoo.intMap.merge(other) { _, _ in throw Failure() } }
        }
    }

    @Test func B_350_removal() throws {
        try withBoth { zoo in
            zoo.intMap["a"] = 1
            zoo.intMap["b"] = 2
            zoo.intMap["c"] = 3
            zoo.intMap.removeObject(for: "zz")
            zoo.intMap.removeObject(for: "a")
            #expect(zoo.intMap.keys.sorted() == ["b", "c"] && zoo.intMap["b"] == 2 && zoo.intMap["c"] == 3)
            zoo.intMap.removeAll()
            #expect(zoo.intMap.count == 0 && zoo.intMap.keys.isEmpty && zoo.intMap.values.isEmpty)
        }
    }

    @Test func B_351_352_iteration() throws {
        try withBoth { zoo in
            for index in 0..<20 { zoo.intMap["k\(index)"] = index }
            #expect(zip(zoo.intMap.keys, zoo.intMap.values).allSatisfy { "k\($1)" == $0 })
            var seen: [String: Int] = [:]
            for entry in zoo.intMap {
                seen[entry.key] = entry.value
                zoo.intMap[entry.key] = nil
            }
            #expect(seen.count == 20 && seen["k7"] == 7 && zoo.intMap.count == 0)
            zoo.intMap["x"] = 1
            for (key, value) in zoo.intMap.asKeyValueSequence() { #expect(key == "x" && value == 1) }
            #expect(SingleMapEntry(_key: "a", value: 1) == SingleMapEntry(_key: "b", value: 1))
        }
    }

    @Test func keysByTheirBytes() throws {
        try withBoth { zoo in
            for key in ["", "a", "A", "\u{e9}", "e\u{301}", "with space", "a$b"] { zoo.intMap[key] = 1 }
            #expect(zoo.intMap.count == 7)
        }
    }

    @Test func B_355_aggregates() throws {
        try withBoth { zoo in
            #expect(zoo.intMap.min() == nil && zoo.intMap.sum() == 0)
            zoo.intMap["a"] = 1
            zoo.intMap["b"] = 5
            zoo.doubleMap["a"] = 0.5
            zoo.doubleMap.updateValue(nil, forKey: "b")
            let average: Double? = zoo.intMap.average()
            #expect(zoo.intMap.min() == 1 && zoo.intMap.max() == 5 && zoo.intMap.sum() == 6 && average == 3)
            #expect(zoo.doubleMap.sum() == 0.5 && zoo.doubleMap.max() == 0.5)
            let max: Int? = zoo.intMap.max(ofProperty: "self")
            #expect(max == 5)
        }
    }

    @Test func B_353_354_queries() throws {
        try withRealm(Zoo.types) { realm in
            let zoo = Zoo(value: [
                "animalMap": ["l": ["name": "Leo", "age": 3], "m": ["name": "Mia", "age": 5], "n": NSNull()],
                "intMap": ["a": 3, "b": 1],
            ])
            try realm.write { realm.add(zoo) }
            #expect(zoo.animalMap.filter("age > 3").map { $0?.name } == ["Mia"])
            #expect(zoo.animalMap.where { $0.name == "Leo" }.first??.age == 3)
            #expect(zoo.animalMap.sorted(byKeyPath: "name", ascending: false).map { $0?.name } == ["Mia", "Leo"])
            #expect(zoo.animalMap.sorted(by: \.age).map { $0?.age } == [3, 5])
            #expect(zoo.animalMap.max(of: \.age) == 5 && zoo.animalMap.sum(of: \.age) == 8)
            let sorted = zoo.intMap.sorted()
            #expect(Array(sorted) == [1, 3])
            try realm.write { zoo.intMap["c"] = 2 }
            #expect(Array(sorted) == [1, 2, 3])
        }
    }

    @Test func B_358_containsWhere() throws {
        try withBoth { zoo in
            zoo.intMap["a"] = 1
            #expect(zoo.intMap.contains { key, value in key == "a" && value == 1 })
            #expect(!zoo.intMap.contains { key, value in key == "b" || value == 2 })
        }
    }

    @Test func B_048_deletedObjectsLeaveNil() throws {
        try withRealm(Zoo.types) { realm in
            let (zoo, leo) = (Zoo(), Animal("Leo"))
            zoo.animalMap["leo"] = leo
            zoo.anyMap["leo"] = .object(leo)
            try realm.write { realm.add(zoo) }
            #expect(leo.mappingZoos.count == 1 && zoo.animalMap["leo"]??.isSameObject(as: leo) == true)
            try realm.write { realm.delete(leo) }
            #expect(zoo.animalMap["leo"] == .some(nil) && zoo.anyMap["leo"] == AnyRealmValue.none)
        }
    }

    @Test func B_189_deletingTheObjectsOfAMap() throws {
        try withRealm(Zoo.types) { realm in
            let zoo = Zoo(value: ["animalMap": ["a": ["name": "a"], "b": ["name": "b"], "c": NSNull()]])
            try realm.write { realm.add(zoo) }
            try realm.write { zoo.animalMap["again"] = zoo.animalMap["a"] }
            try realm.write { realm.delete(zoo.animalMap) }
            #expect(realm.objects(Animal.self).isEmpty && zoo.animalMap.count == 4)
        }
    }

    @Test func embeddedObjects() throws {
        try withRealm(Zoo.types) { realm in
            let zoo = Zoo()
            zoo.cageMap["a"] = Cage(1)
            try realm.write { realm.add(zoo) }
            let first = try #require(zoo.cageMap["a"] ?? nil)
            #expect(first.realm == realm && first.number == 1)
            try realm.write { zoo.cageMap["a"] = first }
            #expect(!first.isInvalidated)
            try realm.write { zoo.cageMap["a"] = Cage(2) }
            let second = try #require(zoo.cageMap["a"] ?? nil)
            #expect(first.isInvalidated && second.number == 2)
            try realm.write { zoo.cageMap.updateValue(nil, forKey: "a") }
            #expect(second.isInvalidated && zoo.cageMap["a"] == .some(nil))
            try realm.write {
                zoo.cageMap["a"] = Cage(3)
                zoo.cageMap["b"] = Cage(4)
            }
            let (third, fourth) = (try #require(zoo.cageMap["a"] ?? nil), try #require(zoo.cageMap["b"] ?? nil))
            try realm.write { zoo.cageMap["a"] = nil }
            #expect(third.isInvalidated && !fourth.isInvalidated)
            try realm.write { realm.delete(zoo) }
            #expect(fourth.isInvalidated)
        }
    }

    @Test func accessByName() throws {
        try withBoth { zoo in
            zoo.intMap.setValue(3, forKey: "a")
            zoo.sizeMap.setValue(7, forKey: "s")
            #expect(zoo.intMap.value(forKey: "a") as? Int == 3 && zoo.sizeMap["s"] == .large)
            zoo.intMap.setValue(nil, forKey: "a")
            #expect(zoo.intMap.value(forKey: "a") == nil && zoo.intMap.count == 0)
        }
    }

    @Test func B_359_codesAsADictionary() throws {
        let zoo = Zoo(value: ["stringMap": ["a": "x", "b": NSNull()]])
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let data = try encoder.encode(zoo.stringMap)
        #expect(String(decoding: data, as: UTF8.self) == #"{"a":"x","b":null}"#)
        #expect(try JSONDecoder().decode(Map<String, String?>.self, from: data) == zoo.stringMap)
    }

    @Test func equality() throws {
        let (first, second) = (Zoo(value: ["intMap": ["a": 1]]), Zoo(value: ["intMap": ["a": 1]]))
        #expect(first.intMap == second.intMap)
        second.intMap["a"] = 2
        #expect(first.intMap != second.intMap)
        try withRealm(Zoo.types) { realm in
            try realm.write { realm.add(first) }
            let again = try #require(realm.object(ofType: Zoo.self, forPrimaryKey: 0))
            #expect(again.intMap == first.intMap && again.intMap !== first.intMap)
        }
    }

    /// The same random operations on an unmanaged map, a managed one and Swift's own.
    @Test func randomOperationsAgree() throws {
        var random = SeededGenerator(for: "Map")
        try withRealm(Zoo.types) { realm in
            let unmanaged = Map<String, Int>()
            let zoo = try realm.write { realm.create(Zoo.self) }
            var model: [String: Int] = [:]
            for _ in 0..<20 {
                try realm.write {
                    for _ in 0..<100 {
                        let (key, value) = (
                            "k\(Int.random(in: 0..<200, using: &random))", Int.random(in: 0..<9, using: &random)
                        )
                        switch Int.random(in: 0..<100, using: &random) {
                        case 0:
                            unmanaged.removeAll()
                            zoo.intMap.removeAll()
                            model = [:]
                        case 1..<40:
                            unmanaged[key] = nil
                            zoo.intMap[key] = nil
                            model[key] = nil
                        default:
                            unmanaged[key] = value
                            zoo.intMap[key] = value
                            model[key] = value
                        }
                    }
                }
                for map in [unmanaged, zoo.intMap] {
                    #expect(Dictionary(uniqueKeysWithValues: map.map { ($0.key, $0.value) }) == model)
                    #expect(map.count == model.count && model.allSatisfy { map[$0.key] == $0.value })
                }
            }
        }
    }
}
