// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTestSupport
import Testing

/// The largest values (content 10.3) are stored and read. Larger ones are rejected before anything changes.
@Suite(.serialized) struct LimitTests {
    private static let text = FileFormat.maximumStringByteCount
    private static let data = FileFormat.maximumBinaryByteCount

    private func refusal(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch let error as StorageError {
            return error.code == .limitExceeded ? error.message : "\(error)"
        } catch {
            return "\(error)"
        }
    }

    @Test func largestValues() throws {
        #expect(Self.text == 16_777_199 && Self.data == 16_777_200)
        let text = String(repeating: "t", count: Self.text)
        let data = [UInt8](repeating: 7, count: Self.data)
        let longText = StoredValue.string(text + "t")
        let longData = StoredValue.binary(data + [7])
        try TestDatabase.using { test in
            let table = try test.write { try $0.schema.addTable("class_A") }
            let columns = try test.write { transaction in
                [
                    try transaction.schema.addColumn("text", .string, .indexed, to: table),
                    try transaction.schema.addColumn("data", .binary, to: table),
                    try transaction.schema.addColumn("any", .mixed, .indexed, to: table),
                    try transaction.schema.addColumn("texts", .string, .list, to: table),
                    try transaction.schema.addColumn("datas", .binary, .list, to: table),
                    try transaction.schema.addColumn("anys", .mixed, .list, to: table),
                ]
            }
            let object = try test.write { transaction in
                let object = try transaction.createObject(
                    in: table, [columns[0]: .string("short"), columns[1]: .binary([1])])
                for list in columns[3...] {
                    let value: StoredValue = list == columns[4] ? .binary([2]) : .string("element")
                    try transaction.list(list, of: object, in: table).insert(value, at: 0)
                }
                return object
            }
            let before = try SnapshotText.lines(of: test.database.snapshot())
            try test.write { transaction in
                let count = transaction.clock.value
                func set(_ value: StoredValue, _ column: Int) -> String? {
                    refusal { try transaction.set(value, columns[column], of: object, in: table) }
                }
                #expect(set(longText, 0) == "String too big: 'text' takes 16777199 bytes, not 16777200")
                #expect(set(longData, 1) == "Binary too big: 'data' takes 16777200 bytes, not 16777201")
                #expect(set(longText, 2) == "String too big: 'any' takes 16777199 bytes, not 16777200")
                // Mixed stores data like a string, with an additional byte.
                #expect(set(longData, 2) == "Binary too big: 'any' takes 16777199 bytes, not 16777201")
                #expect(set(.binary(data), 2) == "Binary too big: 'any' takes 16777199 bytes, not 16777200")
                for (value, column) in [(longText, 3), (longData, 4), (longText, 5), (longData, 5)] {
                    let list = columns[column]
                    #expect(refusal { try transaction.list(list, of: object, in: table).insert(value, at: 1) } != nil)
                    #expect(refusal { try transaction.list(list, of: object, in: table).set(value, at: 0) } != nil)
                }
                #expect(
                    refusal { _ = try transaction.createObject(in: table, [columns[0]: longText]) }
                        == "String too big: 'text' takes 16777199 bytes, not 16777200")
                #expect(transaction.clock.value == count)
            }
            #expect(try SnapshotText.lines(of: test.database.snapshot()) == before)
            try test.write { transaction in
                try transaction.set(.string(text), columns[0], of: object, in: table)
                try transaction.set(.binary(data), columns[1], of: object, in: table)
                try transaction.set(.binary(Array(data.dropLast())), columns[2], of: object, in: table)
                try transaction.list(columns[3], of: object, in: table).set(.string(text), at: 0)
                try transaction.list(columns[4], of: object, in: table).set(.binary(data), at: 0)
                try transaction.list(columns[5], of: object, in: table).insert(.string(text), at: 1)
            }
            try test.reopen()
            let read = try #require(try test.database.snapshot().table(table))
            #expect(try read.value(columns[0], of: object) == .string(text))
            #expect(try read.objects(columns[0], equalTo: .string(text)) == [object])
            #expect(try read.value(columns[2], of: object) == .binary(Array(data.dropLast())))
            #expect(try read.list(columns[5], of: object).value(at: 1) == .string(text))
            #expect(try read.list(columns[3], of: object).values() == [.string(text)])
        }
    }

    /// A node exceeds the format's limit in the middle of a change. The version isn't committed; the next one is.
    @Test func aChangeThatFailedMidwayIsNotCommitted() throws {
        try TestDatabase.using { test in
            let table = try test.write { try $0.schema.addTable("class_A") }
            let version = test.database.version
            let transaction = try test.database.beginWrite()
            try transaction.schema.addColumn("a", .int, to: table)
            #expect(refusal { _ = try transaction.store.create(width: 64, count: 0xFF_FFFF) } != nil)
            #expect(refusal { _ = try transaction.commit() }?.contains("failed half-way") == true)
            #expect(test.database.version == version)
            try test.write { _ = try $0.schema.addColumn("b", .int, to: table) }
            #expect(try test.database.snapshot().table(table)?.columns.map(\.name) == ["b"])
        }
    }

    /// A node just below the format's limit can be rewritten, since it needs no room to grow.
    @Test func theLargestNodeCanBeChanged() throws {
        try TestDatabase.using { test in
            let transaction = try test.database.beginWrite()
            let store = transaction.store
            let count = (NodeHeader.maximumByteCount - 16) / 4
            var ref = try store.create(width: 32, count: count - 1)
            try store.set(&ref, count - 2, 1 << 30)
            try store.append(&ref, 1 << 30)
            #expect(try store.node(ref).header.byteCount == NodeHeader.maximumByteCount - 8)
            #expect(try store.node(ref)[count - 1] == 1 << 30 && store.node(ref)[count - 2] == 1 << 30)
            #expect(refusal { for _ in 0..<3 { try store.append(&ref, 1) } }?.contains("64 MiB") == true)
            transaction.rollback()
        }
    }
}
