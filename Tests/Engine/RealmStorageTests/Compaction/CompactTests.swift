// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem
import RealmTestSupport
import Testing

@testable import RealmStorage

/// Compaction replaces the file or does nothing (container 6.9).
@Suite struct CompactTests {
    private static func spacious(_ database: Database, _ workload: inout Workload) throws {
        for _ in 0..<10 { _ = try workload.commit(to: database) }
        let table = try database.write { transaction in
            let table = try transaction.schema.addTable("class_Bulk")
            let data = try transaction.schema.addColumn("data", .binary, to: table)
            for _ in 0..<20 {
                _ = try transaction.createObject(in: table, [data: .binary([UInt8](repeating: 7, count: 20_000))])
            }
            return table
        }
        try database.write { try $0.schema.removeTable(table) }
        _ = try workload.commit(to: database)
        _ = try workload.commit(to: database)
    }

    @Test func aSpaciousFileBecomesSmall() throws {
        var workload = Workload(SeededGenerator(for: "compact"))
        let test = try TestDatabase()
        try CompactTests.spacious(test.database, &workload)
        let version = test.database.version
        let text = try SnapshotText.lines(of: test.database.snapshot())
        let before = try test.database.spaceUse()
        #expect(before.fileByteCount > 400_000 && before.reusableByteCount > before.usedByteCount)
        try Images.write([1, 2, 3], to: test.path + Database.compactionSuffix)
        #expect(try test.database.compact())
        #expect(!Folder.holds(test.path + Database.compactionSuffix))
        let after = try test.database.spaceUse()
        let reserve = SpaceReserve.byteCount(logicalSize: Ref(after.usedByteCount), entryCount: 0, unit: 8)
        #expect(after.reusableByteCount <= reserve && after.usedByteCount <= before.usedByteCount)
        #expect(after.fileByteCount == after.logicalByteCount + FileFormat.footerByteCount)
        #expect(try Images.read(test.path).count == after.fileByteCount)
        #expect(test.database.version == version && test.database.holders.isEmpty)
        #expect(try SnapshotText.lines(of: test.database.snapshot()) == text)
        try test.auditTwice()
        for round in 0..<20 {
            try requireEqual(try workload.commit(to: test.database), test.database.version, "the version")
            try Workload.verify(test.database.snapshot())
            if round % 5 == 0 { #expect(try test.database.compact()) }
            try test.audit()
        }
        let last = test.database.version
        try test.reopen()
        #expect(test.database.version == last)
        try Workload.verify(test.database.snapshot())
        try test.close()
        try PythonChecker.requireClean(path: test.path)
    }

    @Test func nothingIsDoneWhileOthersAreThere() throws {
        var workload = Workload(SeededGenerator(seed: 1))
        let test = try TestDatabase()
        try CompactTests.spacious(test.database, &workload)
        let before = try Images.read(test.path)
        do {
            let held = try test.database.snapshot()
            #expect(try !test.database.compact())
            withExtendedLifetime(held) {}
        }
        do {
            let other = try Database.open(test.path)
            #expect(try !test.database.compact())
            withExtendedLifetime(other) {}
        }
        var late: Snapshot?
        let wasCompacted = try test.database.compact(wrap: { file in
            late = try test.database.snapshot()
            return file
        })
        #expect(!wasCompacted && late != nil)
        late = nil
        #expect(try Images.read(test.path) == before)
        #expect(!Folder.holds(test.path + Database.compactionSuffix))
        #expect(try test.database.compact())
        try test.close()
    }

    @Test func databasesWithoutAFileOrContent() throws {
        let memory = try Database.inMemory(in: TemporaryFolder.base)
        #expect(try !memory.compact())
        try TestDatabase.using { test in
            #expect(try test.database.compact())
            #expect(test.database.version == 1)
            try test.write { _ = try $0.schema.addTable("class_A") }
            #expect(test.database.version == 2)
        }
    }

    @Test func everyCallFailsOnce() throws {
        var failures = 0
        for count in 0..<200 {
            let test = try TestDatabase()
            var workload = Workload(SeededGenerator(seed: 2), size: 5)
            try CompactTests.spacious(test.database, &workload)
            let before = try Images.read(test.path)
            var written: FaultyFile?
            do {
                #expect(
                    try test.database.compact(wrap: { disk in
                        let file = FaultyFile(disk)
                        file.fail(after: count)
                        written = file
                        return file
                    }))
            } catch is StorageError {
                failures += 1
                try withTrace("call \(count) fails") {
                    try require(try Images.read(test.path) == before, "the file has changed")
                    try require(!Folder.holds(test.path + Database.compactionSuffix), "the new file is still there")
                    try require(test.database.holders.isEmpty, "a version is held")
                    _ = try workload.commit(to: test.database)
                    try Workload.verify(test.database.snapshot())
                    try test.close()
                }
                continue
            }
            if written?.failedCall == nil { break }
        }
        #expect(failures > 10)
    }

