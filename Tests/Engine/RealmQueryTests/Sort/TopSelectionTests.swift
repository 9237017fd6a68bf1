// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmTestSupport
import Testing

@testable import RealmQuery

/// The first objects of an order, and groups, of random databases compared with a full sort.
@Suite struct TopSelectionTests {
    @Test func randomSelections() throws {
        let seed = SeededGenerator(for: "TopSelectionTests").seed
        for round in 0..<12 {
            var random = SeededGenerator(seed: seed &+ UInt64(round))
            let model = try ModelDatabase(&random)
            for owner in model.classes {
                // The order of mixed numbers isn't transitive (content 13.20), so several results are right.
                let singles = owner.properties.filter { $0.kind == .single && $0.type != .link && $0.type != .mixed }
                let names = singles.map(\.name)
                guard !names.isEmpty else { continue }
                for _ in 0..<10 {
                    let keys = (0..<1 + random.below(3)).map { _ in
                        SortKey(PropertyPath(random.pick(names)), ascending: random.chance(50))
                    }
                    let place: Comment = "seed \(seed), round \(round): \(keys)"
                    let order = try SortOrder(keys, on: owner.table, in: model.snapshot)
                    let limit = 1 + random.below(owner.keys.count + 2)
                    let all = try order.sort(owner.keys, in: model.snapshot)
                    #expect(try order.first(limit, in: model.snapshot) == Array(all.prefix(limit)), place)
                    #expect(try order.first(1, in: model.snapshot) == Array(all.prefix(1)), place)
                    let some = owner.keys.shuffled(using: &random)
                    let sorted = try order.sort(some, in: model.snapshot)
                    #expect(try order.first(limit, of: some, in: model.snapshot) == Array(sorted.prefix(limit)), place)
                    #expect(try order.first(0, of: some, in: model.snapshot) == [], place)
                }
            }
        }
    }

    /// Columns of integers over several leaves, which the scan can skip: all limits, directions, nulls and ties.
    @Test(arguments: [1, 3, 100, 5000]) func integers(_ spread: Int) throws {
        var random = SeededGenerator(for: "TopSelectionTests.integers")
        let database = try Database.inMemory(in: NSTemporaryDirectory())
        let transaction = try database.beginWrite()
        let table = try transaction.schema.addTable("class_T")
        let plain = try transaction.schema.addColumn("plain", .int, to: table)
        let optional = try transaction.schema.addColumn("optional", .int, [.nullable], to: table)
        for _ in 0..<1500 {
            let key = try transaction.createObject(in: table)
            let value = [Int64.min, .max, Int64(random.below(spread))][random.chance(2) ? random.below(3) : 2]
            try transaction.set(.int(value), plain, of: key, in: table)
            let other = random.chance(20) ? StoredValue.null : .int(Int64(random.below(spread)))
            try transaction.set(other, optional, of: key, in: table)
        }
        try transaction.commit()
        let snapshot = try database.snapshot(label: "test")
        let keys = try Query.compile(Predicate(parsing: "TRUEPREDICATE"), on: table, in: snapshot).objects(in: snapshot)
        let query = try Query.compile(Predicate(parsing: "plain < \(spread / 2)"), on: table, in: snapshot)
        let filtered = try query.objects(in: snapshot)
        for name in ["plain", "optional"] {
            for (ascending, second) in [(true, false), (false, false), (true, true), (false, true)] {
                let paths =
                    [SortKey(PropertyPath(name), ascending: ascending)]
                    + (second ? [SortKey(PropertyPath(name == "plain" ? "optional" : "plain"))] : [])
                let order = try SortOrder(paths, on: table, in: snapshot)
                let all = try order.sort(keys, in: snapshot)
                let some = try order.sort(filtered, in: snapshot)
                for limit in [1, 2, 17, 300, 1499, 1500, 4000] {
                    let place: Comment = "seed \(random.seed), \(paths), \(limit)"
                    #expect(try order.first(limit, in: snapshot) == Array(all.prefix(limit)), place)
                    #expect(try order.first(limit, of: query, in: snapshot) == Array(some.prefix(limit)), place)
                }
            }
        }
    }

