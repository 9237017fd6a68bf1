// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

@Suite struct MutableSetTests {
    private func withBoth(_ body: (Holder, Holder) throws -> Void) throws {
        try body(Holder(), Holder(value: ["id": 1]))
        try withRealm(Holder.types) { realm in
            try realm.write { try body(realm.create(Holder.self), realm.create(Holder.self, value: ["id": 1])) }
        }
    }

    @Test(.behaviour("B-338")) func insertOfAPresentValue() throws {
        try withBoth { holder, _ in
            holder.ints.insert(1)
            holder.ints.insert(1)
            holder.strings.insert(objectsIn: [nil, "a", nil, "a"])
            #expect(holder.ints.count == 1 && holder.strings.count == 2 && holder.strings.contains(nil))
        }
    }

    @Test(.behaviour("B-339")) func removeOfAnAbsentValue() throws {
        try withBoth { holder, _ in
            holder.ints.insert(1)
            holder.ints.remove(2)
            holder.animals.remove(Animal("nobody"))
            holder.ints.remove(1)
            #expect(holder.ints.isEmpty && holder.animals.isEmpty)
        }
    }

    @Test(.behaviour("B-340")) func algebraInPlace() throws {
        try withBoth { holder, other in
            func reset() {
                holder.ints = Holder(value: ["ints": [1, 2, 3]]).ints
                other.ints = Holder(value: ["ints": [3, 4]]).ints
            }
            reset()
            holder.ints.formUnion(other.ints)
            #expect(holder.ints.sorted() == [1, 2, 3, 4])
            reset()
            holder.ints.formIntersection(other.ints)
            #expect(holder.ints.sorted() == [3])
            reset()
            holder.ints.subtract(other.ints)
            #expect(holder.ints.sorted() == [1, 2])
            holder.ints.formUnion(holder.ints)
            #expect(holder.ints.sorted() == [1, 2])
            holder.ints.formIntersection(holder.ints)
            #expect(holder.ints.sorted() == [1, 2])
            holder.ints.subtract(holder.ints)
            #expect(holder.ints.isEmpty)
            reset()
            other.ints.removeAll()
            holder.ints.formIntersection(other.ints)
            #expect(holder.ints.isEmpty)
        }
    }

    @Test(.behaviour("B-343")) func comparisons() throws {
        try withBoth { holder, other in
            holder.strings.insert(objectsIn: ["a", nil])
            other.strings.insert(objectsIn: ["a", nil, "b"])
            #expect(holder.strings.isSubset(of: other.strings) && !other.strings.isSubset(of: holder.strings))
            #expect(holder.strings.intersects(other.strings) && !holder.strings.intersects(MutableSet()))
            #expect(MutableSet<String?>().isSubset(of: holder.strings) && holder.strings.isSubset(of: holder.strings))
            #expect(holder.strings.contains("a") && holder.strings.contains(nil) && !holder.strings.contains("A"))
        }
    }

    @Test(.behaviour("B-345")) func caseAndFormCount() throws {
        try withBoth { holder, _ in
            holder.strings.insert(objectsIn: ["a", "A", "\u{e9}", "e\u{301}"])
            #expect(holder.strings.count == 4)
        }
    }

    @Test(.behaviour("B-346")) func objectsByIdentity() throws {
        try withBoth { holder, _ in
            let leo = Animal("Leo")
            holder.animals.insert(objectsIn: [leo, leo, Animal("Leo")])
            #expect(holder.animals.count == 2 && holder.animals.contains(leo))
            holder.animals.remove(leo)
            #expect(holder.animals.count == 1 && !holder.animals.contains(leo))
        }
    }

