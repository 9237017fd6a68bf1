// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTestSupport
import Testing

/// Columns with data that become optional or required (content 4.6).
@Suite struct NullabilityTests {
    static let types = RandomValues.types.filter { $0 != .mixed }

    @Test(arguments: types) func valuesStay(_ type: ColumnType) throws {
        var generator = SeededGenerator(for: "nullability of \(type)")
        try TestDatabase.using { test in
            let table = try test.write { try $0.schema.addTable("class_A") }
            let (single, list) = try test.write { transaction in
                try transaction.schema.addColumn("before", .int, to: table)
                let single = try transaction.schema.addColumn(
                    "single", type, type.isIndexable ? [.nullable, .indexed] : .nullable, to: table)
                return (single, try transaction.schema.addColumn("list", type, [.list, .nullable], to: table))
            }
            var singles: [ObjectKey: StoredValue] = [:]
            var lists: [ObjectKey: [StoredValue]] = [:]
            try test.write { transaction in
                for _ in 0..<300 {
                    let value = RandomValues.value(type, isNullable: true, &generator)
                    let object = try transaction.createObject(in: table, [single: value])
                    singles[object] = value
                    lists[object] = []
                    for index in 0..<generator.below(5) {
                        let value = RandomValues.value(type, isNullable: true, &generator)
                        try transaction.list(list, of: object, in: table).insert(value, at: index)
                        lists[object]?.append(value)
                    }
                }
            }
            var (single2, list2) = (single, list)
            for isNullable in [false, true, false] {
                (single2, list2) = try test.write { transaction in
                    (
                        try transaction.schema.setNullable(isNullable, single2, of: table),
                        try transaction.schema.setNullable(isNullable, list2, of: table)
                    )
                }
                try test.auditTwice()
                let snapshot = try test.database.snapshot()
                let read = try #require(try snapshot.table(table))
                #expect(read.column(single) == nil || single == single2)
                #expect(read.publicColumns.map(\.name) == ["before", "single", "list"])
                #expect(read.hasIndex(single2) == type.isIndexable)
                let zero = try #require(read.column(named: "before")).defaultValue
                for (object, value) in singles {
                    let expected = value == .null ? Self.zero(of: type, zero) : value
                    let stored = try read.value(single2, of: object)
                    #expect(stored.isIdentical(to: expected), "\(stored) \(expected)")
                    if type.isIndexable {
                        #expect(try read.objects(single2, equalTo: expected).contains(object))
                    }
                    let elements = (lists[object] ?? []).map { $0 == .null ? Self.zero(of: type, zero) : $0 }
                    let found = try read.list(list2, of: object).values()
                    #expect(found.count == elements.count && zip(found, elements).allSatisfy { $0.isIdentical(to: $1) })
                }
            }
        }
    }

    @Test(arguments: types) func setsAndDictionariesStay(_ type: ColumnType) throws {
        var generator = SeededGenerator(for: "nullability of sets and dictionaries of \(type)")
        try TestDatabase.using { test in
            let (table, before, columns) = try test.write { transaction in
                let table = try transaction.schema.addTable("class_A")
                let before = try transaction.schema.addColumn("before", .int, to: table)
                return (
                    table, before,
                    [
                        try transaction.schema.addColumn("set", type, [.set, .nullable], to: table),
                        try transaction.schema.addColumn("map", type, [.dictionary, .nullable], to: table),
                    ]
                )
            }
            var sets: [ObjectKey: [StoredValue]] = [:]
            var maps: [ObjectKey: [String: StoredValue]] = [:]
            try test.write { transaction in
                for _ in 0..<60 {
                    let object = try transaction.createObject(in: table)
                    for number in 0..<generator.below(6) {
                        let value = RandomValues.value(type, isNullable: true, &generator)
                        // The audit reports NaNs in sets, which the reference can't search.
                        if !value.isFloatingNaN {
                            try transaction.set(columns[0], of: object, in: table).insert(value)
                        }
                        try transaction.dictionary(columns[1], of: object, in: table).set(value, forKey: "\(number)")
                        maps[object, default: [:]]["\(number)"] = value
                    }
                    sets[object] = try #require(try transaction.table(table)).set(columns[0], of: object).values()
                }
            }
            let int = try #require(try test.database.snapshot().table(table)?.column(before)).defaultValue
            let zero = Self.zero(of: type, int)
            var current = columns
            for isNullable in [false, true] {
                current = try test.write { transaction in
                    try current.map { try transaction.schema.setNullable(isNullable, $0, of: table) }
                }
                try test.auditTwice()
                let read = try #require(try test.database.snapshot().table(table))
                for (object, values) in sets {
                    let found = try read.set(current[0], of: object).values()
                    var expected = values.filter { $0 != .null }
                    if expected.count < values.count, !expected.contains(where: { StoredValue.compare($0, zero) == 0 })
                    {
                        expected.append(zero)
                        expected.sort { StoredValue.compare($0, $1) < 0 }
                    }
                    #expect(found.count == expected.count && zip(found, expected).allSatisfy { $0.isIdentical(to: $1) })
                    let map = try read.dictionary(current[1], of: object)
                    for (key, value) in maps[object] ?? [:] {
                        #expect(try map.find(key)?.isIdentical(to: value == .null ? zero : value) == true)
                    }
                }
            }
        }
    }