    @Test func limitedFilters() throws {
        var random = SeededGenerator(for: "TopSelectionTests.limitedFilters")
        let model = try ModelDatabase(&random)
        for owner in model.classes {
            let query = try Query.compile(Predicate(parsing: "TRUEPREDICATE"), on: owner.table, in: model.snapshot)
            for limit in 0..<owner.keys.count + 2 {
                #expect(
                    try query.objects(in: model.snapshot, first: limit).count == min(limit, owner.keys.count))
                #expect(
                    try query.filter(owner.keys, in: model.snapshot, first: limit) == Array(owner.keys.prefix(limit)))
            }
        }
    }

    @Test func randomGroups() throws {
        let seed = SeededGenerator(for: "TopSelectionTests.randomGroups").seed
        for round in 0..<12 {
            var random = SeededGenerator(seed: seed &+ UInt64(round))
            let model = try ModelDatabase(&random)
            for owner in model.classes {
                let singles = owner.properties.filter { $0.kind == .single && $0.type != .link }
                // Mixed values have no order that all sort algorithms agree on (content 13.20).
                for property in singles where property.type != .mixed {
                    try check(model, owner, property.name, singles.map { ($0.name, $0.type) }, round)
                }
            }
        }
    }

    private func check(
        _ model: ModelDatabase, _ owner: ModelDatabase.Class, _ name: String, _ columns: [(String, ColumnType)],
        _ round: Int
    ) throws {
        let place: Comment = "round \(round), \(name)"
        let table = try model.snapshot.require(owner.table)
        func value(_ name: String, _ key: ObjectKey) throws -> StoredValue {
            guard let column = table.column(named: name) else { return .null }
            return try table.value(column.key, of: key)
        }
        // Groups of equal values, by pairwise comparison.
        var groups: [(value: StoredValue, keys: [ObjectKey], isMerged: Bool)] = []
        for key in owner.keys {
            let new = try value(name, key)
            let index = groups.firstIndex { StoredValue.compare($0.value, new) == 0 || ($0.value.isNaN && new.isNaN) }
            guard let index else {
                groups.append((new, [key], false))
                continue
            }
            groups[index].keys.append(key)
            if !new.isNaN, !groups[index].value.isIdentical(to: new) { groups[index].isMerged = true }
        }
        groups.sort { StoredValue.compare($0.value, $1.value) < 0 }
        let counts = try GroupedAggregate(by: PropertyPath(name), nil, on: owner.table, in: model.snapshot)
        let found = try counts.groups(in: model.snapshot)
        #expect(found.map(\.value) == groups.map { .int(Int64($0.keys.count)) }, place)
        let again = try counts.groups(over: owner.keys, in: model.snapshot)
        #expect(again.count == found.count && zip(again, found).allSatisfy { $0.key.isIdentical(to: $1.key) }, place)
        for (column, type) in columns {
            for operation in AggregateOperation.allCases where operation.accepts(type) {
                let aggregate = try Aggregate(operation, of: column, on: owner.table, in: model.snapshot)
                let grouped = try GroupedAggregate(
                    by: PropertyPath(name), aggregate, on: owner.table, in: model.snapshot)
                let values = try grouped.groups(in: model.snapshot).map(\.value)
                let expected = try groups.map { try aggregate.value(over: $0.keys, in: model.snapshot) }
                for (index, (value, wanted)) in zip(values, expected).enumerated() {
                    // Equal keys that are stored differently are folded separately. The rounding of sums depends on the
                    // order, and so does the choice between the decimals 1 and 1.0 as minimum.
                    if type != .int, groups[index].isMerged { continue }
                    #expect(value == wanted || value.isClose(to: wanted), "\(place): \(operation) of \(column)")
                }
                #expect(values.count == expected.count, place)
            }
        }
    }
}

extension StoredValue {
    /// The rounding of floating-point sums depends on the order of additions, which differs for equal values that are
    /// stored differently.
    fileprivate func isClose(to other: StoredValue) -> Bool {
        switch (self, other) {
        case (.double(let a), .double(let b)): a.isNaN && b.isNaN || abs(a - b) <= 1e-9 * max(abs(a), abs(b))
        case (.float(let a), .float(let b)): a.isNaN && b.isNaN
        case (.decimal(let a), .decimal(let b)): a.isNaN && b.isNaN
        default: false
        }
    }
}
