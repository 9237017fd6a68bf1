// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

@testable import RealmStorage
import RealmSystem
import RealmTestSupport
import Testing

@Suite struct NamedVersionTests {
    /// The page after the top array may be free, and a commit that was cut off may leave it unreadable.
    @Test func bytesAfterTheTopArrayAreNotRead() throws {
        let cipher = QuickCipher()
        let test = try TestDatabase(cipher: cipher)
        let (table, column, object) = try test.write { transaction in
            let table = try transaction.schema.addTable("class_Item")
            let column = try transaction.schema.addColumn("data", .binary, to: table)
            return (table, column, try transaction.createObject(in: table))
        }
        var count = 0
        // The top array follows the data. One of these lengths moves it to the end of a page, and so does the next.
        for length in stride(from: 0, to: 3 * EncryptedLayout.pageByteCount, by: 8) {
            let data = StoredValue.binary([UInt8](repeating: 7, count: length))
            let set = { (transaction: WriteTransaction) in
                try transaction.set(data, column, of: object, in: table)
            }
            try test.write(set)
            guard let page = try Self.freePageBehindTopArray(of: test.database.snapshot()),
                try Self.cutOffWrite(of: page, path: test.path, cipher)
            else { continue }
            count += 1
            let other = try Database.open(test.path, cipher: cipher)
            for database in [test.database, other] {
                let found = try #require(try database.snapshot().table(table))
                #expect(try found.value(column, of: object) == data)
            }
            try other.write(set)
        }
        #expect(count > 0)
        try test.close()
    }

    /// Every legal number of slots, in each possible width, with the array at any offset of a page.
    @Test(arguments: FileFormat.Top.legalCounts.sorted(), [32, 64]) func everyTopArrayIsRead(slots: Int, width: Int)
        throws
    {
        for start in stride(from: 24, to: EncryptedLayout.pageByteCount, by: 8) {
            let (header, payload) = NodeWriter.pack(
                (0..<slots).map { $0 < 2 ? 8 : Tagged.encode(8192 + $0) }, flags: NodeHeader.Flags.hasRefs, width: width
            )
            let file = try ImageFile([UInt8](repeating: 0, count: 3 * EncryptedLayout.pageByteCount))
            var name = FileHeader.new
            name.replaceSubrange(0..<8, with: FileHeader.bytes(of: UInt64(start)))
            name[FileFormat.Header.formatVersion.0] = FileFormat.version
            try file.write(name, at: 0)
            try file.write(Array(FileHeader.bytes(of: UInt64(header.bits.byteSwapped) << 32)), at: start)
            try file.write(payload, at: start + 8)
            let record = try NamedVersion(file).record
            #expect((record.topRef, record.logicalSize) == (Ref(start), 8194))
            #expect(record.version == (slots > FileFormat.Top.version ? UInt64(8192 + FileFormat.Top.version) : 1))
        }
    }

    /// Returns the next page if it is free and within the length of the longest top array.
    private static func freePageBehindTopArray(of snapshot: Snapshot) throws -> Int? {
        let top = try #require(snapshot.top)
        let size = EncryptedLayout.pageByteCount
        let page = Int(top.ref) / size + 1
        let end = Int(top.ref) + (try snapshot.space.node(top.ref)).header.byteCount
        guard end <= page * size, Int(top.ref) + 8 + 8 * FileFormat.Top.maxCount > page * size,
            (page + 1) * size <= top.logicalSize
        else { return nil }
        let free = UsedSpace(free: try snapshot.freeList().entries.map(\.block), logicalSize: Ref(top.logicalSize))
        let isFree = free.split(FreeBlock(position: Ref(page * size), length: Ref(size))).used.isEmpty
        return isFree ? page : nil
    }

    /// Leaves the file like a process that was killed between writing the entry of a free page and the page. Returns
    /// false if the page was empty before.
    private static func cutOffWrite(of page: Int, path: String, _ cipher: QuickCipher) throws -> Bool {
        let disk = try DiskFile.open(path, readOnly: false)
        let file = try EncryptedFile(disk, cipher: cipher)
        let (start, size) = (page * EncryptedLayout.pageByteCount, EncryptedLayout.pageByteCount)
        let before = try disk.bytes(size, at: EncryptedLayout.offset(ofPage: page))
        guard before.contains(where: { $0 != 0 }) else { return false }
        file.discardUnused([start..<start + size], doubtful: [])
        try file.write([1], at: start)
        try file.sync()
        try disk.write(before, at: EncryptedLayout.offset(ofPage: page))
        return true
    }
}
