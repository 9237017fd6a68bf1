// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmTestSupport
import Testing

@testable import RealmQuery

/// Counts and results of an index compared with a full scan.
@Suite struct IndexCountTests {
    private static let types: [ColumnType] = [.int, .bool, .string, .timestamp, .objectId, .uuid, .mixed]

    @Test func oneValueIsCountedAsByLookingAtEveryObject() throws {
        var random = SeededGenerator(for: "oneValueIsCountedAsByLookingAtEveryObject")
        let database = try Database.inMemory(in: NSTemporaryDirectory())
        let write = try database.beginWrite()
        let table = try write.schema.addTable("class_Item")
        let id = try write.schema.addColumn("id", .int, [], to: table)
        try write.schema.setPrimaryKey(id, of: table)
        let columns = try IndexCountTests.types.map {
            try write.schema.addColumn("\($0)", $0, [.indexed, .nullable], to: table)
        }
        for number in 0..<600 { try add(number, id, columns, table, write, &random) }
        try write.commit()
        try compare(try database.snapshot(label: "counts"), table, &random)
        // Some objects are still pending in the indexes.
        let change = try database.beginWrite()
        for number in 600..<700 { try add(number, id, columns, table, change, &random) }
        for key in try database.snapshot(label: "keys").allKeys(of: table).shuffled(using: &random).prefix(100) {
            try change.removeObject(key, from: table)
        }
        try compare(change, table, &random)
        change.rollback()
    }

    private func add(
        _ number: Int, _ id: ColumnKey, _ columns: [ColumnKey], _ table: TableKey, _ write: WriteTransaction,
        _ random: inout SeededGenerator
    ) throws {
        var values: [ColumnKey: StoredValue] = [id: .int(Int64(number * 3))]
        for (type, column) in zip(IndexCountTests.types, columns) {
            values[column] = IndexCountTests.value(type, &random)
        }
        _ = try write.createObject(in: table, values)
    }

    private func compare(_ source: any TableSource, _ table: TableKey, _ random: inout SeededGenerator) throws {
        let keys = try source.allKeys(of: table)
        for type in IndexCountTests.types + [.int] {
            for _ in 0..<30 {
                let value = IndexCountTests.value(type, &random)
                for operation in [ComparisonOperator.equal, .notEqual] {
                    try compare(.compare(PropertyPath("\(type)"), operation, value), source, table, keys)
                }
            }
        }
        for number in -1...40 { try compare(.compare("id", .equal, .int(Int64(number))), source, table, keys) }
    }

    private func compare(
        _ predicate: Predicate, _ source: any TableSource, _ table: TableKey, _ keys: [ObjectKey]
    ) throws {
        let query = try Query.compile(predicate, on: table, in: source)
        let expected = try query.filter(keys, in: source)
        #expect(try query.count(in: source) == expected.count, "\(predicate)")
        #expect(try query.objects(in: source) == expected, "\(predicate)")
        #expect(try query.first(in: source) == expected.first, "\(predicate)")
    }

    /// One of few values, so that several objects share it; sometimes null.
    private static func value(_ type: ColumnType, _ random: inout SeededGenerator) -> StoredValue {
        let number = Int.random(in: 0..<60, using: &random)
        if number < 5 { return .null }
        switch type {
        case .bool: return .bool(number % 2 == 0)
        case .string: return .string(String(repeating: "long text ", count: number % 30) + "\(number)")
        case .timestamp: return .timestamp(Timestamp(seconds: Int64(number), nanoseconds: 7))
        case .objectId: return .objectId(ObjectIdBytes(high: 1, low: UInt32(number)))
        case .uuid: return .uuid(UUIDBytes(high: 1, low: UInt64(number)))
        case .mixed where number % 3 == 0: return .string("text \(number)")
        case .mixed where number % 3 == 1: return .double(Double(number))
        default: return .int(Int64(number))
        }
    }
}

extension TableSource {
    fileprivate func allKeys(of table: TableKey) throws -> [ObjectKey] {
        var keys: [ObjectKey] = []
        try self.table(table)?.clusters.forEachLeaf { leaf in
            keys += (0..<leaf.count).map { leaf.key(at: $0) }
            return true
        }
        return keys
    }
}
