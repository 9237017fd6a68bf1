// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmStorage

/// Diffs of tables.
@Suite struct TableDiffTests {
    private struct Schema {
        let table: TableKey
        let number, text, link, any: ColumnKey

        init(_ transaction: WriteTransaction, _ name: String = "class_Main") throws {
            table = try transaction.schema.addTable(name)
            number = try transaction.schema.addColumn("number", .int, [], to: table)
            text = try transaction.schema.addColumn("text", .string, .nullable, to: table)
            link = try transaction.schema.addColumn("link", .link, .nullable, target: table, to: table)
            any = try transaction.schema.addColumn("any", .mixed, .nullable, to: table)
        }

        func objects(_ snapshot: Snapshot) throws -> [ObjectKey] {
            var keys: [ObjectKey] = []
            try snapshot.table(table)?.clusters.forEachLeaf { leaf in
                keys += (0..<leaf.count).map { leaf.key(at: $0) }
                return true
            }
            return keys
        }
    }

    private func diff(
        _ count: Int, _ body: (WriteTransaction, Schema, [ObjectKey]) throws -> Void
    ) throws -> (diff: TableDiff, schema: Schema, keys: [ObjectKey]) {
        try TestDatabase.using { test in
            let schema = try test.write { transaction in
                let schema = try Schema(transaction)
                for number in 0..<count {
                    _ = try transaction.createObject(in: schema.table, [schema.number: .int(Int64(number))])
                }
                return schema
            }
            let before = try test.database.snapshot()
            let keys = try schema.objects(before)
            try test.write { try body($0, schema, keys) }
            let diff = try VersionDiff(from: before, to: try test.database.snapshot())
            return (try diff.table(schema.table), schema, keys)
        }
    }

    @Test(arguments: [1, 255, 256, 257, 70_000]) func nothingHasChanged(_ count: Int) throws {
        let result = try diff(count) { transaction, schema, _ in
            try transaction.schema.addColumn("more", .int, [], to: schema.table)
        }
        #expect(result.diff.isEmpty)
    }

    /// Nodes are rewritten although the values are equal.
    @Test func anEqualValueIsNotAChange() throws {
        let result = try diff(1000) { transaction, schema, keys in
            for key in keys.prefix(300) {
                let value = try #require(try transaction.table(schema.table)).value(schema.number, of: key)
                try transaction.set(.int(-1), schema.number, of: key, in: schema.table)
                try transaction.set(value, schema.number, of: key, in: schema.table)
            }
        }
        #expect(result.diff.isEmpty)
    }

