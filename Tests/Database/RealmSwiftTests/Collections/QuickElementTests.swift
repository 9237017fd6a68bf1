// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import Testing

@testable import RealmSwift

final class QuickHolder: TestObject {
    @Persisted var ints: List<Int>
    @Persisted var maybe: List<Int?>
    @Persisted var texts: List<String>
    @Persisted var anything: List<AnyRealmValue>
    @Persisted var set: MutableSet<Int>
    @Persisted var byName: Map<String, Int>
    @Persisted var any: AnyRealmValue
    @Persisted var others: List<QuickHolder>
}

/// Elements read in batches, or from the cached leaf, compared with the stored values.
@Suite struct QuickElementTests {
    private struct Values {
        let ints: [Int]
        var maybe: [Int?] { ints.map { $0 % 5 == 0 ? nil : $0 } }
        var texts: [String] { ints.map { String(repeating: "\($0)", count: 1 + abs($0 % 9)) } }
        var anything: [AnyRealmValue] {
            ints.map { $0 % 3 == 0 ? .int($0) : $0 % 3 == 1 ? .string("\($0)") : .none }
        }
        var entries: [String: Int] { Dictionary(ints.map { ("k\($0)", $0) }, uniquingKeysWith: { $1 }) }

        func fill(_ holder: QuickHolder) {
            holder.ints.append(objectsIn: ints)
            holder.maybe.append(objectsIn: maybe)
            holder.texts.append(objectsIn: texts)
            holder.anything.append(objectsIn: anything)
            holder.set.insert(objectsIn: ints)
            for (key, value) in entries { holder.byName[key] = value }
        }

        func check(_ holder: QuickHolder) {
            #expect(Array(holder.ints) == ints)
            #expect(Array(holder.maybe) == maybe)
            #expect(Array(holder.texts) == texts)
            #expect(Array(holder.anything) == anything)
            #expect(Array(holder.set).sorted() == Set(ints).sorted())
            #expect(Dictionary(uniqueKeysWithValues: holder.byName.map { ($0.key, $0.value) }) == entries)
            #expect(holder.byName.asKeyValueSequence().map(\.key) == holder.byName.keys)
            #expect(ints.indices.map { holder.ints[$0] } == ints)
            #expect(ints.indices.map { holder.maybe[$0] } == maybe)
            #expect(ints.indices.map { holder.texts[$0] } == texts)
            #expect(ints.indices.map { holder.anything[$0] } == anything)
            #expect(entries.allSatisfy { holder.byName[$0.key] == $0.value })
        }
    }

    /// Counts around the batch sizes of 16, 64, 256, and a leaf.
    @Test(arguments: [0, 1, 15, 16, 17, 79, 80, 81, 335, 336, 337, 999, 1000, 1001, 2600])
    func everyWay(_ count: Int) throws {
        var generator = SeededGenerator(for: "elements of \(count)")
        let values = Values(ints: (0..<count).map { _ in Int(truncatingIfNeeded: generator.next() >> 20) - (1 << 42) })
        try withRealm([QuickHolder.self]) { realm in
            let holder = QuickHolder()
            values.fill(holder)
            values.check(holder.freeCopy())
            try realm.write {
                realm.add(holder)
                values.check(holder)
            }
            values.check(holder)
            values.check(holder.freeze())
        }
    }

    /// Lookups of keys and elements that are added and removed, through this map and set and through equal ones, within
    /// and after writes, some of them cancelled. Then lookups in frozen ones, by several threads.
    @Test func looksBetweenChanges() throws {
        var generator = SeededGenerator(for: "looks between changes")
        try withRealm([QuickHolder.self]) { realm in
            let holder = try realm.write { realm.create(QuickHolder.self) }
            let same = try #require(realm.objects(QuickHolder.self).first)
            var (entries, numbers) = ([String: Int](), Set<Int>())
            func verify(_ key: Int) {
                for each in [holder, same] {
                    #expect(each.byName["key \(key)"] == entries["key \(key)"])
                    #expect(each.set.contains(key) == numbers.contains(key))
                }
            }
            for round in 0..<40 {
                let before = (entries, numbers)
                realm.beginWrite()
                for _ in 0..<generator.below(round % 4 == 0 ? 3000 : 30) {
                    let (key, each) = (generator.below(5000), generator.chance(50) ? holder : same)
                    switch generator.below(8) {
                    case 0: (each.byName["key \(key)"], entries["key \(key)"]) = (nil, nil)
                    case 1...3: (each.byName["key \(key)"], entries["key \(key)"]) = (round, round)
                    case 4:
                        each.set.remove(key)
                        numbers.remove(key)
                    default:
                        each.set.insert(key)
                        numbers.insert(key)
                    }
                    if generator.chance(30) { verify(key) }
                    if generator.chance(10) { verify(generator.below(5000)) }
                }
                if generator.chance(20) {
                    realm.cancelWrite()
                    (entries, numbers) = before
                } else {
                    try realm.commitWrite()
                }
                for _ in 0..<100 { verify(generator.below(5000)) }
            }
            #expect(holder.byName.count == entries.count && holder.set.count == numbers.count)
            let (map, set) = (Frozen(holder.byName), Frozen(holder.set))
            let expected = (entries, numbers)
            DispatchQueue.concurrentPerform(iterations: 4) { thread in
                let isRight = (0..<5000).allSatisfy {
                    map.value["key \($0)"] == expected.0["key \($0)"]
                        && set.value.contains($0) == expected.1.contains($0)
                }
                #expect(isRight, "thread \(thread)")
            }
        }
    }

