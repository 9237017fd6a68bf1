// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmStorage

/// Values stored through the leaf that was edited last.
@Suite struct LastEditedLeafTests {
    @Test func valuesInOneLeaf() throws {
        try TestDatabase.using { test in
            var generator = SeededGenerator(for: "values in one leaf")
            var model: [ObjectKey: [StoredValue]] = [:]
            var columns: [ColumnKey] = []
            var table = TableKey.null
            try test.write { transaction in
                table = try transaction.schema.addTable("class_A")
                columns = [
                    try transaction.schema.addColumn("int", .int, to: table),
                    try transaction.schema.addColumn("text", .string, to: table),
                    try transaction.schema.addColumn("maybe", .int, .nullable, to: table),
                ]
                try transaction.indexes.add(columns[2], of: table)
                for _ in 0..<700 {
                    let key = try transaction.createObject(in: table)
                    model[key] = [.int(0), .string(""), .null]
                }
            }
            for _ in 0..<6 {
                try test.write { transaction in
                    let live = try #require(try transaction.table(table))
                    var current = generator.pick(model.keys.sorted())
                    for _ in 0..<400 {
                        if generator.chance(20) { current = generator.pick(model.keys.sorted()) }
                        let column = generator.below(3)
                        let number = Int64(truncatingIfNeeded: generator.next() >> UInt64(generator.below(64)))
                        let value: StoredValue =
                            column == 1 ? .string(String(repeating: "x", count: generator.below(80))) : .int(number)
                        let places = transaction.clock.clusterLeaf
                        let before = try live.requireObject(current)
                        try transaction.set(value, columns[column], of: current, in: table)
                        if transaction.clock.clusterLeaf == places {
                            #expect(try live.requireObject(current).leaf.node.ref == before.leaf.node.ref)
                        }
                        model[current]?[column] = value
                        if generator.chance(3) {
                            try transaction.removeObject(current, from: table)
                            model[current] = nil
                            current = generator.pick(model.keys.sorted())
                        }
                        if generator.chance(3) {
                            model[try transaction.createObject(in: table)] = [.int(0), .string(""), .null]
                        }
                    }
                    for (key, values) in model {
                        for (column, value) in zip(columns, values) {
                            #expect(try live.value(column, of: key) == value)
                        }
                    }
                }
            }
        }
    }
}