    /// The default that replaces a null is sorted before the NaNs.
    @Test func aNullNextToNaN() throws {
        let folder = try TemporaryFolder()
        let database = try Database.open(folder.path + "/test.realm")
        let transaction = try database.beginWrite()
        let table = try transaction.schema.addTable("class_A")
        let set = try transaction.schema.addColumn("set", .double, [.set, .nullable], to: table)
        let object = try transaction.createObject(in: table)
        for value in [.null, .double(-1), .double(.nan)] as [StoredValue] {
            try transaction.set(set, of: object, in: table).insert(value)
        }
        let required = try transaction.schema.setNullable(false, set, of: table)
        let values = try #require(try transaction.table(table)).set(required, of: object).values()
        #expect(values.count == 3 && values[0] == .double(-1) && values[1] == .double(0) && values[2].isFloatingNaN)
        try transaction.commit()
    }

    private static func zero(of type: ColumnType, _ int: StoredValue) -> StoredValue {
        type == .int ? int : .initial(of: type)
    }

    /// If nulls prevent the change, the column is unchanged.
    @Test func nullsAreRefused() throws {
        try TestDatabase.using { test in
            try test.write { transaction in
                let table = try transaction.schema.addTable("class_A")
                let number = try transaction.schema.addColumn("number", .int, .nullable, to: table)
                let list = try transaction.schema.addColumn("list", .int, [.list, .nullable], to: table)
                let object = try transaction.createObject(in: table)
                try transaction.list(list, of: object, in: table).insert(.null, at: 0)
                let before = transaction.clock.value
                for column in [number, list] {
                    #expect(throws: StorageError.self) {
                        try transaction.schema.setNullable(false, column, of: table, nulls: .refuse)
                    }
                }
                #expect(transaction.clock.value == before)
                try transaction.set(.int(5), number, of: object, in: table)
                let required = try transaction.schema.setNullable(false, number, of: table, nulls: .refuse)
                #expect(try transaction.table(table)?.value(required, of: object) == .int(5))
            }
        }
    }

    @Test func nullabilityOfLinksAndMixedFollowsFromTheType() throws {
        try TestDatabase.using { test in
            try test.write { transaction in
                let table = try transaction.schema.addTable("class_A")
                for (name, type, attributes, isNullable) in [
                    ("any", ColumnType.mixed, [] as ColumnAttributes, true), ("anys", .mixed, .list, true),
                    ("link", .link, [], true), ("links", .link, [.list, .nullable], false), ("set", .link, .set, false),
                    ("map", .link, .dictionary, true),
                ] {
                    let target = type == .link ? table : nil
                    let column = try transaction.schema.addColumn(name, type, attributes, target: target, to: table)
                    #expect(column.isNullable == isNullable, "\(name)")
                    #expect(throws: StorageError.self) {
                        try transaction.schema.setNullable(!isNullable, column, of: table)
                    }
                }
            }
        }
    }

    /// A primary key that becomes optional stays one; one that becomes required doesn't.
    @Test func thePrimaryKeyStaysWhereItIsSafe() throws {
        try TestDatabase.using { test in
            let table = try test.write { try $0.schema.addTable("class_A") }
            try test.write { transaction in
                let id = try transaction.schema.addColumn("id", .string, to: table)
                try transaction.schema.setPrimaryKey(id, of: table)
                let link = try transaction.schema.addColumn("link", .link, target: table, to: table)
                let first = try transaction.createObject(in: table, [id: .string("first")])
                let missing = try transaction.tombstones.key(for: .string("missing"), in: table)
                try transaction.set(.link(missing), link, of: first, in: table)
                let optional = try transaction.schema.setNullable(true, id, of: table)
                let live = try #require(try transaction.table(table))
                #expect(live.primaryKey == optional)
                #expect(try live.object(primaryKey: .string("first")) == first)
                #expect(try live.tombstone(primaryKey: .string("missing")) == missing)
                _ = try transaction.createObject(in: table, [optional: .null])
            }
            try test.auditTwice()
            try test.write { transaction in
                let optional = try #require(try transaction.table(table)?.primaryKey)
                let required = try transaction.schema.setNullable(false, optional, of: table)
                let live = try #require(try transaction.table(table))
                #expect(live.primaryKey == nil && !live.hasIndex(required))
            }
        }
    }
}