    /// Reads by index while elements are added and removed, through this list and an equal one. Then reads of a frozen
    /// list, by several threads.
    @Test func readsBetweenChanges() throws {
        var generator = SeededGenerator(for: "reads between changes")
        try withRealm([QuickHolder.self]) { realm in
            var (ints, keys) = ((0..<2300).map { $0 }, (0..<40).map { $0 % 7 })
            let holders = try realm.write { (0..<8).map { _ in realm.create(QuickHolder.self) } }
            let same = try #require(realm.objects(QuickHolder.self).first)
            try realm.write {
                holders[0].ints.append(objectsIn: ints)
                holders[0].others.append(objectsIn: keys.map { holders[$0] })
            }
            for round in 0..<60 {
                try realm.write {
                    let list = generator.chance(50) ? holders[0].ints : same.ints
                    for _ in 0..<generator.below(5) {
                        let place = generator.below(ints.count)
                        switch generator.below(4) {
                        case 0: (list[place], ints[place]) = (round << 20, round << 20)
                        case 1:
                            list.remove(at: place)
                            ints.remove(at: place)
                        case 2:
                            list.removeLast()
                            ints.removeLast()
                        default:
                            list.insert(round << 40, at: place)
                            ints.insert(round << 40, at: place)
                        }
                        for place in [0, place - 1, place, ints.count - 1] where ints.indices ~= place {
                            #expect(holders[0].ints[place] == ints[place])
                            #expect(same.ints[place] == ints[place])
                        }
                    }
                    let place = generator.below(keys.count)
                    keys[place] = generator.below(8)
                    same.others[place] = holders[keys[place]]
                    #expect(keys.indices.allSatisfy { holders[0].others[$0].isSameObject(as: holders[keys[$0]]) })
                }
                #expect(ints.indices.allSatisfy { holders[0].ints[$0] == ints[$0] })
            }
            let (frozen, expected) = (Frozen(holders[0].ints), ints)
            DispatchQueue.concurrentPerform(iterations: 4) { thread in
                let isRight = expected.indices.allSatisfy { frozen.value[$0] == expected[$0] }
                #expect(isRight, "thread \(thread)")
            }
        }
    }

    /// Dictionaries of numbers of every width, some stored apart from their type.
    @Test(arguments: [1, 7, 8, 23, 24, 55, 56, 63])
    func dictionaries(_ bitCount: Int) throws {
        var generator = SeededGenerator(for: "dictionaries of \(bitCount) bits")
        let values = Values(
            ints: (0..<300).map { _ in
                let magnitude = Int(generator.next() >> UInt64(64 - bitCount))
                return generator.chance(50) ? magnitude : ~magnitude
            })
        try withRealm([QuickHolder.self]) { realm in
            let holder = QuickHolder()
            values.fill(holder)
            try realm.write { realm.add(holder) }
            values.check(holder)
            try realm.write { holder.byName["k\(values.ints[150])"] = .max }
            #expect(holder.byName.map(\.value).filter { $0 == .max }.count == 1)
            #expect(holder.byName.map(\.value) == holder.byName.keys.map { holder.byName[$0] })
        }
    }

