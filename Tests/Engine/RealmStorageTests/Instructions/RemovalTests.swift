// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmStorage

/// Removing many objects at once compared with removing them one by one.
@Suite struct RemovalTests {
    private struct Town {
        let people: TableKey
        let addresses: TableKey
        let name, age, friend, friends, address, anything, score, born, idol, things, circle: ColumnKey
        var objects: [ObjectKey] = []

        init(_ transaction: WriteTransaction, count: Int, seed: UInt64) throws {
            var generator = SeededGenerator(seed: seed)
            people = try transaction.schema.addTable("class_Person")
            addresses = try transaction.schema.addTable("class_Address", kind: .embedded)
            name = try transaction.schema.addColumn("name", .string, .nullable, to: people)
            age = try transaction.schema.addColumn("age", .int, .nullable, to: people)
            score = try transaction.schema.addColumn("score", .double, to: people)
            born = try transaction.schema.addColumn("born", .timestamp, .nullable, to: people)
            anything = try transaction.schema.addColumn("anything", .mixed, .nullable, to: people)
            friend = try transaction.schema.addColumn("friend", .link, .nullable, target: people, to: people)
            friends = try transaction.schema.addColumn("friends", .link, .list, target: people, to: people)
            address = try transaction.schema.addColumn("address", .link, .nullable, target: addresses, to: people)
            idol = try transaction.schema.addColumn("idol", .link, .nullable, target: people, to: people)
            things = try transaction.schema.addColumn("things", .mixed, [.nullable, .list], to: people)
            circle = try transaction.schema.addColumn(
                "circle", .link, [.nullable, .dictionary], target: people, to: people)
            for column in [name, age, born, anything] { try transaction.indexes.add(column, of: people) }
            for number in 0..<count {
                let text = generator.chance(10) ? String(repeating: "long", count: 30) : "person-\(number % 19)"
                objects.append(
                    try transaction.createObject(
                        in: people,
                        [
                            name: generator.chance(5) ? .null : .string(text),
                            age: .int(Int64(generator.below(50))), score: .double(Double(number)),
                            born: .timestamp(Timestamp(seconds: Int64(number % 7), nanoseconds: 0)),
                        ]))
            }
            for object in objects {
                let other = generator.pick(objects)
                if generator.chance(50) { try transaction.set(.link(other), friend, of: object, in: people) }
                if generator.chance(30) {
                    let link = ObjectLink(table: people, object: generator.pick(objects))
                    try transaction.set(.typedLink(link), anything, of: object, in: people)
                }
                if generator.chance(30) { _ = try transaction.links.createEmbedded(address, of: object, in: people) }
                for index in 0..<generator.below(3) {
                    try transaction.list(friends, of: object, in: people).insert(
                        .link(generator.pick(objects)), at: index)
                }
                guard generator.chance(60) else { continue }
                let star = ObjectLink(table: people, object: objects[generator.below(min(3, count))])
                try transaction.set(.link(star.object), idol, of: object, in: people)
                for _ in 0..<generator.below(4) {
                    try transaction.list(friends, of: object, in: people).insert(.link(star.object), at: 0)
                    try transaction.list(things, of: object, in: people).insert(.typedLink(star), at: 0)
                    try transaction.dictionary(circle, of: object, in: people).set(
                        .link(star.object), forKey: "\(generator.below(9))")
                }
            }
        }
    }

    @Test(arguments: [1, 20, 300, 1200]) func removingAtOnceEqualsRemovingOneByOne(_ count: Int) throws {
        for percent in [3, 50, 97] {
            let seed = UInt64(count * 100 + percent)
            var texts: [String] = []
            for isAtOnce in [false, true] {
                try TestDatabase.using { test in
                    var made: Town?
                    try test.write { made = try Town($0, count: count, seed: seed) }
                    let town = try #require(made)
                    var generator = SeededGenerator(seed: seed + 1)
                    let chosen = town.objects.filter { _ in generator.chance(percent) }.shuffled(using: &generator)
                    try test.write { transaction in
                        if isAtOnce {
                            try transaction.removeObjects(chosen, from: town.people)
                        } else {
                            for object in chosen { try transaction.removeObject(object, from: town.people) }
                        }
                    }
                    texts.append(try SnapshotText.lines(of: test.database.snapshot()).joined(separator: "\n"))
                }
            }
            #expect(texts[0] == texts[1], "\(count) objects, \(percent) %")
        }
    }

