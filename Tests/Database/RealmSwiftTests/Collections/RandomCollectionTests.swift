// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import Testing

@testable import RealmSwift

final class RandomHolder: TestObject {
    @Persisted var texts: List<String?>
    @Persisted var things: List<RandomThing>
    @Persisted var anys: List<AnyRealmValue>
    @Persisted var textSet: MutableSet<String?>
    @Persisted var otherTextSet: MutableSet<String?>
    @Persisted var intSet: MutableSet<Int>
    @Persisted var otherIntSet: MutableSet<Int>
    @Persisted var thingSet: MutableSet<RandomThing>
    @Persisted var otherAnimalSet: MutableSet<RandomThing>
    @Persisted var numbers: Map<String, Int?>
    @Persisted var otherNumbers: Map<String, Int?>
    @Persisted var thingMap: Map<String, RandomThing?>
    @Persisted var otherAnimalMap: Map<String, RandomThing?>

    static let types: [ObjectBase.Type] = [RandomHolder.self, RandomThing.self]
}

/// With a primary key, so that accessors of one row are equal.
final class RandomThing: TestObject {
    @Persisted(primaryKey: true) var id: Int
}

/// Random operations on managed and unmanaged lists, sets, and maps, compared with Swift's collections. The file is
/// audited.
@Suite struct RandomCollectionTests {
    private func run(
        managed: Bool, _ name: String, _ body: (RandomHolder, [RandomThing], inout SeededGenerator) throws -> Void
    ) throws {
        var random = SeededGenerator(for: "RandomCollectionTests.\(name)")
        print("RandomCollectionTests.\(name): seed \(random.seed)")
        let holder = RandomHolder()
        let things = (0..<12).map { RandomThing(value: ["id": $0]) }
        guard managed else {
            for _ in 0..<40 { try body(holder, things, &random) }
            return
        }
        try withRealm(RandomHolder.types) { realm in
            try realm.write {
                realm.add(holder)
                realm.add(things)
            }
            for _ in 0..<40 { try realm.write { try body(holder, things, &random) } }
        }
    }

    // MARK: Lists

    private func check<Element: RealmCollectionValue>(
        _ list: List<Element>, _ elements: [Element], _ random: inout SeededGenerator
    ) {
        var model = Array(list)
        for _ in 0..<25 {
            let operation = change(list, &model, elements, &random)
            #expect(list.count == model.count && Array(list) == model, "\(operation)")
            #expect(list.first == model.first && list.last == model.last && list.isEmpty == model.isEmpty)
            #expect(list.indices.map { list[$0] } == model, "\(operation)")
            if let element = model.randomElement(using: &random) {
                #expect(list.index(of: element) == model.firstIndex(of: element) && list.contains(element))
            }
        }
    }

    private func change<Element: RealmCollectionValue>(
        _ list: List<Element>, _ model: inout [Element], _ elements: [Element], _ random: inout SeededGenerator
    ) -> String {
        let (count, element) = (model.count, random.pick(elements))
        let some = (0..<random.below(5)).map { _ in random.pick(elements) }
        let end = random.below(count + 1)
        let start = random.below(end + 1)
        let offsets = IndexSet((0..<count).filter { _ in random.chance(30) })
        if count > 40 {
            list.removeLast(count - 10)
            model.removeLast(count - 10)
            return "removeLast"
        }
        switch random.below(count == 0 ? 6 : 17) {
        case 0:
            list.append(element)
            model.append(element)
            return "append"
        case 1:
            list.append(objectsIn: some)
            model += some
            return "append(objectsIn:)"
        case 2:
            list.insert(element, at: end)
            model.insert(element, at: end)
            return "insert at \(end)"
        case 3:
            list.insert(contentsOf: some, at: end)
            model.insert(contentsOf: some, at: end)
            return "insert(contentsOf:) at \(end)"
        case 4:
            list.replaceSubrange(start..<end, with: some)
            model.replaceSubrange(start..<end, with: some)
            return "replaceSubrange \(start)..<\(end)"
        case 5:
            list.append(objectsIn: list)
            model += model
            return "append itself"
        case 6:
            let index = random.below(count)
            list.remove(at: index)
            model.remove(at: index)
            return "remove at \(index)"
        case 7:
            list.removeFirst(start)
            model.removeFirst(start)
            return "removeFirst(\(start))"
        case 8:
            list.removeLast(start)
            model.removeLast(start)
            return "removeLast(\(start))"
        case 9:
            list.removeSubrange(start..<end)
            model.removeSubrange(start..<end)
            return "removeSubrange \(start)..<\(end)"
        case 10:
            list.removeSubrange(start...)
            model.removeSubrange(start...)
            return "removeSubrange \(start)..."
        case 11:
            list.remove(atOffsets: offsets)
            for index in offsets.reversed() { model.remove(at: index) }
            return "remove(atOffsets: \(Array(offsets)))"
        case 12:
            list.move(fromOffsets: offsets, toOffset: end)
            let moved = offsets.map { model[$0] }
            for index in offsets.reversed() { model.remove(at: index) }
            model.insert(contentsOf: moved, at: end - offsets.count { $0 < end })
            return "move(fromOffsets: \(Array(offsets)), toOffset: \(end))"
        case 13:
            let (from, to) = (random.below(count), random.below(count))
            list.move(from: from, to: to)
            model.insert(model.remove(at: from), at: to)
            return "move from \(from) to \(to)"
        case 14:
            let (first, second) = (random.below(count), random.below(count))
            list.swapAt(first, second)
            model.swapAt(first, second)
            return "swap \(first), \(second)"
        case 15:
            list[start..<end] = List(some)[0..<some.count]
            model.replaceSubrange(start..<end, with: some)
            return "[\(start)..<\(end)] ="
        default:
            let index = random.below(count)
            if random.chance(50) { list[index] = element } else { list.replace(index: index, object: element) }
            model[index] = element
            if random.chance(5) {
                list.removeAll()
                model = []
            }
            return "[\(index)] ="
        }
    }

