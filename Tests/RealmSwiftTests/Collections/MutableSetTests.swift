// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import Testing

@testable import RealmSwift

@Suite struct MutableSetTests {
    /// Runs `body` with sets that no Realm manages and with managed ones.
    private func withBoth(_ body: (Zoo, Zoo) throws -> Void) throws {
        try body(Zoo(), Zoo(value: ["id": 1]))
        try withRealm(Zoo.types) { realm in
            try realm.write { try body(realm.create(Zoo.self), realm.create(Zoo.self, value: ["id": 1])) }
        }
    }

    @Test func B_338_insertOfAPresentValue() throws {
        try withBoth { zoo, _ in
            zoo.ints.insert(1)
            zoo.ints.insert(1)
            zoo.strings.insert(objectsIn: [nil, "a", nil, "a"])
            #expect(zoo.ints.count == 1 && zoo.strings.count == 2 && zoo.strings.contains(nil))
        }
    }

    @Test func B_339_removeOfAnAbsentValue() throws {
        try withBoth { zoo, _ in
            zoo.ints.insert(1)
            zoo.ints.remove(2)
            zoo.animals.remove(Animal("nobody"))
            zoo.ints.remove(1)
            #expect(zoo.ints.isEmpty && zoo.animals.isEmpty)
        }
    }

    @Test func B_340_algebraInPlace() throws {
        try withBoth { zoo, other in
            func reset() {
                zoo.ints = Zoo(value: ["ints": [1, 2, 3]]).ints
                other.ints = Zoo(value: ["ints": [3, 4]]).ints
            }
            reset()
            zoo.ints.formUnion(other.ints)
            #expect(zoo.ints.sorted() == [1, 2, 3, 4])
            reset()
            zoo.ints.formIntersection(other.ints)
            #expect(zoo.ints.sorted() == [3])
            reset()
            zoo.ints.subtract(other.ints)
            #expect(zoo.ints.sorted() == [1, 2])
            zoo.ints.formUnion(zoo.ints)
            #expect(zoo.ints.sorted() == [1, 2])
            zoo.ints.formIntersection(zoo.ints)
            #expect(zoo.ints.sorted() == [1, 2])
            zoo.ints.subtract(zoo.ints)
            #expect(zoo.ints.isEmpty)
            reset()
            other.ints.removeAll()
            zoo.ints.formIntersection(other.ints)
            #expect(zoo.ints.isEmpty)
        }
    }

    @Test func B_343_comparisons() throws {
        try withBoth { zoo, other in
            zoo.strings.insert(objectsIn: ["a", nil])
            other.strings.insert(objectsIn: ["a", nil, "b"])
            #expect(zoo.strings.isSubset(of: other.strings) && !other.strings.isSubset(of: zoo.strings))
            #expect(zoo.strings.intersects(other.strings) && !zoo.strings.intersects(MutableSet()))
            #expect(MutableSet<String?>().isSubset(of: zoo.strings) && zoo.strings.isSubset(of: zoo.strings))
            #expect(zoo.strings.contains("a") && zoo.strings.contains(nil) && !zoo.strings.contains("A"))
        }
    }

    @Test func B_345_caseAndFormCount() throws {
        try withBoth { zoo, _ in
            zoo.strings.insert(objectsIn: ["a", "A", "\u{e9}", "e\u{301}"])
            #expect(zoo.strings.count == 4)
        }
    }

    @Test func B_346_objectsByIdentity() throws {
        try withBoth { zoo, _ in
            let leo = Animal("Leo")
            zoo.animals.insert(objectsIn: [leo, leo, Animal("Leo")])
            #expect(zoo.animals.count == 2 && zoo.animals.contains(leo))
            zoo.animals.remove(leo)
            #expect(zoo.animals.count == 1 && !zoo.animals.contains(leo))
        }
    }

    @Test func numbersOfMixedSetsByValue() throws {
        try withBoth { zoo, _ in
            zoo.anySet.insert(objectsIn: [
                .int(5), .double(5), .decimal128(5), .string("5"), .bool(true), .int(1), .none,
            ])
            #expect(zoo.anySet.count == 5 && zoo.anySet.contains(.float(5)) && !zoo.anySet.contains(.float(5.5)))
            zoo.floats.insert(objectsIn: [.nan, .nan, -0.0, 0])
            #expect(zoo.floats.count == 2 && zoo.floats.contains(.nan) && zoo.floats.contains(0))
        }
    }

    @Test func mixedSetsHoldObjects() throws {
        try withBoth { zoo, _ in
            let leo = Animal("Leo")
            zoo.anySet.insert(objectsIn: [.object(leo), .object(leo), .string("Leo")])
            #expect(zoo.anySet.count == 2 && zoo.anySet.contains(.object(leo)))
            zoo.anySet.remove(.object(leo))
            #expect(Array(zoo.anySet) == [.string("Leo")])
        }
    }

