// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmSystem
import RealmTestSupport
import Testing

@testable import RealmQuery

/// Scans by several threads compared with scans by one.
@Suite struct ParallelScanTests {
    private let items: TableKey
    private let snapshot: Snapshot
    private static let content = Result { try items() }

    init() throws { (items, snapshot) = try ParallelScanTests.content.get() }

    /// 20,000 items in 100 groups, with a gap in their keys.
    private static func items() throws -> (TableKey, Snapshot) {
        let database = try Database.inMemory(in: NSTemporaryDirectory())
        let write = try database.beginWrite()
        let groups = try write.schema.addTable("class_Group")
        let items = try write.schema.addTable("class_Item")
        let title = try write.schema.addColumn("title", .string, [], to: groups)
        let size = try write.schema.addColumn("size", .int, .nullable, to: items)
        let weight = try write.schema.addColumn("weight", .double, [], to: items)
        let day = try write.schema.addColumn("day", .timestamp, .nullable, to: items)
        let name = try write.schema.addColumn("name", .string, .nullable, to: items)
        let note = try write.schema.addColumn("note", .mixed, .nullable, to: items)
        let group = try write.schema.addColumn("group", .link, [], target: groups, to: items)
        var keys: [ObjectKey] = []
        for number in 0..<100 { keys.append(try write.createObject(in: groups, [title: .string("group \(number)")])) }
        for number in 0..<20_000 {
            let value = number % 7 == 3 ? StoredValue.null : .int(Int64(number % 1_000))
            let text = String(repeating: "item ", count: number < 10_000 ? 1 : 20) + "\(number % 500)"
            let any = number % 3 == 0 ? StoredValue.string(text) : .double(Double(number) / 2)
            let key = try write.createObject(
                in: items,
                [
                    size: value, name: .string(text), note: any,
                    weight: .double(1 / Double(number * 7919 % 10_007 + 1)),
                    day: number % 5 == 0
                        ? .null : .timestamp(Timestamp(seconds: Int64(number * 31 % 9_999), nanoseconds: 0)),
                ])
            try write.set(.link(keys[number % 100]), group, of: key, in: items)
            if 5_000..<9_000 ~= number, number % 3 != 0 { try write.removeObject(key, from: items) }
        }
        try write.commit()
        return (items, try database.snapshot(label: "items"))
    }

    @Test(arguments: [
        "size > 500", "size == nil", "size IN {1, 2, 3, 900}", "group.title == 'group 7'",
        "group.title ENDSWITH '7' AND size < 300", "group.title ENDSWITH '7' OR size == 12", "size > 5000",
        "NOT (size BETWEEN {10, 990})",
        "name == 'item 77'", "name IN {'item 3', 'item 499', 'no item'}", "name ENDSWITH '99' OR note < 900",
        "NOT (name CONTAINS 'item 1')", "note > 9000", "note CONTAINS '33' AND size < 500",
        "group.title CONTAINS 'oup' AND group.title != 'group 3'",
    ])
    func sameAsOneThread(_ text: String) throws {
        var query = try Query.compile(Predicate(parsing: text, dialect: .query), on: items, in: snapshot)
        query.plannerOptions.threads = 1
        let expected = try query.objects(in: snapshot)
        (query.plannerOptions.minRowsForThreads, query.plannerOptions.minCostForThreads) = (0, 0)
        for threads in [2, 5] {
            query.plannerOptions.threads = threads
            for leaves in [1, 3, 1_000] {
                query.plannerOptions.leavesPerPiece = leaves
                #expect(try query.objects(in: snapshot) == expected)
                #expect(try query.count(in: snapshot) == expected.count)
                #expect(try query.objects(in: snapshot, first: 3) == Array(expected.prefix(3)))
            }
        }
    }

    @Test func scansWithinScans() async throws {
        var query = try Query.compile(
            Predicate(parsing: "group.title ENDSWITH '7' AND size < 300"), on: items, in: snapshot)
        query.plannerOptions.threads = 1
        let expected = try query.count(in: snapshot)
        query.plannerOptions.threads = 4
        (query.plannerOptions.minRowsForThreads, query.plannerOptions.minCostForThreads) = (0, 0)
        query.plannerOptions.leavesPerPiece = 2
        let (shared, snapshot) = (query, snapshot)
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<16 { group.addTask { try shared.count(in: snapshot) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == Array(repeating: expected, count: 16))
    }

    /// Equal to the last bit, even if sums are rounded.
    @Test(arguments: [
        ("size", AggregateOperation.allCases), ("weight", AggregateOperation.allCases), ("day", [.min, .max]),
        ("note", AggregateOperation.allCases),
    ])
    func aggregatesEqualThoseOfOneThread(_ property: String, _ operations: [AggregateOperation]) throws {
        for operation in operations {
            var aggregate = try Aggregate(operation, of: property, on: items, in: snapshot)
            aggregate.plannerOptions.threads = 1
            let expected = try aggregate.value(in: snapshot)
            let keys = try snapshot.require(items).allKeys()
            #expect(try aggregate.value(over: keys, in: snapshot) == expected && !expected.isNull)
            (aggregate.plannerOptions.minRowsForThreads, aggregate.plannerOptions.minCostForThreads) = (0, 0)
            aggregate.plannerOptions.threads = 4
            for leaves in [1, 7] {
                aggregate.plannerOptions.leavesPerPiece = leaves
                #expect(try aggregate.value(in: snapshot) == expected)
            }
        }
    }

    private struct Failure: Error {}

    @Test func anErrorStopsTheWork() async {
        let work = SharedWork<Int>(count: 1_000)
        work.work { { number in if number == 3 { throw Failure() } else { number } } }
        #expect(throws: Failure.self) { try work.finish() }
        let rest = SharedWork<Int>(count: 2)
        rest.work { { $0 * 10 } }
        rest.work {
            Issue.record("there was nothing left to do"); return { $0 }
        }
        #expect(throws: Never.self) { try rest.finish() == [0, 10] }
    }
}
