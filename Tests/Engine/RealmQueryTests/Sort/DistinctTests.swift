// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTestSupport
import Testing

@testable import RealmQuery

/// Distinct objects, with and without an index, compared with a direct computation.
@Suite struct DistinctTests {
    private static let types: [ColumnType] = [.int, .bool, .string, .timestamp, .objectId, .uuid, .mixed]

    @Test func indexedColumns() throws {
        var random = SeededGenerator(for: "DistinctTests.indexedColumns")
        try TestDatabase.using { database in
            let (table, columns) = try database.write { write in
                let table = try write.schema.addTable("class_Item")
                let columns = try DistinctTests.types.map {
                    try write.schema.addColumn("\($0)", $0, [.indexed, .nullable], to: table)
                }
                return (table, columns)
            }
            var model: [ObjectKey: [StoredValue]] = [:]
            for _ in 0..<25 {
                let write = try database.database.beginWrite()
                for _ in 0..<random.below(150) {
                    try DistinctTests.change(&model, table, columns, write, &random)
                    // Some objects may still be pending in the indexes.
                    if random.chance(2) { try check(model, table, write, random.seed) }
                }
                try write.commit()
                try check(model, table, try database.database.snapshot(label: "distinct"), random.seed)
            }
        }
    }

    private static func change(
        _ model: inout [ObjectKey: [StoredValue]], _ table: TableKey, _ columns: [ColumnKey],
        _ write: WriteTransaction, _ random: inout SeededGenerator
    ) throws {
        let known = model.keys.sorted()
        switch known.isEmpty ? 0 : random.below(6) {
        case 0...2:
            let values = types.map { value($0, &random) }
            let key = try write.createObject(in: table, Dictionary(uniqueKeysWithValues: zip(columns, values)))
            model[key] = values
        case 3...4:
            let (key, place) = (random.pick(known), random.below(columns.count))
            let value = value(types[place], &random)
            try write.set(value, columns[place], of: key, in: table)
            model[key]?[place] = value
        default:
            let key = random.pick(known)
            try write.removeObject(key, from: table)
            model[key] = nil
        }
    }

    private func check(
        _ model: [ObjectKey: [StoredValue]], _ table: TableKey, _ source: any TableSource, _ seed: UInt64
    ) throws {
        let keys = model.keys.sorted()
        let everything = try Query.compile(.constant(true), on: table, in: source)
        let some = try Query.compile(.compare("int", .greater, .int(3)), on: table, in: source)
        for (place, type) in DistinctTests.types.enumerated() {
            let comment: Comment = "seed \(seed), \(type)"
            let expected = DistinctTests.distinct(of: keys) { model[$0]![place] }
            let distinct = try Distinct([PropertyPath("\(type)")], on: table, in: source)
            #expect(try distinct.distinct(in: source) == expected, comment)
            #expect(try distinct.distinct(of: everything, in: source) == expected, comment)
            #expect(try distinct.distinct(of: keys, in: source) == expected, comment)
            let found = try some.objects(in: source)
            #expect(
                try distinct.distinct(of: some, in: source) == DistinctTests.distinct(of: found) { model[$0]![place] },
                comment)
        }
    }

    private static func distinct(of keys: [ObjectKey], _ value: (ObjectKey) -> StoredValue) -> [ObjectKey] {
        var (result, values) = ([ObjectKey](), [StoredValue]())
        for key in keys where !values.contains(where: { StoredValue.compare($0, value(key)) == 0 }) {
            result.append(key)
            values.append(value(key))
        }
        return result
    }

    /// One of few values; sometimes null. Many strings differ only after the prefix that an index compares.
    private static func value(_ type: ColumnType, _ random: inout SeededGenerator) -> StoredValue {
        let number = Int64(random.below(12))
        if random.chance(10) { return .null }
        switch type {
        case .bool: return .bool(number % 2 == 0)
        case .string:
            let length = random.pick([0, 0, 3, 4, 8, 196, 199, 200, 201, 203, 204, 205, 300])
            let letter = length < 200 ? random.pick(["p", "\0"]) : "p"
            return .string(String(repeating: letter, count: length) + random.pick(["", "X", "a", "b"]))
        case .timestamp: return .timestamp(Timestamp(seconds: number - 6, nanoseconds: 0))
        case .objectId: return .objectId(ObjectIdBytes(high: UInt64(number), low: UInt32(random.below(2))))
        case .uuid: return .uuid(UUIDBytes(high: UInt64(random.below(2)), low: UInt64(number)))
        default: return .int(number << Int64(random.below(2) * 40))
        }
    }
}
