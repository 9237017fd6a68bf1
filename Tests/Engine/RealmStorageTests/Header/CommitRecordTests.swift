// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmCheck
import RealmSystem
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmStorage

/// Commits that become durable with one sync, by a record after the previous top array.
@Suite struct CommitRecordTests {
    private struct Run {
        let file: FaultyFile
        let database: Database
        private let table: TableKey
        private let column: ColumnKey

        init(commits: Int, _ durability: Durability = .ordered) throws {
            file = FaultyFile(try ImageFile())
            var options = OpenOptions()
            options.durability = durability
            database = try Database(file: file, readOnly: false, options: options)
            let keys = try database.write { transaction in
                let table = try transaction.schema.addTable("class_A")
                let column = try transaction.schema.addColumn("data", .binary, to: table)
                _ = try transaction.createObject(in: table, [column: .binary([0])])
                return (table, column)
            }
            (table, column) = keys
            for number in 0..<commits { try change(number) }
        }

        func change(_ number: Int, byteCount: Int = 100) throws {
            try database.write {
                let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: byteCount)
                try $0.set(.binary(bytes), column, of: ObjectKey(0), in: table)
            }
        }

        var syncCount: Int { file.events.count { if case .sync = $0 { true } else { false } } }

        func disk() -> [UInt8] {
            var image = CrashImage()
            for event in file.events { image.apply(event) }
            return image.bytes
        }
    }

    private func open(_ bytes: [UInt8], readOnly: Bool = false) throws -> Database {
        try Database(file: try ImageFile(bytes), readOnly: readOnly)
    }

    private func named(in bytes: [UInt8]) throws -> UInt64 { try NamedVersion(try ImageFile(bytes)).record.version }

    private func value(_ database: Database) throws -> StoredValue {
        let snapshot = try database.snapshot()
        let table = try #require(try snapshot.table(named: "class_A"))
        return try table.value(try #require(table.columns.first).key, of: ObjectKey(0))
    }

    /// With a second sync, a library that ignores records finds each commit.
    @Test(.behaviour("Y04")) func anInterchangeableCommitIsFoundByOthersAfterAPowerFailure() throws {
        let run = try Run(commits: 3, .interchangeable)
        for number in 10..<20 {
            let syncs = run.syncCount
            try run.change(number)
            #expect(run.syncCount == syncs + 2)
            #expect(try named(in: run.disk()) == run.database.version)
        }
    }

    @Test func aCommitThatReturnedIsThereAfterAPowerFailure() throws {
        let run = try Run(commits: 3)
        for number in 10..<20 {
            let syncs = run.syncCount
            try run.change(number)
            #expect(run.syncCount == syncs + 1)
            let disk = run.disk()
            // Other libraries find the previous version, whole.
            #expect(try named(in: disk) == run.database.version - 1)
            try FileAudit.requireClean(bytes: disk)
            let opened = try open(disk)
            #expect(opened.version == run.database.version)
            #expect(try value(opened) == .binary([UInt8](repeating: UInt8(number), count: 100)))
            // The opening has made the commit durable for other libraries too.
            let image = try opened.file.contents()
            #expect(try named(in: image) == run.database.version)
            try FileAudit.requireClean(bytes: image)
            try opened.write { _ = try $0.schema.addTable("class_B") }
            try FileAudit.requireClean(bytes: try opened.file.contents())
        }
    }

    @Test func aReaderFindsItToo() throws {
        let run = try Run(commits: 3)
        let disk = run.disk()
        let reader = try open(disk, readOnly: true)
        for _ in 0..<2 {
            #expect(reader.version == run.database.version)
            #expect(try reader.snapshot().version == run.database.version)
        }
        #expect(try reader.file.contents() == disk)
    }

    @Test func readersAndWritersOfOneSession() throws {
        let run = try Run(commits: 3)
        let folder = try TemporaryFolder()
        let path = folder.path + "/test.realm"
        try Images.write(run.disk(), to: path)
        let reader = try Database.open(path, readOnly: true, joining: .always)
        let before = try reader.snapshot()
        #expect(before.version == run.database.version)
        #expect(try Images.read(path) == run.disk())
        var options = OpenOptions()
        options.leavesFile = true
        let rolledBack = try Database.open(path, options: options)
        try rolledBack.beginWrite().rollback()
        #expect(try Images.read(path) == run.disk())
        let writer = try Database.open(path)
        #expect(writer.version == before.version && reader.version == before.version)
        try writer.write { _ = try $0.schema.addTable("class_B") }
        #expect(reader.version == before.version + 1)
        #expect(try reader.snapshot().table(named: "class_B") != nil)
        #expect(try before.table(named: "class_B") == nil)
        #expect(rolledBack.version == before.version + 1)
    }

    /// A change of any byte of the record, or of the bytes it covers, invalidates the commit.
    @Test func aTornRecordIsNotACommit() throws {
        let run = try Run(commits: 3)
        let disk = run.disk()
        let file = try ImageFile(disk)
        let base = try NamedVersion(file).record
        let record = try #require(try CommitRecord.find(after: base.name, in: file, size: disk.count))
        let top = try TopArray.header(Array(disk[Int(base.topRef)...].prefix(8)), base.topRef).byteCount
        let place = FreeBlock(position: base.topRef + Ref(top), length: Ref(CommitRecord.byteCount))
        for block in record.written.blocks + [place] {
            for position in Int(block.position)..<Int(block.end) {
                var bytes = disk
                bytes[position] ^= 1 << UInt8(position % 8)
                try file.load(bytes)
                #expect(try CommitRecord.find(after: base.name, in: file, size: bytes.count) == nil)
            }
        }
        let end = record.written.blocks.map { Int($0.end) }.max() ?? 0
        #expect(try CommitRecord.find(after: base.name, in: try ImageFile(disk), size: end - 8) == nil)
    }

    /// A record with a valid checksum may have any content.
    @Test func hostileRecordsAreNotCommits() throws {
        let run = try Run(commits: 3)
        let disk = run.disk()
        let base = try NamedVersion(try ImageFile(disk)).record
        let record = try #require(try CommitRecord.find(after: base.name, in: try ImageFile(disk), size: disk.count))
        let top = try TopArray.header(Array(disk[Int(base.topRef)...].prefix(8)), base.topRef).byteCount
        func find(_ blocks: [FreeBlock], _ made: CommitRecord.VersionName) throws -> CommitRecord? {
            var sum = Checksum()
            for block in blocks where max(block.position, block.length) < 1 << 20 && block.length & 7 == 0 {
                let bytes = disk[min(Int(block.position), disk.count)..<min(Int(block.end), disk.count)]
                unsafe bytes.withUnsafeBytes { unsafe sum.add($0) }
            }
            let hostile = CommitRecord(
                base: base.name, baseSum: record.baseSum, made: made, written: WrittenBlocks(blocks: blocks, sum: sum))
            var image = disk
            let place = Int(base.topRef) + top
            image.replaceSubrange(place..<place + CommitRecord.byteCount, with: hostile.bytes)
            return try CommitRecord.find(after: base.name, in: try ImageFile(image), size: image.count)
        }
        #expect(try find([], record.made) != nil)
        #expect(try find([FreeBlock(position: 24, length: 8)], record.made) != nil)
        let far = Ref.max - 7
        let blocks: [(position: Ref, length: Ref)] = [(24, 7), (Ref(disk.count), 8), (far, 8), (0, far), (far, far)]
        for block in blocks {
            #expect(try find([FreeBlock(position: block.position, length: block.length)], record.made) == nil)
        }
        let (version, ref) = (record.made.version, record.made.topRef)
        for other in [0, far, ref + 4] {
            #expect(try find([], CommitRecord.VersionName(version: version, topRef: other)) == nil)
        }
        for other in [0, base.version, version + 1] {
            #expect(try find([], CommitRecord.VersionName(version: other, topRef: ref)) == nil)
        }
    }

    /// A disk may be too full for the record alone.
    @Test func withoutARecordThereAreTwoSyncs() throws {
        var fallBacks = 0
        for count in 0..<20 {
            let run = try Run(commits: 3)
            let (syncs, version) = (run.syncCount, run.database.version)
            run.file.failNext(.write, after: count)
            guard (try? run.change(7)) != nil else { continue }
            guard run.file.failedCall == .write else { break }
            fallBacks += 1
            #expect(run.syncCount == syncs + 2)
            #expect(try named(in: run.disk()) == version + 1)
            run.file.recover()
            try run.change(8)
            #expect(try open(run.disk()).version == version + 2)
        }
        #expect(fallBacks == 1)
    }

    /// The base's version and ref aren't sufficient, since another library may have written that version again.
    @Test func aRecordAfterAnotherTopArrayIsNotACommit() throws {
        let run = try Run(commits: 3)
        var disk = run.disk()
        let base = try NamedVersion(try ImageFile(disk)).record
        let header = try TopArray.header(Array(disk[Int(base.topRef)...].prefix(8)), base.topRef)
        disk[Int(base.topRef) + 8 + header.width / 8 * FileFormat.Top.fileIdentifier] ^= 2
        #expect(try NamedVersion(try ImageFile(disk)).record == base)
        #expect(try open(disk, readOnly: true).version == base.version)
    }

    /// A failed sync may lose a flip that the next commit's sync doesn't restore.
    @Test func recordsUponEachOther() throws {
        let run = try Run(commits: 3)
        let header = Array(run.disk()[..<FileFormat.Header.byteCount])
        try run.change(7)
        var disk = run.disk()
        disk.replaceSubrange(0..<header.count, with: header)
        #expect(try named(in: disk) == run.database.version - 2)
        #expect(try open(disk, readOnly: true).version == run.database.version)
        let opened = try open(disk)
        #expect(try value(opened) == .binary([UInt8](repeating: 7, count: 100)))
        try FileAudit.requireClean(bytes: try opened.file.contents())
    }

    /// Commits larger than an opening should read, or than the next commit may leave out, sync twice.
    @Test func largeCommitsSyncTwice() throws {
        let run = try Run(commits: 3)
        let syncs = run.syncCount
        try run.change(1, byteCount: 300_000)
        #expect(run.syncCount == syncs + 2)
        #expect(try named(in: run.disk()) == run.database.version)
        try run.change(2)
        #expect(run.syncCount == syncs + 4)
        try run.change(3)
        #expect(run.syncCount == syncs + 5)
    }

    @Test func closingMakesTheFlipDurable() throws {
        let file: FaultyFile
        let version: UInt64
        do {
            let run = try Run(commits: 3)
            (file, version) = (run.file, run.database.version)
        }
        var image = CrashImage()
        for event in file.events { image.apply(event) }
        #expect(!image.hasPendingWrites)
        #expect(try named(in: image.bytes) == version)
    }
}
