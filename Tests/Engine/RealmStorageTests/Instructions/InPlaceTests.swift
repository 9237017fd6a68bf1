// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmStorage

/// Numbers overwritten in place, among changes that move them.
@Suite struct InPlaceTests {
    private struct Columns {
        let int, flag, double, maybe, filed, list: ColumnKey
    }

    private func makeTable(_ transaction: WriteTransaction) throws -> (TableKey, Columns) {
        let table = try transaction.schema.addTable("class_A")
        let columns = Columns(
            int: try transaction.schema.addColumn("int", .int, to: table),
            flag: try transaction.schema.addColumn("flag", .bool, to: table),
            double: try transaction.schema.addColumn("double", .double, to: table),
            maybe: try transaction.schema.addColumn("maybe", .int, .nullable, to: table),
            filed: try transaction.schema.addColumn("filed", .int, to: table),
            list: try transaction.schema.addColumn("list", .int, .list, to: table))
        try transaction.indexes.add(columns.filed, of: table)
        return (table, columns)
    }

    @Test func numbersAreOverwrittenInPlace() throws {
        try TestDatabase.using { test in
            var generator = SeededGenerator(for: "numbers in places")
            var model: [ObjectKey: (int: Int64, flag: Bool, double: Double)] = [:]
            var table = TableKey.null
            var columns: Columns?
            try test.write { transaction in
                let made = try makeTable(transaction)
                table = made.0
                columns = made.1
                for _ in 0..<700 { model[try transaction.createObject(in: table)] = (0, false, 0) }
            }
            let known = try #require(columns)
            var overwrites = 0
            for _ in 0..<6 {
                try test.write { transaction in
                    let live = try #require(try transaction.table(table))
                    for _ in 0..<600 {
                        let key = generator.pick(model.keys.sorted())
                        let place = try live.requireObject(key)
                        let (row, leaf) = (place.row, place.leaf.node)
                        let places = transaction.clock.clusterLeaf
                        var isDone = false
                        switch generator.below(3) {
                        case 0:
                            let value = Int64(truncatingIfNeeded: generator.next() >> UInt64(generator.below(64)))
                            isDone = transaction.overwrite(value, .int, known.int, in: table, row: row, of: leaf)
                            if !isDone { try transaction.set(.int(value), known.int, of: key, in: table) }
                            model[key]?.int = value
                        case 1:
                            let value = generator.chance(50)
                            isDone = transaction.overwrite(
                                value ? 1 : 0, .bool, known.flag, in: table, row: row, of: leaf)
                            if !isDone { try transaction.set(.bool(value), known.flag, of: key, in: table) }
                            model[key]?.flag = value
                        default:
                            let value = Double(generator.below(1000)) / 8
                            isDone = transaction.overwrite(value, known.double, in: table, row: row, of: leaf)
                            if !isDone { try transaction.set(.double(value), known.double, of: key, in: table) }
                            model[key]?.double = value
                        }
                        if isDone {
                            overwrites += 1
                            #expect(transaction.clock.clusterLeaf == places)
                        }
                        if generator.chance(3) {
                            try transaction.removeObject(key, from: table)
                            model[key] = nil
                            model[try transaction.createObject(in: table)] = (0, false, 0)
                        }
                    }
                    for (key, values) in model {
                        #expect(try live.value(known.int, of: key) == .int(values.int))
                        #expect(try live.value(known.flag, of: key) == .bool(values.flag))
                        #expect(try live.value(known.double, of: key) == .double(values.double))
                    }
                }
            }
            #expect(overwrites > 500)
        }
    }

    /// Wider numbers, nullable columns and indexes need more than the number's bytes. The audit of the file finds an
    /// index with an old value.
    @Test func numbersThatCannotBeOverwrittenAreSet() throws {
        try TestDatabase.using { test in
            var (table, made, key) = (TableKey.null, Columns?.none, ObjectKey.null)
            try test.write { transaction in
                let (newTable, columns) = try makeTable(transaction)
                (table, made, key) = (newTable, columns, try transaction.createObject(in: newTable))
            }
            let columns = try #require(made)
            for (round, value) in ([100, 101, 1 << 40, 102, -1, 0] as [Int64]).enumerated() {
                let before = try test.database.snapshot()
                let old = try #require(try before.table(table)).value(columns.int, of: key)
                try test.write { transaction in
                    if round == 3 { try transaction.indexes.add(columns.int, of: table) }
                    let live = try transaction.require(table)
                    // The first one copies the committed leaf.
                    for value in [value, value &+ 1] {
                        for column in [columns.int, columns.maybe, columns.filed] {
                            let place = try live.requireObject(key)
                            let (row, leaf) = (place.row, place.leaf.node)
                            if !transaction.overwrite(value, .int, column, in: table, row: row, of: leaf) {
                                try transaction.set(.int(value), column, of: key, in: table)
                            }
                            #expect(try live.value(column, of: key) == .int(value))
                        }
                    }
                    #expect(try before.table(table)?.value(columns.int, of: key) == old)
                }
            }
        }
    }

    @Test func otherColumnsAreNotOverwritten() throws {
        try TestDatabase.using { test in
            try test.write { transaction in
                let (table, columns) = try makeTable(transaction)
                let key = try transaction.createObject(in: table)
                let place = try #require(try transaction.table(table)).requireObject(key)
                for (type, column) in [(ColumnType.bool, columns.int), (.int, columns.list), (.int, .null)] {
                    #expect(!transaction.overwrite(1, type, column, in: table, row: place.row, of: place.leaf.node))
                }
            }
        }
    }
}