    @Test(arguments: [false, true]) func lists(_ managed: Bool) throws {
        let texts: [String?] = [nil, "", "a", "A", "läuft", String(repeating: "long", count: 30)]
        try run(managed: managed, "lists") { holder, things, random in
            check(holder.texts, texts, &random)
            check(holder.things, things, &random)
            check(holder.anys, Samples.scalars, &random)
        }
    }

    // MARK: Sets

    private func check<Element: RealmCollectionValue>(
        _ set: MutableSet<Element>, _ other: MutableSet<Element>, _ elements: [Element], _ random: inout SeededGenerator
    ) {
        var model = Set(set)
        var otherModel = Set(other)
        func expectEqual() {
            #expect(set.count == model.count && Set(set) == model && Set(set.indices.map { set[$0] }) == model)
            #expect(set.isSubset(of: other) == model.isSubset(of: otherModel))
            #expect(other.isSubset(of: set) == otherModel.isSubset(of: model))
            #expect(set.intersects(other) == !model.isDisjoint(with: otherModel))
            #expect(elements.allSatisfy { set.contains($0) == model.contains($0) })
        }
        for _ in 0..<25 {
            let some = (0..<random.below(6)).map { _ in random.pick(elements) }
            switch random.below(9) {
            case 0, 1:
                set.insert(objectsIn: some)
                model.formUnion(some)
            case 2:
                let element = random.pick(elements)
                set.insert(element)
                model.insert(element)
            case 3, 4:
                other.insert(objectsIn: some)
                otherModel.formUnion(some)
            case 5:
                let element = random.pick(elements)
                set.remove(element)
                model.remove(element)
                other.remove(element)
                otherModel.remove(element)
            case 6:
                set.formUnion(other)
                model.formUnion(otherModel)
            case 7:
                set.formIntersection(other)
                model.formIntersection(otherModel)
            default:
                if random.chance(10) {
                    set.subtract(set)
                    model = []
                } else {
                    set.subtract(other)
                    model.subtract(otherModel)
                }
            }
            expectEqual()
        }
        other.removeAll()
        otherModel = []
        expectEqual()
    }

    @Test(arguments: [false, true]) func sets(_ managed: Bool) throws {
        let texts: [String?] = [nil, "", "a", "A", "e\u{301}", "\u{E9}a", String(repeating: "long", count: 30)]
        try run(managed: managed, "sets") { holder, things, random in
            check(holder.textSet, holder.otherTextSet, texts, &random)
            check(holder.intSet, holder.otherIntSet, Array(-5..<10) + [.min, .max], &random)
            check(holder.thingSet, holder.otherAnimalSet, things, &random)
        }
    }

    // MARK: Maps

    private func check<Value: RealmCollectionValue>(
        _ map: Map<String, Value>, _ other: Map<String, Value>, _ values: [Value], _ random: inout SeededGenerator
    ) {
        let keys = ["", "a", "A", "key with spaces", "läuft", "k1", "k2", "k3"]
        var model = Dictionary(uniqueKeysWithValues: map.asKeyValueSequence().map { ($0.key, $0.value) })
        for _ in 0..<25 {
            let (key, value) = (random.pick(keys), random.pick(values))
            let some = (0..<random.below(5)).map { _ in (key: random.pick(keys), value: random.pick(values)) }
            let keepsOld = random.chance(50)
            switch random.below(7) {
            case 0:
                map[key] = value
                model[key] = .some(value)
            case 1:
                map.updateValue(value, forKey: key)
                model.updateValue(value, forKey: key)
            case 2:
                map[key] = nil
                model[key] = nil
            case 3:
                map.removeObject(for: key)
                model.removeValue(forKey: key)
            case 4:
                map.merge(some) { keepsOld ? $0 : $1 }
                model.merge(some.map { ($0.key, $0.value) }) { keepsOld ? $0 : $1 }
            case 5:
                other.removeAll()
                for (key, value) in some { other.updateValue(value, forKey: key) }
                map.merge(other) { keepsOld ? $0 : $1 }
                model.merge(other.asKeyValueSequence().map { ($0.key, $0.value) }) { keepsOld ? $0 : $1 }
            default:
                if random.chance(10) {
                    map.removeAll()
                    model = [:]
                }
            }
            #expect(map.count == model.count && Set(map.keys) == Set(model.keys))
            #expect(Dictionary(uniqueKeysWithValues: zip(map.keys, map.values)) == model)
            #expect(Dictionary(uniqueKeysWithValues: map.map { ($0.key, $0.value) }) == model)
            #expect(keys.allSatisfy { map[$0] == model[$0] })
        }
    }

    @Test(arguments: [false, true]) func maps(_ managed: Bool) throws {
        try run(managed: managed, "maps") { holder, things, random in
            check(holder.numbers, holder.otherNumbers, [nil, 0, -1, .max], &random)
            check(holder.thingMap, holder.otherAnimalMap, [nil] + things, &random)
        }
    }
}