    @Test(arguments: [1, 256, 300, 70_000]) func oneOfEach(_ count: Int) throws {
        let result = try diff(count) { transaction, schema, keys in
            try transaction.set(.string("x"), schema.text, of: keys[count / 2], in: schema.table)
            try transaction.set(.int(-1), schema.number, of: keys[count / 2], in: schema.table)
            _ = try transaction.createObject(in: schema.table)
        }
        let (schema, keys) = (result.schema, result.keys)
        #expect(result.diff.deletions.isEmpty && result.diff.insertions.count == 1)
        #expect(
            result.diff.modifications == [
                ObjectModification(object: keys[count / 2], columns: [schema.number, schema.text])
            ])
        #expect(result.diff.modification(of: keys[count / 2])?.columns == [schema.number, schema.text])
        #expect(result.diff.isInserted(result.diff.insertions[0]) && !result.diff.isDeleted(keys[0]))
    }

    /// A link to a removed object becomes null, which changes the linking object.
    @Test func deletionsChangeTheLinkingObjects() throws {
        let result = try TestDatabase.using { test in
            let schema = try test.write { try Schema($0) }
            let (a, b) = try test.write { transaction in
                let (a, b) = (
                    try transaction.createObject(in: schema.table), try transaction.createObject(in: schema.table)
                )
                try transaction.set(.link(b), schema.link, of: a, in: schema.table)
                return (a, b)
            }
            let before = try test.database.snapshot()
            try test.write { try $0.removeObject(b, from: schema.table) }
            let diff = try VersionDiff(from: before, to: try test.database.snapshot()).table(schema.table)
            return (diff, a, b, schema)
        }
        #expect(result.0.deletions == [result.2])
        #expect(result.0.modifications == [ObjectModification(object: result.1, columns: [result.3.link])])
    }

    /// A new link changes its origin, but not its target.
    @Test func backlinksAreNotColumns() throws {
        let result = try diff(600) { transaction, schema, keys in
            try transaction.set(.link(keys[500]), schema.link, of: keys[3], in: schema.table)
        }
        #expect(
            result.diff.modifications == [
                ObjectModification(object: result.keys[3], columns: [result.schema.link])
            ])
    }

    @Test func addedAndRemovedTables() throws {
        try TestDatabase.using { test in
            let first = try test.write { try Schema($0, "class_First") }
            let other = try test.write { try Schema($0, "class_Other") }
            try test.write { transaction in
                for _ in 0..<5 { _ = try transaction.createObject(in: first.table) }
            }
            let before = try test.database.snapshot()
            let second = try test.write { transaction in
                try transaction.schema.removeTable(first.table)
                let second = try Schema(transaction, "class_Second")
                for _ in 0..<3 { _ = try transaction.createObject(in: second.table) }
                return second
            }
            let diff = try VersionDiff(from: before, to: try test.database.snapshot())
            #expect(Set(diff.changedTables) == [first.table, second.table])
            #expect(diff.isSame(other.table) && !diff.isSame(first.table))
            #expect(try diff.table(first.table).deletions.count == 5)
            #expect(try diff.table(second.table).insertions.count == 3)
            #expect(try diff.table(other.table).isEmpty)
            #expect(try diff.table(TableKey(slot: 77, tag: 0)).isEmpty)
        }
    }

    @Test func treesOfDifferentShape() throws {
        var generator = SeededGenerator(for: "shapes")
        for round in 0..<(Settings.isContinuousIntegration ? 60 : 8) {
            try withTrace("seed \(generator.seed), round \(round)") {
                let test = try TestDatabase()
                let schema = try test.write { try Schema($0) }
                var versions: [(Snapshot, [ObjectKey: Int64])] = []
                var objects: [ObjectKey: Int64] = [:]
                for _ in 0..<4 {
                    try test.write { transaction in
                        if generator.chance(15) {
                            try transaction.clear(schema.table)
                            objects = [:]
                        }
                        let spread = generator.pick([8, 12, 20, 40, 62])
                        for _ in 0..<generator.pick([1, 30, 300, 3000]) {
                            try change(schema, &objects, spread, transaction, &generator)
                        }
                    }
                    let snapshot = try test.database.snapshot()
                    try verifyPlaces(objects.keys.sorted(), schema, snapshot, &generator)
                    versions.append((snapshot, objects))
                }
                for (old, before) in versions {
                    for (new, after) in versions {
                        let diff = try VersionDiff(from: old, to: new).table(schema.table)
                        try requireEqual(diff.deletions, before.keys.filter { after[$0] == nil }.sorted(), "deletions")
                        try requireEqual(
                            diff.insertions, after.keys.filter { before[$0] == nil }.sorted(), "insertions")
                        let changed = before.keys.filter { after[$0] != nil && after[$0] != before[$0] }.sorted()
                        try requireEqual(diff.modifications.map(\.object), changed, "modifications")
                    }
                }
                versions = []
                try test.close()
            }
        }
    }

    private func verifyPlaces(
        _ keys: [ObjectKey], _ schema: Schema, _ snapshot: Snapshot, _ generator: inout SeededGenerator
    ) throws {
        let clusters = try #require(try snapshot.table(schema.table)).clusters
        for percent in [0, 1, 50, 100] {
            let places = keys.indices.filter { _ in generator.chance(percent) }
            try requireEqual(try clusters.places(of: places.map { keys[$0] }), places, "the places")
        }
        guard let last = keys.last else { return }
        #expect(throws: StorageError.self) { try clusters.places(of: [ObjectKey(last.rawValue &+ 1)]) }
        #expect(throws: StorageError.self) {
            try clusters.places(of: [last, keys[0]])
        }
    }

    private func change(
        _ schema: Schema, _ objects: inout [ObjectKey: Int64], _ spread: Int, _ transaction: WriteTransaction,
        _ generator: inout SeededGenerator
    ) throws {
        if let key = objects.keys.first, generator.chance(30) {
            try transaction.removeObject(key, from: schema.table)
            objects[key] = nil
            return
        }
        let (key, number) = (ObjectKey(Int64(generator.next() >> UInt64(64 - spread))), Int64(generator.below(50)))
        if objects[key] == nil {
            try transaction.createObject(key, in: schema.table, [schema.number: .int(number)])
        } else {
            try transaction.set(.int(number), schema.number, of: key, in: schema.table)
        }
        objects[key] = number
    }

    /// For one or several changed objects and a new one, only the nodes above them are visited.
    @Test func theCostFollowsTheChange() throws {
        try TestDatabase.using { test in
            let schema = try test.write { try Schema($0) }
            let other = try test.write { try Schema($0, "class_Other") }
            try test.write { transaction in
                for number in 0..<70_000 {
                    _ = try transaction.createObject(in: schema.table, [schema.number: .int(Int64(number))])
                }
            }
            let keys = try schema.objects(try test.database.snapshot())
            func visits(_ body: (WriteTransaction) throws -> Void) throws -> Int {
                let before = try test.database.snapshot()
                try test.write(body)
                let after = try test.database.snapshot()
                let (a, b) = (try before.table(schema.table), try after.table(schema.table))
                if try VersionDiff(from: before, to: after).isSame(schema.table) { return 0 }
                var comparison = TableComparison(a, b, SharedNodes(old: before.space, new: after.space))
                _ = try comparison.run()
                return comparison.budget.visits
            }
            #expect(try visits { try $0.set(.int(-1), schema.number, of: keys[35_000], in: schema.table) } == 6)
            let some = try visits { transaction in
                for index in 0..<50 {
                    try transaction.set(.int(-2), schema.number, of: keys[index * 1000], in: schema.table)
                }
            }
            #expect((102...106).contains(some))
            #expect(try visits { _ = try $0.createObject(in: schema.table) } <= 7)
            #expect(try visits { _ = try $0.createObject(in: other.table) } == 0)
        }
    }

    @Test func wrongArguments() throws {
        try TestDatabase.using { test in
            let schema = try test.write { try Schema($0) }
            let object = try test.write { try $0.createObject(in: schema.table) }
            let before = try test.database.snapshot()
            try test.write { try $0.set(.int(1), schema.number, of: object, in: schema.table) }
            let diff = try VersionDiff(from: before, to: try test.database.snapshot())
            func path(_ column: ColumnKey, _ object: ObjectKey) -> CollectionPath {
                CollectionPath(column, of: object, in: schema.table)
            }
            #expect(throws: StorageError.self) { try diff.list(at: path(schema.number, object)) }
            #expect(throws: StorageError.self) { try diff.list(at: path(schema.number, ObjectKey(99))) }
            #expect(throws: StorageError.self) { try diff.dictionary(at: path(schema.any, object)) }
            let other = try TestDatabase()
            #expect(throws: StorageError.self) {
                try VersionDiff(from: before, to: try other.database.snapshot())
            }
        }
    }
}
