// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmStorage

/// Primary keys: uniqueness, lookups, and changes with data (content 1.3, 9.7, 12.5).
@Suite struct PrimaryKeyTests {
    static let types: [ColumnType] = [.int, .string, .objectId, .uuid]

    private func isRefused(_ body: () throws -> Void) -> Bool {
        do {
            try body()
            return false
        } catch let error as StorageError {
            return error.code == .invalidArgument
        } catch {
            return false
        }
    }

    private static func value(_ type: ColumnType, _ number: Int) -> StoredValue {
        switch type {
        case .int: .int(Int64(number))
        case .string: .string("key \(number)")
        case .objectId: .objectId(ObjectIdBytes(high: UInt64(number), low: 7))
        default: .uuid(UUIDBytes(high: 5, low: UInt64(number)))
        }
    }

    /// Keys above all others are new without a search. Every way to a larger key updates the bound.
    @Test func keysAboveTheBoundAreFound() throws {
        try TestDatabase.using { test in
            var made: (table: TableKey, id: ColumnKey)?
            try test.write { transaction in
                let table = try transaction.schema.addTable("class_A")
                let id = try transaction.schema.addColumn("id", .int, .nullable, to: table)
                try transaction.schema.setPrimaryKey(id, of: table)
                made = (table, id)
                for number in 0..<300 { _ = try transaction.createObject(in: table, [id: .int(Int64(number * 2))]) }
            }
            let (table, id) = try #require(made)
            try test.write { transaction in
                let live = try #require(try transaction.table(table))
                let first = try transaction.createObject(in: table, [id: .int(-1)])
                for number in 0..<20 { _ = try transaction.createObject(in: table, [id: .int(Int64(1000 + number))]) }
                #expect(live.primaryKeyBound == 1019)
                #expect(try live.object(primaryKey: .int(598)) != nil)
                #expect(try live.object(primaryKey: .int(1019)) != nil)
                #expect(try live.object(primaryKey: .int(1020)) == nil)
                _ = try transaction.createObject(in: table, [id: .null])
                #expect(try live.object(primaryKey: .null) != nil)
                try transaction.set(.int(.max), id, of: first, in: table)
                #expect(try live.object(primaryKey: .int(.max)) == first)
                #expect(isRefused { _ = try transaction.createObject(in: table, [id: .int(.max)]) })
                try transaction.createObject(ObjectKey(77_777), in: table, [id: .int(5001)])
                try transaction.removeObject(first, from: table)
                #expect(try live.object(primaryKey: .int(5001)) == ObjectKey(77_777))
                let other = try transaction.schema.addColumn("other", .int, to: table)
                try transaction.schema.setPrimaryKey(nil, of: table)
                for (number, object) in try live.clusters.allKeys().enumerated() {
                    try transaction.set(.int(Int64(100_000 + number)), other, of: object, in: table)
                }
                try transaction.schema.setPrimaryKey(other, of: table)
                #expect(try live.object(primaryKey: .int(100_003)) != nil)
            }
        }
    }

