// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTestSupport
import Testing

@testable import RealmQuery

/// Sorted and distinct objects and aggregates of random databases compared with a direct computation.
@Suite struct SortTests {
    private struct Path {
        let steps: [String]
        let property: ModelDatabase.Property
    }

    @Test func randomOrders() throws {
        let seed = SeededGenerator(for: "SortTests").seed
        for round in 0..<12 {
            var random = SeededGenerator(seed: seed &+ UInt64(round))
            let model = try ModelDatabase(&random)
            for index in model.classes.indices {
                for _ in 0..<10 { try check(model, index, &random, "seed \(seed), round \(round)") }
            }
        }
    }

    private func check(
        _ model: ModelDatabase, _ index: Int, _ random: inout SeededGenerator, _ place: String
    ) throws {
        let owner = model.classes[index]
        let paths = (0..<1 + random.below(3)).compactMap { _ in path(model, index, &random) }
        guard !paths.isEmpty else { return }
        let directions = paths.map { _ in random.chance(50) }
        let keys = owner.keys.shuffled(using: &random)
        let texts = paths.map { PropertyPath($0.steps.joined(separator: ".")) }

        let order = try SortOrder(
            zip(texts, directions).map { SortKey($0, ascending: $1) }, on: owner.table, in: model.snapshot)
        let sorted = try order.sort(keys, in: model.snapshot)
        let expected = keys.enumerated().sorted { a, b in
            for (path, ascending) in zip(paths, directions) {
                let (valueA, valueB) = (value(path, a.element, model, index), value(path, b.element, model, index))
                let order = compare(valueA, valueB)
                if order != 0 { return (order < 0) == ascending }
            }
            return a.offset < b.offset
        }
        #expect(sorted == expected.map(\.element), "\(place): \(order.keys)")

        let distinct = try Distinct(texts, on: owner.table, in: model.snapshot)
        var firsts: [ObjectKey] = []
        for key in keys where paths.allSatisfy({ value($0, key, model, index) != nil }) {
            let isNew = !firsts.contains { other in
                paths.allSatisfy { compare(value($0, other, model, index), value($0, key, model, index)) == 0 }
            }
            if isNew { firsts.append(key) }
        }
        #expect(try distinct.distinct(of: keys, in: model.snapshot) == firsts, "\(place): \(texts)")
        try checkAggregates(model, index, keys, place)
    }

    private func checkAggregates(_ model: ModelDatabase, _ index: Int, _ keys: [ObjectKey], _ place: String) throws {
        let owner = model.classes[index]
        let operations: [(AggregateOperation, CollectionOperation)] = [
            (.min, .min), (.max, .max), (.sum, .sum), (.average, .average),
        ]
        for property in owner.properties where property.kind == .single {
            for (operation, naive) in operations where operation.accepts(property.type) {
                let aggregate = try Aggregate(operation, of: property.name, on: owner.table, in: model.snapshot)
                let some = keys.prefix(keys.count / 2)
                for (found, objects) in [
                    (try aggregate.value(in: model.snapshot), owner.keys[...]),
                    (try aggregate.value(over: some, in: model.snapshot), some),
                ] {
                    let values = objects.map { owner.values[$0]![property.name]![0] }
                    let expected = NaiveAggregate.value(naive, values, property.type)
                    #expect(
                        StoredValue.compare(found, expected) == 0 || found.isNaN && expected.isNaN,
                        "\(place): \(operation) of \(property.name), \(found) and not \(expected)")
                }
            }
        }
    }

    // MARK: Model

    private func path(_ model: ModelDatabase, _ start: Int, _ random: inout SeededGenerator) -> Path? {
        var steps: [String] = []
        var index = start
        for _ in 0..<random.below(3) {
            guard let link = model.classes[index].properties.filter({ $0.kind == .link }).randomElement(using: &random)
            else { break }
            steps.append(link.name)
            index = link.target
        }
        // The order of Mixed isn't transitive between Decimals and Doubles.
        let candidates = model.classes[index].properties.filter { $0.kind == .single && $0.type != .mixed }
        return candidates.randomElement(using: &random).map { Path(steps: steps + [$0.name], property: $0) }
    }

    /// Returns nil after a null link.
    private func value(_ path: Path, _ key: ObjectKey, _ model: ModelDatabase, _ index: Int) -> StoredValue? {
        var (key, index) = (key, index)
        for step in path.steps.dropLast() {
            guard case .link(let next) = model.classes[index].values[key]![step]![0] else { return nil }
            index = model.classes[index].properties.first { $0.name == step }!.target
            key = next
        }
        return model.classes[index].values[key]![path.property.name]![0]
    }

    private func compare(_ a: StoredValue?, _ b: StoredValue?) -> Int {
        guard let a, let b else { return a == nil ? (b == nil ? 0 : 1) : -1 }
        return StoredValue.compare(a, b)
    }
}
