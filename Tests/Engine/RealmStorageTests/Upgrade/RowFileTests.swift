// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmCheck
import RealmStorage
import RealmSystem
import RealmTestSupport
import Testing

/// Files of format 9 with content that no fixture has.
@Suite struct RowFileTests {
    private static func write(_ bytes: [UInt8], into folder: TemporaryFolder) throws -> String {
        let path = folder.path + "/rows.realm"
        try Images.write(bytes, to: path)
        #expect(FileChecker.check(bytes: bytes).isClean)
        return path
    }

    /// More rows than two levels of clusters can have.
    @Test func manyRowsKeepTheirValues() throws {
        let count = 66_000
        var file = RowFile()
        file.add(
            "class_Row",
            [
                RowFile.Column("number", .ints((0..<count).map { Int64($0) * 3 })),
                RowFile.Column("name", .strings((0..<count).map { "n\($0)" }), attributes: 1),
                RowFile.Column(
                    "age", .optionalInts((0..<count).map { $0 % 3 == 0 ? nil : Int64($0) }), attributes: 16),
                RowFile.Column("score", .doubles((0..<count).map { Double($0) / 2 })),
            ])
        let folder = try TemporaryFolder()
        let path = try Self.write(file.finish(), into: folder)
        let shares = Lockable<[Int]>([])
        var options = OpenOptions()
        options.upgradeProgress = { report in shares.change { $0.append(report.rowsDone) } }
        for readOnly in [true, false] {
            let snapshot = try Database.open(path, readOnly: readOnly, options: readOnly ? OpenOptions() : options)
                .snapshot()
            defer { withExtendedLifetime(snapshot) {} }
            let table = try #require(try snapshot.table(named: "class_Row"))
            #expect(try table.count() == count)
            let columns = Array(table.publicColumns)
            for row in [0, 1, 255, 256, 999, 1000, 65_535, 65_536, count - 1] {
                let position = try table.requireObject(ObjectKey(Int64(row)))
                #expect(try table.value(columns[0], at: position) == .int(Int64(row) * 3))
                #expect(try table.value(columns[1], at: position) == .string("n\(row)"))
                #expect(try table.value(columns[2], at: position) == (row % 3 == 0 ? .null : .int(Int64(row))))
                #expect(try table.value(columns[3], at: position) == .double(Double(row) / 2))
                #expect(
                    try table.objects(columns[1].key, equalTo: .string("n\(row)")) == [ObjectKey(Int64(row))])
            }
        }
        #expect(shares.value.count > 2 && shares.value == shares.value.sorted() && shares.value.last == count)
        try FileAudit.requireClean(path: path)
    }

    /// Otherwise the index would file them by their bytes, and searches would use their decoded text.
    @Test func indexedTextsThatAreNotUTF8AreReplacedByTheirDecodedText() throws {
        let texts = (0..<300).map {
            Array(String(repeating: "abc", count: 80).utf8) + [$0 % 2 == 0 ? 0xFF : 0x61, UInt8($0 % 90) + 33]
        }
        var file = RowFile()
        file.add(
            "class_Row",
            [RowFile.Column("a", .longTexts(texts), attributes: 1), RowFile.Column("b", .longTexts(texts))])
        let folder = try TemporaryFolder()
        let path = try Self.write(file.finish(), into: folder)
        let database = try Database.open(path)
        let table = try #require(try database.snapshot().table(named: "class_Row"))
        let columns = Array(table.publicColumns)
        for (row, text) in texts.enumerated() {
            let value = StoredValue.string(String(decoding: text, as: UTF8.self))
            #expect(try table.value(columns[0], at: table.requireObject(ObjectKey(Int64(row)))) == value)
            #expect(try table.objects(columns[0].key, equalTo: value).contains(ObjectKey(Int64(row))))
        }
        #expect(database.upgradeNotes.contains { $0.hasPrefix("150 texts of 'class_Row.a' were not UTF-8") })
        try FileAudit.requireClean(bytes: Images.read(path), strict: false)
        try database.write { write in
            for row in 0..<300 {
                try write.set(.string("x"), columns[0].key, of: ObjectKey(Int64(row)), in: table.key)
            }
        }
        try FileAudit.requireClean(bytes: Images.read(path), strict: false)
    }

    @Test func nullsInRequiredColumnsAreEmptyValues() throws {
        var file = RowFile()
        let null = Double(bitPattern: 0x7FF8_0000_0000_00AA)
        file.add(
            "t",
            [
                RowFile.Column("text", .strings(["a", nil])), RowFile.Column("bytes", .binaries([nil, [1, 2]])),
                RowFile.Column("number", .doubles([1, null])),
            ])
        let folder = try TemporaryFolder()
        let path = try Self.write(file.finish(), into: folder)
        let snapshot = try Database.open(path).snapshot()
        defer { withExtendedLifetime(snapshot) {} }
        let table = try #require(try snapshot.table(named: "t"))
        let columns = Array(table.publicColumns)
        let positions = try [0, 1].map { try table.requireObject(ObjectKey($0)) }
        #expect(try table.value(columns[0], at: positions[1]) == .string(""))
        #expect(try table.value(columns[1], at: positions[0]) == .binary([]))
        guard case .double(let number) = try table.value(columns[2], at: positions[1]) else {
            Issue.record("no number")
            return
        }
        #expect(number.isNaN)
        try FileAudit.requireClean(path: path)
    }

    /// Primary keys were never checked. One with repeated values becomes an ordinary property.
    @Test func aPrimaryKeyWithEqualValuesIsDroppedAndNamed() throws {
        var file = RowFile()
        file.add(
            "pk",
            [RowFile.Column("pk_table", .strings(["A", "B"])), RowFile.Column("pk_property", .strings(["id", "id"]))])
        file.add("class_A", [RowFile.Column("id", .ints([1, 2, 1]))])
        file.add("class_B", [RowFile.Column("id", .ints([1, 2, 3]))])
        let folder = try TemporaryFolder()
        let path = try Self.write(file.finish(), into: folder)
        let database = try Database.open(path)
        #expect(database.upgradeNotes.count == 1)
        #expect(database.upgradeNotes.first?.hasPrefix("'class_A' has lost its primary key") == true)
        let snapshot = try database.snapshot()
        #expect(try snapshot.table(named: "pk") == nil)
        #expect(try snapshot.table(named: "class_A")?.primaryKey == nil)
        #expect(try snapshot.table(named: "class_B")?.primaryKey != nil)
        try FileAudit.requireClean(path: path)
    }

    /// Guarded by `lock`.
    private final class Lockable<Value>: @unchecked Sendable {
        private let lock = Lock()
        private var stored: Value
        init(_ value: Value) { stored = value }
        func change(_ body: (inout Value) -> Void) { lock.locked { body(&stored) } }
        var value: Value { lock.locked { stored } }
    }
}
