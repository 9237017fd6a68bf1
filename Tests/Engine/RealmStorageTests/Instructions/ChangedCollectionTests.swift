// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmStorage

/// Repeatedly changed collections, found through cached leaves.
@Suite struct ChangedCollectionTests {
    private struct Model {
        var numbers: [Int64] = []
        var links: [ObjectKey] = []
    }

    @Test func listsAmongOtherChanges() throws {
        try TestDatabase.using { test in
            var generator = SeededGenerator(for: "lists among other changes")
            var (table, numbers, links) = (TableKey.null, ColumnKey(0), ColumnKey(0))
            var model: [ObjectKey: Model] = [:]
            try test.write { transaction in
                table = try transaction.schema.addTable("class_A")
                numbers = try transaction.schema.addColumn("numbers", .int, .list, to: table)
                links = try transaction.schema.addColumn("links", .link, .list, target: table, to: table)
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
                        switch generator.below(13) {
                        case 10...11:
                            let index = generator.below(lists.numbers.count + 1)
                            let many = (0..<generator.below(20)).map { Int64($0 << generator.below(40)) }
                            let path = CollectionPath(numbers, of: current, in: table)
                            try transaction.list(at: path).insert(contentsOf: many.map { .int($0) }, at: index)
                            lists.numbers.insert(contentsOf: many, at: index)
                        case 12:
                            let index = generator.below(lists.links.count + 1)
                            var many = model.keys.sorted().shuffled(using: &generator).prefix(generator.below(20))
                            if generator.chance(50) { many.sort() }
                            let path = CollectionPath(links, of: current, in: table)
                            try transaction.list(at: path).insert(contentsOf: many.map { .link($0) }, at: index)
                            lists.links.insert(contentsOf: many, at: index)
                        case 0...3:
                            let index = generator.below(lists.numbers.count + 1)
                            let number = Int64(truncatingIfNeeded: generator.next() >> 40)
                            try transaction.list(numbers, of: current, in: table).insert(.int(number), at: index)
                            lists.numbers.insert(number, at: index)
                        case 4 where !lists.numbers.isEmpty:
                            let index = generator.below(lists.numbers.count)
                            try transaction.list(numbers, of: current, in: table).erase(at: index)
                            lists.numbers.remove(at: index)
                        case 5...7:
                            let index = generator.below(lists.links.count + 1)
                            let path = CollectionPath(links, of: current, in: table)
                            try transaction.list(at: path).insert(.link(target), at: index)
                            lists.links.insert(target, at: index)
                        case 8 where !lists.links.isEmpty:
                            let index = generator.below(lists.links.count)
                            try transaction.list(links, of: current, in: table).erase(at: index)
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
                            _ = try transaction.schema.addColumn("c\(generator.next())", .int, to: table)
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

    @Test func setsAndDictionariesAmongOtherChanges() throws {
        try TestDatabase.using { test in
            var generator = SeededGenerator(for: "sets and dictionaries among other changes")
            var (table, numbers, texts, values) = (TableKey.null, ColumnKey(0), ColumnKey(0), ColumnKey(0))
            var objects: [ObjectKey] = []
            try test.write { transaction in
                table = try transaction.schema.addTable("class_A")
                numbers = try transaction.schema.addColumn("numbers", .int, .set, to: table)
                texts = try transaction.schema.addColumn("texts", .string, .set, to: table)
                values = try transaction.schema.addColumn("values", .int, .dictionary, to: table)
                objects = try (0..<5).map { _ in try transaction.createObject(in: table) }
            }
            var (ints, words) = ([ObjectKey: Set<Int64>](), [ObjectKey: Set<String>]())
            var entries: [ObjectKey: [String: Int64]] = [:]
            for round in 0..<8 {
                try test.write { transaction in
                    transaction.store.treeCapacity = [4, 12, 30, FileFormat.treeNodeCapacity][round % 4]
                    var current = generator.pick(objects)
                    for _ in 0..<800 {
                        if generator.chance(10) { current = generator.pick(objects) }
                        let number = Int64(generator.below(600)) * (generator.chance(2) ? 1 << 40 : 1)
                        let text = String(number, radix: 3)
                        let place = CollectionPath(values, of: current, in: table)
                        switch generator.below(8) {
                        case 0...1:
                            let isNew = ints[current, default: []].insert(number).inserted
                            let result = try transaction.set(numbers, of: current, in: table).insert(.int(number))
                            #expect(result.inserted == isNew)
                        case 2:
                            let isNew = words[current, default: []].insert(text).inserted
                            let result = try transaction.set(texts, of: current, in: table).insert(.string(text))
                            #expect(result.inserted == isNew)
                        case 3:
                            let wasThere = ints[current, default: []].remove(number) != nil
                            let index = try transaction.set(numbers, of: current, in: table).erase(.int(number))
                            #expect((index != nil) == wasThere)
                        case 4...6:
                            entries[current, default: [:]][text] = number
                            try transaction.dictionary(at: place).set(.int(number), forKey: text)
                        default:
                            let wasThere = entries[current, default: [:]].removeValue(forKey: text) != nil
                            #expect(try transaction.dictionary(at: place).erase(text) == wasThere)
                        }
                        if generator.chance(2) { _ = try transaction.createObject(in: table) }
                        if generator.chance(1) {
                            _ = try transaction.schema.addColumn("c\(generator.next())", .int, to: table)
                        }
                    }
                    let live = try transaction.require(table)
                    for key in objects {
                        let found = try live.set(numbers, of: key)
                        #expect(try found.values() == ints[key, default: []].sorted().map { .int($0) })
                        #expect(
                            try live.set(texts, of: key).values()
                                == words[key, default: []].sorted().map { .string($0) })
                        let dictionary = try live.dictionary(values, of: key)
                        #expect(dictionary.count == entries[key, default: [:]].count)
                        for (text, number) in entries[key, default: [:]] {
                            #expect(try dictionary.find(text) == .int(number))
                        }
                    }
                }
            }
        }
    }

    @Test func oneRefusedRefusesAll() throws {
        try TestDatabase.using { test in
            var (table, links) = (TableKey.null, ColumnKey(0))
            try test.write { transaction in
                table = try transaction.schema.addTable("class_A")
                links = try transaction.schema.addColumn("links", .link, .list, target: table, to: table)
                let object = try transaction.createObject(in: table)
                let path = CollectionPath(links, of: object, in: table)
                let gone = StoredValue.link(ObjectKey(object.rawValue + 1))
                for refused in [gone, .int(1), .null] {
                    #expect(throws: StorageError.self) {
                        try transaction.list(at: path).insert(contentsOf: [.link(object), refused], at: 0)
                    }
                }
                #expect(throws: StorageError.self) {
                    try transaction.list(at: path).insert(contentsOf: [.link(object)], at: 1)
                }
                #expect(try transaction.require(table).list(links, of: object).count == 0)
                try transaction.list(at: path).insert(contentsOf: [.link(object), .link(object)], at: 0)
                #expect(try transaction.require(table).list(links, of: object).keys() == [object, object])
            }
        }
    }
}