    /// The time to remove the origins of many links, and to remove their target, is linear in their number. Removing
    /// objects with a list of many links has no time limit.
    @Test func manyLinksToOne() throws {
        func times(_ count: Int, listed: Int = 0) throws -> (linkers: Duration, target: Duration) {
            var times = (linkers: Duration.zero, target: Duration.zero)
            try TestDatabase.using { test in
                let transaction = try test.database.beginWrite()
                let table = try transaction.schema.addTable("class_Fan")
                let idol = try transaction.schema.addColumn("idol", .link, .nullable, target: table, to: table)
                let list = try transaction.schema.addColumn("list", .link, .list, target: table, to: table)
                let one = try transaction.createObject(in: table)
                let fans = try (0..<count).map { _ in try transaction.createObject(in: table) }
                for fan in fans { try transaction.set(.link(one), idol, of: fan, in: table) }
                let collector = try transaction.createObject(in: table)
                for index in 0..<listed {
                    let link = StoredValue.link(index % 2 == 0 ? one : fans[index])
                    try transaction.list(list, of: collector, in: table).insert(link, at: index)
                }
                // Searching for each of the last ones from the beginning would visit all others.
                times.linkers = try processorTime {
                    try transaction.removeObjects(Array(fans.suffix(count / 2)), from: table)
                }
                times.target = try processorTime { _ = try transaction.removeObject(one, from: table) }
                try transaction.commit()
                let kept = try #require(try test.database.snapshot().table(table))
                #expect(try kept.list(list, of: collector).count == listed / 4)
                let position = try kept.requireObject(fans[0])
                #expect(try kept.backlinkColumns.allSatisfy { try kept.backlinks($0, at: position).isEmpty })
            }
            return times
        }
        _ = try times(2_000, listed: 2_000)
        let (few, many) = (try times(4_000), try times(32_000))
        #expect(many.linkers < few.linkers * 24, "\(few.linkers), \(many.linkers)")
        #expect(many.target < few.target * 24, "\(few.target), \(many.target)")
    }

    /// All objects of a table without links are removed at once, in any order of keys. If a key is missing, its object
    /// stays. Objects created afterwards are found as in a new table.
    @Test(arguments: [1, 30, 700]) func allOfATable(_ count: Int) throws {
        var generator = SeededGenerator(for: "removal of all")
        for isAll in [true, false] {
            for order in 0..<4 {
                try TestDatabase.using { test in
                    var objects: [ObjectKey] = []
                    var (table, name) = (TableKey(0), ColumnKey(0))
                    try test.write { transaction in
                        table = try transaction.schema.addTable("class_Person")
                        name = try transaction.schema.addColumn("name", .string, .nullable, to: table)
                        try transaction.indexes.add(name, of: table)
                        for number in 0..<count {
                            let text = String(repeating: "name", count: generator.below(20)) + "\(number % 50)"
                            objects.append(try transaction.createObject(in: table, [name: .string(text)]))
                        }
                    }
                    let kept = isAll ? nil : generator.pick(objects)
                    var chosen = objects.filter { $0 != kept }
                    if order > 0 { chosen.shuffle(using: &generator) }
                    // Repeated keys, and keys without an object, compensate for the missing one.
                    if order > 1 { chosen += chosen.prefix(1 + generator.below(3)) }
                    if order > 2 { chosen += [ObjectKey(-5), ObjectKey(1 << 40)] }
                    try test.write { try $0.removeObjects(chosen, from: table) }
                    var added: ObjectKey?
                    try test.write { added = try $0.createObject(in: table, [name: .string("new")]) }
                    let snapshot = try test.database.snapshot()
                    let found = try #require(try snapshot.table(table))
                    var left: [ObjectKey] = []
                    try found.clusters.forEachLeaf { leaf in
                        left += (0..<leaf.count).map { leaf.key(at: $0) }
                        return true
                    }
                    #expect(left == ([kept, added].compactMap(\.self)).sorted(), "seed \(generator.seed)")
                    #expect(try found.objects(name, equalTo: .string("new")) == [try #require(added)])
                    #expect(try found.index(try found.require(name)).allKeys().count == left.count)
                }
            }
        }
    }
}
