// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmTestSupport
import Testing

@testable import RealmQuery

/// Prints the time of sorting, distinct, and folding per object, as the minimum of several rounds. Runs only with
/// `REGNUM_BENCH` set to the number of objects.
@Suite(.enabled(if: Settings.isSet("REGNUM_BENCH"), "only with REGNUM_BENCH")) struct SortFixture {
    @Test func people() throws {
        var random = SeededGenerator(seed: 7)
        let count = Settings.number("REGNUM_BENCH") ?? 100_000
        let database = try Database.inMemory(in: NSTemporaryDirectory())
        let write = try database.beginWrite()
        let table = try write.schema.addTable("class_Person")
        let name = try write.schema.addColumn("name", .string, to: table)
        let age = try write.schema.addColumn("age", .int, to: table)
        let score = try write.schema.addColumn("score", .double, to: table)
        for _ in 0..<count {
            let values: [ColumnKey: StoredValue] = [
                name: .string("person-\(random.below(100_000))"), age: .int(Int64(random.below(100))),
                score: .double(Double(random.below(1_000_000)) / 1000),
            ]
            _ = try write.createObject(in: table, values)
        }
        try write.commit()
        let snapshot = try database.snapshot(label: "bench")
        let keys = try Query.compile(Predicate(parsing: "TRUEPREDICATE"), on: table, in: snapshot).objects(in: snapshot)
        let old = try Query.compile(Predicate(parsing: "age > 50"), on: table, in: snapshot)
        let some = try old.objects(in: snapshot)
        func measure(_ label: String, _ paths: [SortKey], _ body: (RealmQuery.SortOrder) throws -> Int) throws {
            let order = try RealmQuery.SortOrder(paths, on: table, in: snapshot)
            var (best, result) = (Double.infinity, 0)
            for _ in 0..<9 {
                let start = ContinuousClock.now
                result = try body(order)
                best = min(best, (ContinuousClock.now - start) / .nanoseconds(1))
            }
            let figure = String(format: "%10.3f", best / Double(count))
            print("\(figure) ns \(label) (\(result))")
        }
        let (byScore, byAge) = (SortKey(PropertyPath("score")), SortKey(PropertyPath("age")))
        let scoreDown = SortKey(PropertyPath("score"), ascending: false)
        try measure("sort_score", [byScore]) { try $0.sort(keys, in: snapshot).count }
        try measure("sort_score of a filter", [byScore]) { try $0.sort(some, in: snapshot).count }
        try measure("sort_age", [byAge]) { try $0.sort(keys, in: snapshot).count }
        try measure("sort_two_keys", [byAge, scoreDown]) { try $0.sort(keys, in: snapshot).count }
        try measure("sort_string", [SortKey(PropertyPath("name"))]) { try $0.sort(keys, in: snapshot).count }
        for column in ["age", "score", "name"] {
            let distinct = try Distinct([PropertyPath(column)], on: table, in: snapshot)
            try measure("distinct_\(column)", []) { _ in try distinct.distinct(of: keys, in: snapshot).count }
        }
        for column in ["score", "name", "age"] {
            try measure("first_10_by_\(column)", [SortKey(PropertyPath(column))]) {
                try $0.first(10, in: snapshot).count
            }
        }
        for column in ["age", "score"] {
            let sum = try Aggregate(.sum, of: column, on: table, in: snapshot)
            try measure("sum_\(column)", []) { _ in try sum.value(in: snapshot).isNull ? 0 : 1 }
            try measure("sum_\(column) one by one", []) { _ in
                let table = try snapshot.require(table)
                var (accumulator, cursor) = (Accumulator(.sum, sum.column.type ?? .int), ObjectCursor(table))
                var leaves = ColumnLeaves(try table.require(sum.column))
                for key in some {
                    guard let position = try cursor.find(key) else { continue }
                    try accumulator.add(try leaves.leaf(of: position.leaf), from: position.row, count: 1)
                }
                return accumulator.count
            }
            try measure("sum_\(column) of a filter", []) { _ in try sum.value(over: some, in: snapshot).isNull ? 0 : 1 }
        }
        try measure("count", []) { _ in try old.count(in: snapshot) }
    }
}