    @Test func numbersOfMixedSetsByValue() throws {
        try withBoth { holder, _ in
            holder.anySet.insert(objectsIn: [
                .int(5), .double(5), .decimal128(5), .string("5"), .bool(true), .int(1), .none,
            ])
            #expect(
                holder.anySet.count == 5 && holder.anySet.contains(.float(5)) && !holder.anySet.contains(.float(5.5)))
            holder.floats.insert(objectsIn: [.nan, .nan, -0.0, 0])
            #expect(holder.floats.count == 2 && holder.floats.contains(.nan) && holder.floats.contains(0))
        }
    }

    @Test func mixedSetsHoldObjects() throws {
        try withBoth { holder, _ in
            let leo = Animal("Leo")
            holder.anySet.insert(objectsIn: [.object(leo), .object(leo), .string("Leo")])
            #expect(holder.anySet.count == 2 && holder.anySet.contains(.object(leo)))
            holder.anySet.remove(.object(leo))
            #expect(Array(holder.anySet) == [.string("Leo")])
        }
    }

    @Test func positionsAndIteration() throws {
        try withBoth { holder, _ in
            holder.ints.insert(objectsIn: 1...20)
            #expect(
                Set((0..<20).map { holder.ints[$0] }) == Set(1...20)
                    && Array(holder.ints) == (0..<20).map { holder.ints[$0] })
            #expect(holder.ints.first == holder.ints[0] && holder.ints.last == holder.ints[19])
            #expect(holder.ints.objects(at: [0, 2]) == [holder.ints[0], holder.ints[2]])
            var seen = 0
            for element in holder.ints {
                holder.ints.remove(element)
                seen += 1
            }
            #expect(seen == 20 && holder.ints.isEmpty)
        }
    }

    @Test(.behaviour("B-330")) func aggregates() throws {
        try withBoth { holder, _ in
            #expect(holder.ints.min() == nil && holder.ints.sum() == 0 && holder.anySet.max() == nil)
            holder.ints.insert(objectsIn: [1, 2, 6])
            holder.doubles.insert(objectsIn: [nil, 0.5, 1.5])
            holder.decimals.insert(objectsIn: ["0.1", "0.2"])
            holder.dates.insert(Samples.date)
            let (ints, doubles): (Double?, Double?) = (holder.ints.average(), holder.doubles.average())
            #expect(holder.ints.min() == 1 && holder.ints.max() == 6 && holder.ints.sum() == 9 && ints == 3)
            #expect(holder.doubles.min() == 0.5 && holder.doubles.sum() == 2 && doubles == 1)
            #expect(holder.decimals.sum() == "0.3" && holder.dates.max() == Samples.date)
            holder.anySet.insert(objectsIn: [.none, .int(1), .double(2.5), .string("x"), .bool(true)])
            #expect(holder.anySet.min() == .bool(true) && holder.anySet.max() == .string("x"))
            #expect(holder.anySet.sum() == .decimal128("3.5"))
            let max: Int? = holder.ints.max(ofProperty: "self")
            #expect(max == 6)
        }
    }

    @Test func queriesOfManagedSets() throws {
        try withRealm(Holder.types) { realm in
            let holder = Holder()
            holder.ints.insert(objectsIn: [3, 1, 2])
            holder.animals.insert(objectsIn: [Animal("Leo", 3), Animal("Mia", 1), Animal("Tom", 5)])
            try realm.write { realm.add(holder) }
            let sorted = holder.ints.sorted(ascending: false)
            #expect(Array(sorted) == [3, 2, 1] && holder.ints.distinct().count == 3)
            #expect(
                holder.animals.filter("age > 2").count == 2 && holder.animals.where { $0.name == "Mia" }.first?.age == 1
            )
            let names = holder.animals.sorted(byKeyPath: "name")
            #expect(names.map(\.name) == ["Leo", "Mia", "Tom"])
            #expect(holder.animals.max(of: \.age) == 5 && holder.animals.sum(of: \.age) == 9)
            try realm.write {
                holder.ints.insert(9)
                holder.animals.insert(Animal("Ann", 9))
            }
            #expect(Array(sorted) == [9, 3, 2, 1] && names.first?.name == "Ann")
        }
    }

    @Test(.behaviour("B-049")) func deletedObjectsLeaveTheSet() throws {
        try withRealm(Holder.types) { realm in
            let (holder, leo) = (Holder(), Animal("Leo"))
            holder.animals.insert(leo)
            holder.anySet.insert(.object(leo))
            try realm.write { realm.add(holder) }
            #expect(leo.holders.count == 1 && leo.holders.first == holder)
            try realm.write { realm.delete(leo) }
            #expect(holder.animals.isEmpty && holder.animals.first == nil && Array(holder.animals).isEmpty)
            #expect(!holder.anySet.contains { if case .object = $0 { true } else { false } })
        }
    }

    @Test(.behaviour("B-188")) func deletingTheObjectsOfASet() throws {
        try withRealm(Holder.types) { realm in
            let holder = Holder(value: ["animals": [["name": "a"], ["name": "b"]]])
            try realm.write { realm.add(holder) }
            try realm.write { realm.delete(holder.animals) }
            #expect(holder.animals.isEmpty && realm.objects(Animal.self).isEmpty)
        }
    }

    @Test func equality() throws {
        let (first, second) = (Holder(value: ["ints": [1, 2]]), Holder(value: ["ints": [2, 1]]))
        #expect(first.ints == second.ints && first.ints == first.ints)
        second.ints.insert(3)
        #expect(first.ints != second.ints)
        try withRealm(Holder.types) { realm in
            try realm.write { realm.add(first) }
            let again = try #require(realm.object(ofType: Holder.self, forPrimaryKey: 0))
            #expect(again.ints == first.ints && again.ints !== first.ints && first.ints != second.ints)
        }
    }

    @Test(.behaviour("B-573")) func codesAsAnArray() throws {
        let holder = Holder(value: ["strings": ["a", NSNull()]])
        let data = try JSONEncoder().encode(holder.strings)
        let decoded = try JSONDecoder().decode(MutableSet<String?>.self, from: data)
        #expect(decoded == holder.strings)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(MutableSet<Int>.self, from: Data("3".utf8)) }
    }
}