    /// Mixed properties of types that are read in place, and of others, in leaves of one or several forms.
    @Test(arguments: [false, true])
    func mixedProperties(_ areShort: Bool) throws {
        var generator = SeededGenerator(for: "mixed properties, short: \(areShort)")
        let values: [AnyRealmValue] = (0..<600).map { index in
            let bits = generator.next() >> UInt64(generator.below(64))
            let length = generator.below(areShort ? 16 : 90)
            return switch generator.below(8) {
            case 0: .int(Int(truncatingIfNeeded: bits))
            case 1: .int(-Int(bits >> 1))
            case 2: .double(Double(bitPattern: bits & 0x7FEF_FFFF_FFFF_FFFF))
            case 3: .string(String(repeating: "é", count: length / 2))
            case 4: .data(Data(repeating: UInt8(index % 256), count: length))
            case 5: .bool(bits & 1 == 0)
            case 6: .date(Date(timeIntervalSince1970: Double(index)))
            default: .none
            }
        }
        try withRealm([QuickHolder.self]) { realm in
            var holders: [QuickHolder] = []
            try realm.write {
                for value in values {
                    holders.append(realm.create(QuickHolder.self))
                    holders[holders.count - 1].any = value
                }
                #expect(holders.map(\.any) == values)
                holders[7].any = .string("seven")
                #expect(holders[7].any == .string("seven") && holders[8].any == values[8])
                holders[7].any = values[7]
            }
            #expect(holders.map(\.any) == values)
            #expect(Array(realm.objects(QuickHolder.self).map(\.any)) == values)
            #expect(Array(realm.freeze().objects(QuickHolder.self).map(\.any)) == values)
        }
    }

    /// An iteration returns the elements at its start. Iterators are values.
    @Test func iterationsAndChanges() throws {
        try withRealm([QuickHolder.self]) { realm in
            let holder = QuickHolder()
            let values = Values(ints: Array(0..<200))
            try realm.write {
                realm.add(holder)
                values.fill(holder)
                var seen: [Int] = []
                for value in holder.ints {
                    seen.append(value)
                    holder.ints.append(value)
                }
                #expect(seen == values.ints)
                holder.ints.removeSubrange(200..<400)
            }
            var iterator = holder.ints.makeIterator()
            for _ in 0..<20 { _ = iterator.next() }
            var copy = iterator
            try realm.write { holder.ints.removeAll() }
            #expect(Array(IteratorSequence(iterator)) == Array(20..<200))
            #expect(copy.next() == 20)
            #expect(Array(holder.ints) == [])
        }
    }

    /// Two accessors of one list, and of its nested lists, see each other's changes: outside of writes, within them,
    /// and after a cancelled one.
    @Test func accessorsOfOneList() throws {
        try withRealm([QuickHolder.self]) { realm in
            let holder = QuickHolder()
            try realm.write { realm.add(holder) }
            let other = try #require(realm.objects(QuickHolder.self).first)
            var model: [Int] = []
            var generator = SeededGenerator(for: "accessors of one list")
            for round in 0..<20 {
                let before = model
                realm.beginWrite()
                for _ in 0..<60 {
                    let (writer, reader) = generator.chance(50) ? (holder, other) : (other, holder)
                    let index = generator.below(model.count + 1)
                    if index < model.count, generator.chance(40) {
                        writer.ints.remove(at: index)
                        model.remove(at: index)
                    } else {
                        writer.ints.insert(round, at: index)
                        model.insert(round, at: index)
                    }
                    #expect(reader.ints.count == model.count)
                    if index < model.count { #expect(reader.ints[index] == model[index]) }
                    if generator.chance(10) { realm.create(QuickHolder.self) }
                    if generator.chance(10) { writer.any = .int(index) }
                }
                if round % 3 == 0 {
                    realm.cancelWrite()
                    model = before
                } else {
                    try realm.commitWrite()
                }
                #expect(Array(holder.ints) == model)
                #expect(Array(other.ints) == model)
            }
            try realm.write { holder.any = .fromArray([.fromArray([.int(1)]), .int(2)]) }
            let inner = try #require(other.any.listValue?[0].listValue)
            try realm.write {
                holder.any.listValue?[0].listValue?.append(.int(3))
                #expect(Array(inner) == [.int(1), .int(3)])
                holder.any.listValue?.insert(.none, at: 0)
                #expect(Array(inner) == [.int(1), .int(3)])
                inner.append(.int(4))
                #expect(holder.any.listValue?[1].listValue.map { Array($0) } == [.int(1), .int(3), .int(4)])
                holder.any = .none
                #expect(inner.isInvalidated)
            }
        }
    }
}

extension QuickHolder {
    fileprivate func freeCopy() -> QuickHolder { QuickHolder(value: self) }
}
