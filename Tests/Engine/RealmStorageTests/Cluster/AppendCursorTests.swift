// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmStorage

/// Objects appended through an open leaf.
@Suite struct AppendCursorTests {
    private static let columns: [(name: String, type: ColumnType, attributes: ColumnAttributes)] = [
        ("int", .int, []), ("text", .string, []), ("maybe", .int, .nullable), ("double", .double, []),
        ("time", .timestamp, .nullable),
    ]

    /// Runs of new objects in two tables, with and without a primary key, compared with a dictionary. In between, other
    /// changes move the open leaves: objects under given keys, removals, values and links, new columns, and commits.
    /// Leaves have the format's size or less.
    @Test(arguments: [nil, 4, 7] as [Int?], [false, true])
    func runsAmongOtherChanges(_ capacity: Int?, _ hasPrimaryKey: Bool) throws {
        try TestDatabase.using { test in
            var generator = SeededGenerator(for: "objects appended, \(capacity ?? 0) \(hasPrimaryKey)")
            var table = TableKey.null
            var other = TableKey.null
            var columns: [ColumnKey] = []
            var (link, primaryKey) = (ColumnKey.null, ColumnKey.null)
            var model: [ObjectKey: [StoredValue]] = [:]
            var links: [ObjectKey: ObjectKey] = [:]
            var serial: Int64 = 0
            try test.write { transaction in
                other = try transaction.schema.addTable("class_B")
                table = try transaction.schema.addTable("class_A")
                primaryKey = try transaction.schema.addColumn("id", .int, to: table)
                if hasPrimaryKey { try transaction.schema.setPrimaryKey(primaryKey, of: table) }
                for (name, type, attributes) in AppendCursorTests.columns {
                    columns.append(try transaction.schema.addColumn(name, type, attributes, to: table))
                }
                try transaction.indexes.add(columns[1], of: table)
                link = try transaction.schema.addColumn("link", .link, target: table, to: table)
            }
            func create(_ transaction: WriteTransaction, under explicit: ObjectKey? = nil) throws -> ObjectKey {
                serial += 1
                var (given, expected) = ([primaryKey: StoredValue.int(serial)], [StoredValue]())
                for column in columns {
                    let isGiven = generator.chance(80)
                    let value = AppendCursorTests.value(of: column, &generator)
                    if isGiven { given[column] = value }
                    let rest: StoredValue = column.isNullable ? .null : Column.defaultValue(column.type ?? .int)
                    expected.append(isGiven ? value : rest)
                }
                var key = ObjectKey.null
                if let explicit {
                    try transaction.createObject(explicit, in: table, given)
                    key = explicit
                } else {
                    key = try transaction.createObject(in: table, given)
                }
                #expect(model[key] == nil)
                model[key] = expected
                return key
            }
            for _ in 0..<5 {
                try test.write { transaction in
                    if let capacity { transaction.store.clusterCapacity = capacity }
                    for _ in 0..<40 {
                        var last = ObjectKey.null
                        for _ in 0..<generator.below(30) {
                            last = try create(transaction)
                            if generator.chance(20) { _ = try transaction.createObject(in: other) }
                            if generator.chance(20) {
                                try transaction.set(.link(last), link, of: last, in: table)
                                links[last] = last
                            }
                        }
                        guard !model.isEmpty else { continue }
                        let old = generator.pick(model.keys.sorted())
                        switch generator.below(8) {
                        case 0...1:
                            let column = generator.below(columns.count)
                            let value = AppendCursorTests.value(of: columns[column], &generator)
                            try transaction.set(value, columns[column], of: old, in: table)
                            model[old]?[column] = value
                        case 2...3 where !last.isNull:
                            try transaction.set(.link(last), link, of: old, in: table)
                            links[old] = last
                        case 4...5:
                            let gone = generator.chance(50) && !last.isNull ? last : old
                            try transaction.removeObject(gone, from: table)
                            model[gone] = nil
                            links[gone] = nil
                            links = links.filter { $0.value != gone }
                        case 6:
                            let explicit = ObjectKey(old.rawValue + Int64(generator.below(600)))
                            if model[explicit] == nil { _ = try create(transaction, under: explicit) }
                        default:
                            if generator.chance(10) {
                                _ = try transaction.schema.addColumn("c\(generator.next())", .string, to: table)
                            }
                        }
                    }
                    let live = try transaction.require(table)
                    #expect(try live.count() == model.count)
                    for (key, values) in model {
                        for (column, value) in zip(columns, values) {
                            #expect(try live.value(column, of: key) == value)
                        }
                        let target = links[key].map { StoredValue.link($0) } ?? .null
                        #expect(try live.value(link, of: key) == target)
                    }
                }
            }
        }
    }

    private static func value(of column: ColumnKey, _ generator: inout SeededGenerator) -> StoredValue {
        if column.isNullable, generator.chance(20) { return .null }
        let number = Int64(truncatingIfNeeded: generator.next() >> UInt64(generator.below(64)))
        switch column.type {
        case .string: return .string(String(repeating: "x", count: generator.below(generator.chance(5) ? 100 : 17)))
        case .double: return .double(Double(number))
        case .timestamp: return .timestamp(Timestamp(seconds: number, nanoseconds: 0))
        default: return .int(number)
        }
    }
}