    /// The new file gets the name once it is durable as a whole.
    @Test func aCrashLeavesTheOldFileOrTheNewOne() throws {
        var generator = SeededGenerator(for: "crash of compaction")
        var workload = Workload(generator)
        let test = try TestDatabase()
        try CompactTests.spacious(test.database, &workload)
        let text = try SnapshotText.lines(of: test.database.snapshot())
        let before = try Images.read(test.path)
        var written: FaultyFile?
        let wasCompacted = try test.database.compact(
            wrap: { disk in
                let file = FaultyFile(disk)
                written = file
                return file
            })
        #expect(wasCompacted)
        var image = CrashImage()
        for event in try #require(written).events { image.apply(event) }
        #expect(!image.hasPendingWrites)
        #expect(image.crashed(keeping: .nothing, using: &generator) == (try Images.read(test.path)))
        #expect(before != image.bytes)
        // A crash leaves a part of the new file, which the next compaction removes.
        try test.close()
        let folder = try TemporaryFolder()
        let path = folder.path + "/test.realm"
        for event in try #require(written).events.indices.dropLast() {
            var image = CrashImage()
            for event in try #require(written).events[...event] { image.apply(event) }
            try Images.write(before, to: path)
            try Images.write(
                image.crashed(keeping: .sectors, using: &generator), to: path + Database.compactionSuffix)
            let database = try Database.open(path)
            #expect(try SnapshotText.lines(of: database.snapshot()) == text)
            #expect(try database.compact())
            #expect(try SnapshotText.lines(of: database.snapshot()) == text)
            try FileAudit.requireClean(path: path)
        }
    }

    @Test func underReadersAndWriters() async throws {
        let test = try TestDatabase()
        let database = test.database
        var workload = Workload(SeededGenerator(for: "compact among threads"), size: 10)
        for _ in 0..<3 { _ = try workload.commit(to: database) }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    for _ in 0..<400 {
                        try Workload.verify(database.snapshot())
                        await Task.yield()
                    }
                    return 0
                }
            }
            group.addTask { [workload] in
                var workload = workload
                for _ in 0..<60 {
                    _ = try workload.commit(to: database)
                    await Task.yield()
                }
                return 0
            }
            group.addTask {
                var count = 0
                for _ in 0..<60 {
                    if try database.compact() { count += 1 }
                    await Task.yield()
                }
                return count
            }
            let compactions = try await group.reduce(0, +)
            print("compact among threads: \(compactions) of 60")
        }
        try Workload.verify(database.snapshot())
        #expect(database.version == 64)
        try test.audit()
    }

    @Test func heldBytes() throws {
        let test = try TestDatabase()
        let (table, data) = try test.write { transaction in
            let table = try transaction.schema.addTable("class_Blob")
            return (table, try transaction.schema.addColumn("data", .binary, to: table))
        }
        func write(_ count: Int) throws {
            try test.write { transaction in
                try transaction.clear(table)
                let bytes = [UInt8](repeating: 1, count: count)
                _ = try transaction.createObject(in: table, [data: .binary(bytes)])
            }
        }
        try write(50_000)
        var first: Snapshot? = try test.database.snapshot()
        let firstVersion = try #require(first).version
        try write(30_000)
        var second: Snapshot? = try test.database.snapshot()
        let secondVersion = try #require(second).version
        for _ in 0..<5 { try write(1000) }
        var use = try test.database.spaceUse()
        #expect(Set(use.heldByteCounts.keys) == [firstVersion, secondVersion])
        #expect((50_000..<54_000).contains(use.heldByteCounts[firstVersion] ?? 0))
        #expect((30_000..<37_000).contains(use.heldByteCounts[secondVersion] ?? 0))
        let held = use.heldByteCounts.values.reduce(0, +)
        #expect(use.usedByteCount + use.reusableByteCount + held == use.logicalByteCount)
        #expect(use.freeByteCount == use.reusableByteCount + held)
        second = nil
        try write(1000)
        use = try test.database.spaceUse()
        #expect(Set(use.heldByteCounts.keys) == [firstVersion])
        #expect((50_000..<54_000).contains(use.heldByteCounts[firstVersion] ?? 0))
        first = nil
        #expect(try test.database.spaceUse().heldByteCounts.isEmpty)
        withExtendedLifetime((first, second)) {}
        try test.close()
    }
}
