// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmTestSupport
import Testing

@testable import RealmQuery

/// Scan loops of every width, and aggregates that overflow.
@Suite struct ScanTests {
    /// Leaves of each packed width, nullable or not, and of every length up to two words of bits.
    @Test func everyWidth() throws {
        let bounds: [(Int64, Int64)] = [
            (0, 0), (0, 1), (0, 3), (0, 15), (-128, 127), (-32768, 32767), (-(1 << 31), (1 << 31) - 1), (.min, .max),
        ]
        var random = SeededGenerator(seed: 7)
        for (low, high) in bounds {
            for count in [1, 2, 63, 64, 65, 130, 256, 257] {
                let values = (0..<count).map { index in
                    index == 0 ? low : index == 1 ? high : Int64.random(in: low...high, using: &random)
                }
                try check(values, isNullable: false, &random)
                try check(values, isNullable: true, &random)
            }
        }
    }

    private func check(_ values: [Int64], isNullable: Bool, _ random: inout SeededGenerator) throws {
        let stored = values.map { value in isNullable && random.chance(20) ? StoredValue.null : .int(value) }
        let (table, snapshot, database) = try Self.table(.int, isNullable ? .nullable : [], stored)
        let edges = [values[0], values.last!, 0, 1, values.min()!, values.max()!]
        for (a, b) in zip(edges, edges.dropFirst() + [edges[0]]) {
            for operation in [ComparisonOperator.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual] {
                let query = try Query.compile(.compare("x", operation, .int(a)), on: table, in: snapshot)
                let expected = stored.indices.filter { index in
                    guard case .int(let value) = stored[index] else { return operation == .notEqual }
                    return operation.holds(value < a ? -1 : value > a ? 1 : 0)
                }
                #expect(try query.objects(in: snapshot) == expected.map { ObjectKey.squeezed(UInt64($0)) })
            }
            let between = Comparison(.path("x"), .between, .values([.int(min(a, b)), .int(max(a, b))]))
            let query = try Query.compile(.comparison(between), on: table, in: snapshot)
            let expected = stored.count { value in
                if case .int(let value) = value { min(a, b)...max(a, b) ~= value } else { false }
            }
            #expect(try query.count(in: snapshot) == expected)
        }
        _ = database
    }

    @Test func sumsWrapAndAveragesDoNot() throws {
        let values: [StoredValue] = [.int(.max), .int(.max), .null, .int(5)]
        let (table, snapshot, database) = try Self.table(.int, .nullable, values)
        let value = { (operation: AggregateOperation) in
            try Aggregate(operation, of: "x", on: table, in: snapshot).value(in: snapshot)
        }
        #expect(try value(.sum) == .int(3))
        #expect(try value(.average) == .double((2 * 0x1p63 + 3) / 3))
        #expect(try value(.max) == .int(.max))
        #expect(try value(.min) == .int(5))
        let average = try Aggregate(.average, of: "x", on: table, in: snapshot)
        #expect(try average.value(over: [ObjectKey(2)], in: snapshot) == .null)
        #expect(try average.value(over: [ObjectKey(3), ObjectKey(3), ObjectKey(77)], in: snapshot) == .double(5))
        _ = database
    }

    @Test func negativeSums() throws {
        let (table, snapshot, database) = try Self.table(.int, [], [.int(-7), .int(2), .int(-(1 << 40))])
        let sum = try Aggregate(.sum, of: "x", on: table, in: snapshot).value(in: snapshot)
        #expect(sum == .int(-5 - (1 << 40)))
        let average = try Aggregate(.average, of: "x", on: table, in: snapshot).value(in: snapshot)
        #expect(average == .double(Double(-5 - (1 << 40)) / 3))
        _ = database
    }

    @Test func rowSets() {
        var random = SeededGenerator(seed: 3)
        for count in 0...256 {
            let all = RowSet(count: count)
            #expect(all.count == count && all.isEmpty == (count == 0) && all.first == (count == 0 ? nil : 0))
            let chosen = Set((0..<count).filter { _ in random.chance(30) })
            let set = all.filter { chosen.contains($0) }
            #expect(set.count == chosen.count && set.first == chosen.min())
            #expect((0..<256).allSatisfy { set.contains($0) == chosen.contains($0) })
            let other = all.subtracting(set)
            #expect(other.union(set) == all && other.intersection(set).isEmpty)
            var visited: [Int] = []
            set.forEach { row in
                visited.append(row)
                return visited.count < 5
            }
            #expect(visited == Array(chosen.sorted().prefix(5)))
        }
    }

    private static func table(
        _ type: ColumnType, _ attributes: ColumnAttributes, _ values: [StoredValue]
    ) throws -> (TableKey, Snapshot, Database) {
        let database = try Database.inMemory(in: NSTemporaryDirectory())
        let write = try database.beginWrite()
        let table = try write.schema.addTable("class_Row")
        let column = try write.schema.addColumn("x", type, attributes, to: table)
        for value in values { _ = try write.createObject(in: table, [column: value]) }
        try write.commit()
        return (table, try database.snapshot(label: "rows"), database)
    }
}
