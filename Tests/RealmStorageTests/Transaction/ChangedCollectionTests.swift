// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmStorage

/// Collections that are changed again and again, found without a way down from the root.
@Suite struct ChangedCollectionTests {
    private struct Model {
        var numbers: [Int64] = []
        var links: [ObjectKey] = []
    }

    /// Lists of ints and of links of several objects beside arrays, among changes that move what was remembered: new
    /// objects, targets that go with their links, new columns, and commits.
    @Test func listsAmongOtherChanges() throws {
        try TestDatabase.using { test in
            var generator = SeededGenerator(for: "lists among other changes")
            var (table, numbers, links) = (TableKey.null, ColumnKey(0), ColumnKey(0))
            var model: [ObjectKey: Model] = [:]
            try test.write { transaction in
                table = try transaction.createTable("class_A")
                numbers = try transaction.addColumn("numbers", .int, .list, to: table)
                links = try transaction.addColumn("links", .link, .list, target: table, to: table)
                for _ in 0..<300 { model[try transaction.createObject(in: table)] = Model() }
            }
            for round in 0..<8 {
                try test.write { transaction in
                    if round % 2 == 0 { transaction.store.treeCapacity = 4 }
                    var current = generator.pick(model.keys.sorted())
                    for _ in 0..<300 {
                        if generator.chance(15) { current = generator.pick(model.keys.sorted()) }
                        var lists = model[current] ?? Model()
                        let target = generator.pick(model.keys.sorted())
                        switch generator.below(10) {
                        case 0...3:
                            let index = generator.below(lists.numbers.count + 1)
                            let number = Int64(truncatingIfNeeded: generator.next() >> 40)
                            try transaction.listInsert(.int(number), at: index, numbers, of: current, in: table)
                            lists.numbers.insert(number, at: index)
                        case 4 where !lists.numbers.isEmpty:
                            let index = generator.below(lists.numbers.count)
                            try transaction.listErase(at: index, numbers, of: current, in: table)
                            lists.numbers.remove(at: index)
                        case 5...7:
                            let index = generator.below(lists.links.count + 1)
                            let path = CollectionPath(links, of: current, in: table)
                            try transaction.listInsert(.link(target), at: index, in: path)
                            lists.links.insert(target, at: index)
                        case 8 where !lists.links.isEmpty:
                            let index = generator.below(lists.links.count)
                            try transaction.listErase(at: index, links, of: current, in: table)
                            lists.links.remove(at: index)
                        default: break
                        }
                        model[current] = lists
                        if generator.chance(3), target != current {
                            try transaction.removeObject(target, from: table)
                            model[target] = nil
                            for key in model.keys { model[key]?.links.removeAll { $0 == target } }
                        }
                        if generator.chance(3) { model[try transaction.createObject(in: table)] = Model() }
                        if generator.chance(1) {
                            _ = try transaction.addColumn("c\(generator.next())", .int, to: table)
                        }
                    }
                    let live = try transaction.require(table)
                    for (key, lists) in model {
                        let found = try live.list(numbers, of: key).values()
                        #expect(found == lists.numbers.map { .int($0) })
                        #expect(try live.list(links, of: key).keys() == lists.links)
                    }
                }
            }
        }
    }
}