    @Test func positionsAndIteration() throws {
        try withBoth { zoo, _ in
            zoo.ints.insert(objectsIn: 1...20)
            #expect(
                Set((0..<20).map { zoo.ints[$0] }) == Set(1...20) && Array(zoo.ints) == (0..<20).map { zoo.ints[$0] })
            #expect(zoo.ints.first == zoo.ints[0] && zoo.ints.last == zoo.ints[19])
            #expect(zoo.ints.objects(at: [0, 2]) == [zoo.ints[0], zoo.ints[2]])
            // Changing it while going through it is allowed.
            var seen = 0
            for element in zoo.ints {
                zoo.ints.remove(element)
                seen += 1
            }
            #expect(seen == 20 && zoo.ints.isEmpty)
        }
    }

    @Test func B_330_aggregates() throws {
        try withBoth { zoo, _ in
            #expect(zoo.ints.min() == nil && zoo.ints.sum() == 0 && zoo.anySet.max() == nil)
            zoo.ints.insert(objectsIn: [1, 2, 6])
            zoo.doubles.insert(objectsIn: [nil, 0.5, 1.5])
            zoo.decimals.insert(objectsIn: ["0.1", "0.2"])
            zoo.dates.insert(Samples.date)
            let (ints, doubles): (Double?, Double?) = (zoo.ints.average(), zoo.doubles.average())
            #expect(zoo.ints.min() == 1 && zoo.ints.max() == 6 && zoo.ints.sum() == 9 && ints == 3)
            #expect(zoo.doubles.min() == 0.5 && zoo.doubles.sum() == 2 && doubles == 1)
            #expect(zoo.decimals.sum() == "0.3" && zoo.dates.max() == Samples.date)
            zoo.anySet.insert(objectsIn: [.none, .int(1), .double(2.5), .string("x"), .bool(true)])
            #expect(zoo.anySet.min() == .bool(true) && zoo.anySet.max() == .string("x"))
            #expect(zoo.anySet.sum() == .decimal128("3.5"))
            let max: Int? = zoo.ints.max(ofProperty: "self")
            #expect(max == 6)
        }
    }

    @Test func queriesOfManagedSets() throws {
        try withRealm(Zoo.types) { realm in
            let zoo = Zoo()
            zoo.ints.insert(objectsIn: [3, 1, 2])
            zoo.animals.insert(objectsIn: [Animal("Leo", 3), Animal("Mia", 1), Animal("Tom", 5)])
            try realm.write { realm.add(zoo) }
            let sorted = zoo.ints.sorted(ascending: false)
            #expect(Array(sorted) == [3, 2, 1] && zoo.ints.distinct().count == 3)
            #expect(zoo.animals.filter("age > 2").count == 2 && zoo.animals.where { $0.name == "Mia" }.first?.age == 1)
            let names = zoo.animals.sorted(byKeyPath: "name")
            #expect(names.map(\.name) == ["Leo", "Mia", "Tom"])
            #expect(zoo.animals.max(of: \.age) == 5 && zoo.animals.sum(of: \.age) == 9)
            try realm.write {
                zoo.ints.insert(9)
                zoo.animals.insert(Animal("Ann", 9))
            }
            #expect(Array(sorted) == [9, 3, 2, 1] && names.first?.name == "Ann")
        }
    }

    @Test func B_049_deletedObjectsLeaveTheSet() throws {
        try withRealm(Zoo.types) { realm in
            let (zoo, leo) = (Zoo(), Animal("Leo"))
            zoo.animals.insert(leo)
            zoo.anySet.insert(.object(leo))
            try realm.write { realm.add(zoo) }
            #expect(leo.zoos.count == 1 && leo.zoos.first == zoo)
            try realm.write { realm.delete(leo) }
            #expect(zoo.animals.isEmpty && zoo.animals.first == nil && Array(zoo.animals).isEmpty)
            #expect(!zoo.anySet.contains { if case .object = $0 { true } else { false } })
        }
    }

    @Test func B_188_deletingTheObjectsOfASet() throws {
        try withRealm(Zoo.types) { realm in
            let zoo = Zoo(value: ["animals": [["name": "a"], ["name": "b"]]])
            try realm.write { realm.add(zoo) }
            try realm.write { realm.delete(zoo.animals) }
            #expect(zoo.animals.isEmpty && realm.objects(Animal.self).isEmpty)
        }
    }

    @Test func equality() throws {
        let (first, second) = (Zoo(value: ["ints": [1, 2]]), Zoo(value: ["ints": [2, 1]]))
        #expect(first.ints == second.ints && first.ints == first.ints)
        second.ints.insert(3)
        #expect(first.ints != second.ints)
        try withRealm(Zoo.types) { realm in
            try realm.write { realm.add(first) }
            let again = try #require(realm.object(ofType: Zoo.self, forPrimaryKey: 0))
            #expect(again.ints == first.ints && again.ints !== first.ints && first.ints != second.ints)
        }
    }

    @Test func B_573_codesAsAnArray() throws {
        let zoo = Zoo(value: ["strings": ["a", NSNull()]])
        let data = try JSONEncoder().encode(zoo.strings)
        let decoded = try JSONDecoder().decode(MutableSet<String?>.self, from: data)
        #expect(decoded == zoo.strings)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(MutableSet<Int>.self, from: Data("3".utf8)) }
    }

    /// The same random operations on an unmanaged set, a managed one and Swift's own.
    @Test func randomOperationsAgree() throws {
        var random = SeededGenerator(for: "MutableSet")
        try withRealm(Zoo.types) { realm in
            let unmanaged = MutableSet<Int>()
            let zoo = try realm.write { realm.create(Zoo.self) }
            var model: Set<Int> = []
            for _ in 0..<20 {
                try realm.write {
                    for _ in 0..<100 {
                        let value = Int.random(in: 0..<300, using: &random)
                        switch Int.random(in: 0..<100, using: &random) {
                        case 0:
                            unmanaged.removeAll()
                            zoo.ints.removeAll()
                            model = []
                        case 1..<40:
                            unmanaged.remove(value)
                            zoo.ints.remove(value)
                            model.remove(value)
                        default:
                            unmanaged.insert(value)
                            zoo.ints.insert(value)
                            model.insert(value)
                        }
                    }
                }
                #expect(Set(zoo.ints) == model && zoo.ints.count == model.count)
                #expect(Set(unmanaged) == model && unmanaged.count == model.count)
            }
        }
    }
}
