// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

@Suite struct MapTests {
    private func withBoth(_ body: (Holder) throws -> Void) throws {
        try body(Holder())
        try withRealm(Holder.types) { realm in try realm.write { try body(realm.create(Holder.self)) } }
    }

    @Test(.behaviour("B-347")) func subscripts() throws {
        try withBoth { holder in
            holder.intMap["a"] = 1
            #expect(holder.intMap.count == 1 && holder.intMap["a"] == 1 && holder.intMap["b"] == nil)
            holder.intMap["a"] = 2
            #expect(holder.intMap.count == 1 && holder.intMap["a"] == 2)
            holder.intMap["a"] = nil
            #expect(holder.intMap.count == 0 && holder.intMap["a"] == nil)
        }
    }

    @Test(.behaviour("B-348")) func nilAsAValue() throws {
        try withBoth { holder in
            holder.stringMap["a"] = .some(nil)
            holder.stringMap.updateValue(nil, forKey: "b")
            holder.animalMap["a"] = .some(nil)
            #expect(
                holder.stringMap.count == 2 && holder.stringMap["a"] == .some(nil) && holder.stringMap["c"] == .none)
            #expect(holder.animalMap.keys == ["a"] && holder.animalMap["a"] == .some(nil))
            holder.stringMap["a"] = .none
            #expect(holder.stringMap.keys == ["b"])
        }
    }

    @Test(.behaviour("B-349")) func merge() throws {
        try withBoth { holder in
            holder.intMap["a"] = 1
            holder.intMap.merge([(key: "a", value: 2), (key: "b", value: 5)], uniquingKeysWith: +)
            #expect(holder.intMap["a"] == 3 && holder.intMap["b"] == 5)
            let other = Map<String, Int>()
            other["b"] = 7
            holder.intMap.merge(other) { $1 - $0 }
            #expect(holder.intMap["a"] == 3 && holder.intMap["b"] == 2)
            struct Failure: Error {}
            #expect(throws: Failure.self) { try holder.intMap.merge(other) { _, _ in throw Failure() } }
        }
    }

    @Test(.behaviour("B-350")) func removal() throws {
        try withBoth { holder in
            holder.intMap["a"] = 1
            holder.intMap["b"] = 2
            holder.intMap["c"] = 3
            holder.intMap.removeObject(for: "zz")
            holder.intMap.removeObject(for: "a")
            #expect(holder.intMap.keys.sorted() == ["b", "c"] && holder.intMap["b"] == 2 && holder.intMap["c"] == 3)
            holder.intMap.removeAll()
            #expect(holder.intMap.count == 0 && holder.intMap.keys.isEmpty && holder.intMap.values.isEmpty)
        }
    }

    @Test(.behaviour("B-351", "B-352")) func iteration() throws {
        try withBoth { holder in
            for index in 0..<20 { holder.intMap["k\(index)"] = index }
            #expect(zip(holder.intMap.keys, holder.intMap.values).allSatisfy { "k\($1)" == $0 })
            var seen: [String: Int] = [:]
            for entry in holder.intMap {
                seen[entry.key] = entry.value
                holder.intMap[entry.key] = nil
            }
            #expect(seen.count == 20 && seen["k7"] == 7 && holder.intMap.count == 0)
            holder.intMap["x"] = 1
            for (key, value) in holder.intMap.asKeyValueSequence() { #expect(key == "x" && value == 1) }
            #expect(SingleMapEntry(_key: "a", value: 1) == SingleMapEntry(_key: "b", value: 1))
        }
    }

    @Test func keysByTheirBytes() throws {
        try withBoth { holder in
            for key in ["", "a", "A", "\u{e9}", "e\u{301}", "with space", "a$b"] { holder.intMap[key] = 1 }
            #expect(holder.intMap.count == 7)
        }
    }

    @Test(.behaviour("B-355")) func aggregates() throws {
        try withBoth { holder in
            #expect(holder.intMap.min() == nil && holder.intMap.sum() == 0)
            holder.intMap["a"] = 1
            holder.intMap["b"] = 5
            holder.doubleMap["a"] = 0.5
            holder.doubleMap.updateValue(nil, forKey: "b")
            let average: Double? = holder.intMap.average()
            #expect(holder.intMap.min() == 1 && holder.intMap.max() == 5 && holder.intMap.sum() == 6 && average == 3)
            #expect(holder.doubleMap.sum() == 0.5 && holder.doubleMap.max() == 0.5)
            let max: Int? = holder.intMap.max(ofProperty: "self")
            #expect(max == 5)
        }
    }

    @Test(.behaviour("B-353", "B-354")) func queries() throws {
        try withRealm(Holder.types) { realm in
            let holder = Holder(value: [
                "animalMap": ["l": ["name": "Leo", "age": 3], "m": ["name": "Mia", "age": 5], "n": NSNull()],
                "intMap": ["a": 3, "b": 1],
            ])
            try realm.write { realm.add(holder) }
            #expect(holder.animalMap.filter("age > 3").map { $0?.name } == ["Mia"])
            #expect(holder.animalMap.where { $0.name == "Leo" }.first??.age == 3)
            #expect(holder.animalMap.sorted(byKeyPath: "name", ascending: false).map { $0?.name } == ["Mia", "Leo"])
            #expect(holder.animalMap.sorted(by: \.age).map { $0?.age } == [3, 5])
            #expect(holder.animalMap.max(of: \.age) == 5 && holder.animalMap.sum(of: \.age) == 8)
            let sorted = holder.intMap.sorted()
            #expect(Array(sorted) == [1, 3])
            try realm.write { holder.intMap["c"] = 2 }
            #expect(Array(sorted) == [1, 2, 3])
        }
    }

    @Test(.behaviour("B-358")) func containsWhere() throws {
        try withBoth { holder in
            holder.intMap["a"] = 1
            #expect(holder.intMap.contains { key, value in key == "a" && value == 1 })
            #expect(!holder.intMap.contains { key, value in key == "b" || value == 2 })
        }
    }

    @Test(.behaviour("B-048")) func deletedObjectsLeaveNil() throws {
        try withRealm(Holder.types) { realm in
            let (holder, leo) = (Holder(), Animal("Leo"))
            holder.animalMap["leo"] = leo
            holder.anyMap["leo"] = .object(leo)
            try realm.write { realm.add(holder) }
            #expect(leo.mapHolders.count == 1 && holder.animalMap["leo"]??.isSameObject(as: leo) == true)
            try realm.write { realm.delete(leo) }
            #expect(holder.animalMap["leo"] == .some(nil) && holder.anyMap["leo"] == AnyRealmValue.none)
        }
    }

    @Test(.behaviour("B-189")) func deletingTheObjectsOfAMap() throws {
        try withRealm(Holder.types) { realm in
            let holder = Holder(value: ["animalMap": ["a": ["name": "a"], "b": ["name": "b"], "c": NSNull()]])
            try realm.write { realm.add(holder) }
            try realm.write { holder.animalMap["again"] = holder.animalMap["a"] }
            try realm.write { realm.delete(holder.animalMap) }
            #expect(realm.objects(Animal.self).isEmpty && holder.animalMap.count == 4)
        }
    }

    @Test func embeddedObjects() throws {
        try withRealm(Holder.types) { realm in
            let holder = Holder()
            holder.boxMap["a"] = HeldBox(1)
            try realm.write { realm.add(holder) }
            let first = try #require(holder.boxMap["a"] ?? nil)
            #expect(first.realm == realm && first.number == 1)
            try realm.write { holder.boxMap["a"] = first }
            #expect(!first.isInvalidated)
            try realm.write { holder.boxMap["a"] = HeldBox(2) }
            let second = try #require(holder.boxMap["a"] ?? nil)
            #expect(first.isInvalidated && second.number == 2)
            try realm.write { holder.boxMap.updateValue(nil, forKey: "a") }
            #expect(second.isInvalidated && holder.boxMap["a"] == .some(nil))
            try realm.write {
                holder.boxMap["a"] = HeldBox(3)
                holder.boxMap["b"] = HeldBox(4)
            }
            let (third, fourth) = (try #require(holder.boxMap["a"] ?? nil), try #require(holder.boxMap["b"] ?? nil))
            try realm.write { holder.boxMap["a"] = nil }
            #expect(third.isInvalidated && !fourth.isInvalidated)
            try realm.write { realm.delete(holder) }
            #expect(fourth.isInvalidated)
        }
    }

    @Test func accessByName() throws {
        try withBoth { holder in
            holder.intMap.setValue(3, forKey: "a")
            holder.sizeMap.setValue(7, forKey: "s")
            #expect(holder.intMap.value(forKey: "a") as? Int == 3 && holder.sizeMap["s"] == .large)
            holder.intMap.setValue(nil, forKey: "a")
            #expect(holder.intMap.value(forKey: "a") == nil && holder.intMap.count == 0)
        }
    }

    @Test(.behaviour("B-359")) func codesAsADictionary() throws {
        let holder = Holder(value: ["stringMap": ["a": "x", "b": NSNull()]])
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let data = try encoder.encode(holder.stringMap)
        #expect(String(decoding: data, as: UTF8.self) == #"{"a":"x","b":null}"#)
        #expect(try JSONDecoder().decode(Map<String, String?>.self, from: data) == holder.stringMap)
    }

    @Test func equality() throws {
        let (first, second) = (Holder(value: ["intMap": ["a": 1]]), Holder(value: ["intMap": ["a": 1]]))
        #expect(first.intMap == second.intMap)
        second.intMap["a"] = 2
        #expect(first.intMap != second.intMap)
        try withRealm(Holder.types) { realm in
            try realm.write { realm.add(first) }
            let again = try #require(realm.object(ofType: Holder.self, forPrimaryKey: 0))
            #expect(again.intMap == first.intMap && again.intMap !== first.intMap)
        }
    }

    @Test(.behaviour("T07")) func nothingInAnOptionalIsStoredAsNull() throws {
        func put<Value>(_ value: Value, in holder: Holder) { holder.doubleMap.setValue(value, forKey: "a") }
        try withBoth { holder in
            put(Double?.none, in: holder)
            #expect(holder.doubleMap.count == 1 && holder.doubleMap["a"] == .some(nil))
            put(NSNull(), in: holder)
            #expect(holder.doubleMap.count == 1 && holder.doubleMap["a"] == .some(nil))
            holder.doubleMap.setValue(nil, forKey: "a")
            #expect(holder.doubleMap.count == 0)
        }
    }

    @Test(.behaviour("T12")) func theSumOfAnEmptyMapIsAnInt() {
        #expect(Map<String, AnyRealmValue>().sum() == .int(0))
    }
}