    @Test(arguments: types, [false, true]) func preparedSearches(_ type: ColumnType, _ isNullable: Bool) throws {
        try TestDatabase.using { test in
            let table = try test.write { transaction in
                let table = try transaction.schema.addTable("class_A")
                let id = try transaction.schema.addColumn("id", type, isNullable ? .nullable : [], to: table)
                try transaction.schema.setPrimaryKey(id, of: table)
                for number in 0..<700 {
                    _ = try transaction.createObject(in: table, [id: Self.value(type, number * 3)])
                }
                if isNullable { _ = try transaction.createObject(in: table, [id: .null]) }
                return table
            }
            let read = try #require(try test.database.snapshot().table(table))
            let memory = ClusterLeafCache.Memory()
            defer { withExtendedLifetime(memory) {} }
            var search = try #require(try PrimaryKeySearch(read, memory.leaves(of: table, .first)))
            for value in (0..<2110).map({ Self.value(type, $0) }) + [.null] {
                let expected = try read.find(primaryKey: value)
                var approached: [ObjectKey] = []
                let found = try search.find(value) { approached.append($0.key) }
                #expect(found?.key == expected.map { $0.leaf.key(at: $0.row) })
                #expect(found?.leaf.ref == expected?.leaf.node.ref)
                #expect(found?.row == expected?.row)
                if let found { #expect(approached.last == found.key) }
            }
            let other = try test.write { try $0.schema.addTable("class_B") }
            let keyless = try #require(try test.database.snapshot().table(other))
            #expect(try PrimaryKeySearch(keyless, memory.leaves(of: other, .first)) == nil)
        }
    }

    /// If object keys run parallel to primary keys, the search uses that. The results are right even if they do so only
    /// for a while: runs of several distances, gaps, removed objects, numbers at the ends of the range.
    @Test func searchesOfCountedKeys() throws {
        try TestDatabase.using { test in
            let numbers = [Array(0..<300), Array(500..<800), [.max, .min, -1], Array(-40..<(-10)), Array(300..<305)]
                .flatMap { $0 }
            let table = try test.write { transaction in
                let table = try transaction.schema.addTable("class_A")
                let id = try transaction.schema.addColumn("id", .int, to: table)
                try transaction.schema.setPrimaryKey(id, of: table)
                let made = try numbers.map { try transaction.createObject(in: table, [id: .int(Int64($0))]) }
                for object in made[100..<120] { try transaction.removeObject(object, from: table) }
                return table
            }
            let read = try #require(try test.database.snapshot().table(table))
            let memory = ClusterLeafCache.Memory()
            var search = try #require(try PrimaryKeySearch(read, memory.leaves(of: table, .first)))
            var random = SeededGenerator(for: "counted primary keys")
            let sought = Array(-50..<900) + numbers
            for value in [sought, sought.reversed(), sought.shuffled(using: &random)].joined() {
                let expected = try read.find(primaryKey: .int(Int64(value)))
                let found = try search.find(.int(Int64(value))) { _ in }
                #expect(found?.key == expected.map { $0.leaf.key(at: $0.row) })
                #expect(found?.leaf.ref == expected?.leaf.node.ref && found?.row == expected?.row)
            }
        }
    }

    @Test func searchesOfCountedKeysWhileTheyChange() throws {
        try TestDatabase.using { test in
            var random = SeededGenerator(for: "counted primary keys that change")
            try test.write { transaction in
                let table = try transaction.schema.addTable("class_A")
                let id = try transaction.schema.addColumn("id", .int, to: table)
                try transaction.schema.setPrimaryKey(id, of: table)
                let live = try #require(try transaction.table(table))
                var model: [Int: ObjectKey] = [:]
                for number in 0..<600 {
                    model[number] = try transaction.createObject(in: table, [id: .int(Int64(number))])
                }
                for _ in 0..<4000 {
                    let number = random.below(700)
                    #expect(try live.object(primaryKey: .int(Int64(number))) == model[number])
                    guard random.chance(40) else { continue }
                    guard let object = model.removeValue(forKey: number) else {
                        model[number] = try transaction.createObject(in: table, [id: .int(Int64(number))])
                        continue
                    }
                    let other = random.below(700)
                    if model[other] == nil, random.chance(30) {
                        try transaction.set(.int(Int64(other)), id, of: object, in: table)
                        model[other] = object
                    } else {
                        try transaction.removeObject(object, from: table)
                    }
                }
            }
        }
    }

    /// Every way to a second object with the same key is rejected and changes nothing. If null is allowed, it is a key
    /// like any other.
    @Test(arguments: types, [false, true]) func valuesAreDistinct(_ type: ColumnType, _ isNullable: Bool) throws {
        try TestDatabase.using { test in
            try test.write { transaction in
                let table = try transaction.schema.addTable("class_A")
                let id = try transaction.schema.addColumn("id", type, isNullable ? .nullable : [], to: table)
                try transaction.schema.setPrimaryKey(id, of: table)
                let live = try #require(try transaction.table(table))
                let first = try transaction.createObject(in: table, [id: Self.value(type, 1)])
                let second = try transaction.createObject(in: table)
                let before = transaction.clock.value
                #expect(isRefused { _ = try transaction.createObject(in: table, [id: Self.value(type, 1)]) })
                #expect(isRefused { _ = try transaction.createObject(in: table) }, "a second default")
                #expect(isRefused { try transaction.createObject(ObjectKey(9), in: table, [id: Self.value(type, 1)]) })
                #expect(isRefused { try transaction.set(Self.value(type, 1), id, of: second, in: table) })
                #expect(isRefused { _ = try transaction.createObject(in: table, [id: .null]) }, "null, or a second one")
                #expect(transaction.clock.value == before)
                try transaction.set(Self.value(type, 1), id, of: first, in: table)
                try transaction.set(Self.value(type, 2), id, of: second, in: table)
                #expect(try live.object(primaryKey: Self.value(type, 2)) == second)
                #expect(try live.object(primaryKey: Self.value(type, 1)) == first)
                #expect(try live.object(primaryKey: isNullable ? .null : Self.value(type, 3)) == nil)
                try transaction.removeObject(first, from: table)
                #expect(try live.object(primaryKey: Self.value(type, 1)) == nil)
                _ = try transaction.createObject(in: table, [id: Self.value(type, 1)])
            }
        }
    }

    @Test func duplicatesForbidThePrimaryKey() throws {
        try TestDatabase.using { test in
            try test.write { transaction in
                let table = try transaction.schema.addTable("class_A")
                let id = try transaction.schema.addColumn("id", .int, to: table)
                let name = try transaction.schema.addColumn("name", .string, to: table)
                let text = try transaction.schema.addColumn("text", .string, .fullTextIndexed, to: table)
                let number = try transaction.schema.addColumn("number", .double, to: table)
                try transaction.schema.setPrimaryKey(id, of: table)
                for number in 0..<600 {
                    _ = try transaction.createObject(
                        in: table,
                        [id: .int(Int64(number)), name: .string("\(number / 2)"), text: .string("\(number)")])
                }
                let live = try #require(try transaction.table(table))
                let before = transaction.clock.value
                for column in [name, text, number, ColumnKey.null] {
                    #expect(isRefused { try transaction.schema.setPrimaryKey(column, of: table) })
                }
                #expect(transaction.clock.value == before)
                #expect(live.primaryKey == id && live.hasIndex(id) && !live.hasIndex(name))
                let embedded = try transaction.schema.addTable("class_E", kind: .embedded)
                let other = try transaction.schema.addColumn("id", .int, to: embedded)
                #expect(isRefused { try transaction.schema.setPrimaryKey(other, of: embedded) })
                // Moved, removed, and restored.
                for key in try live.clusters.allKeys() {
                    try transaction.set(.string("name \(key.rawValue)"), name, of: key, in: table)
                }
                try transaction.schema.setPrimaryKey(name, of: table)
                #expect(live.primaryKey == name && !live.hasIndex(id))
                #expect(try live.object(primaryKey: .string("name 77")) == ObjectKey(77))
                try transaction.indexes.add(name, of: table)
                try transaction.schema.setPrimaryKey(nil, of: table)
                #expect(live.hasIndex(name), "the index that was asked for stays")
                try transaction.schema.setPrimaryKey(id, of: table)
                try transaction.indexes.remove(id, of: table)
                #expect(live.hasIndex(id), "the primary key keeps its index")
            }
            try test.auditTwice()
        }
    }

    /// Content 1.3: the 257th object without primary key has key 65 536; with one, keys are the plain numbers; keys in
    /// use are skipped.
    @Test func keysFollowTheSequence() throws {
        try TestDatabase.using { test in
            try test.write { transaction in
                let plain = try transaction.schema.addTable("class_Plain")
                let keyed = try transaction.schema.addTable("class_Keyed")
                let id = try transaction.schema.addColumn("id", .int, to: keyed)
                try transaction.schema.setPrimaryKey(id, of: keyed)
                try transaction.createObject(ObjectKey(65_537), in: plain)
                try transaction.createObject(ObjectKey(3), in: keyed, [id: .int(-1)])
                let plainKeys = try (0..<259).map { _ in try transaction.createObject(in: plain).rawValue }
                #expect(plainKeys == Array(0..<256) + [65_536, 65_538, 65_539])
                let keys = try (0..<258).map {
                    try transaction.createObject(in: keyed, [id: .int(Int64($0))]).rawValue
                }
                #expect(keys == [0, 1, 2] + Array(4..<259))
            }
        }
    }

    @Test(arguments: types) func aLookUpTouchesFewNodes(_ type: ColumnType) throws {
        try TestDatabase.using { test in
            let table = try test.write { try $0.schema.addTable("class_A") }
            let id = try test.write { transaction in
                let id = try transaction.schema.addColumn("id", type, to: table)
                try transaction.schema.setPrimaryKey(id, of: table)
                return id
            }
            var most: [Int] = []
            var done = 0
            for size in [500, 20_000] {
                try test.write { transaction in
                    for number in done..<size {
                        _ = try transaction.createObject(in: table, [id: Self.value(type, number)])
                    }
                }
                done = size
                let read = try #require(try test.database.snapshot().table(table))
                var worst = 0
                for number in stride(from: 0, to: size, by: 37) {
                    worst = max(worst, try Self.nodesTouched(Self.value(type, number), id, in: read))
                }
                most.append(worst)
            }
            #expect(most[1] <= most[0] + 3 && most[1] <= 12, "\(most)")
        }
    }

    private static func nodesTouched(_ value: StoredValue, _ column: ColumnKey, in table: Table) throws -> Int {
        let descent = IndexDescent(space: table.space, root: try table.indexRoot(column.leafIndex))
        let data = IndexData(value)
        var (level, offset, steps) = (try table.indexRoot(column.leafIndex), 0, 0)
        while let entry = try descent.entry(of: data.chunk(at: offset), below: level, &steps) {
            offset += 4
            if case .subIndex(let next) = entry {
                level = next
            } else {
                break
            }
        }
        let object = try #require(try table.object(primaryKey: value))
        #expect(try table.value(column, of: object) == value)
        var (node, depth) = (try table.space.refs(table.clusterRoot), 1)
        while node.header.isInner {
            node = try table.space.refs(try node.child(ClusterBranch.firstChildSlot))
            depth += 1
        }
        return steps + depth
    }
}

extension ClusterTree {
    fileprivate func allKeys() throws -> [ObjectKey] {
        var keys: [ObjectKey] = []
        try forEachLeaf { leaf in
            keys += (0..<leaf.count).map { leaf.key(at: $0) }
            return true
        }
        return keys
    }
}
