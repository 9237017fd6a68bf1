// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem
import RealmTestSupport
import Testing

@testable import RealmStorage

/// The growth and shrinking of files. `REGNUM_SPACE_COMMITS` sets the length of the runs.
@Suite struct FileSizeTests {
    private static let megabyte = 1 << 20
    private static func commits(_ standard: Int) -> Int { Settings.number("REGNUM_SPACE_COMMITS") ?? standard }

    private final class Store {
        let file: any DatabaseFile
        let database: Database
        private let table: TableKey
        private let data: ColumnKey
        private var objects: [ObjectKey] = []
        private var serial: UInt8 = 0

        init(isEncrypted: Bool = false) throws {
            let disk = try DiskFile.anonymous(in: TemporaryFolder.base)
            file = try EncryptedFile.wrap(disk, isEncrypted ? QuickCipher() : nil)
            database = try Database(file: file, readOnly: false)
            (table, data) = try database.write { transaction in
                let table = try transaction.schema.addTable("class_Blob")
                return (table, try transaction.schema.addColumn("data", .binary, to: table))
            }
        }

        func overwrite(_ sizes: [Int]) throws {
            serial &+= 1
            try database.write { transaction in
                while objects.count < sizes.count { objects.append(try transaction.createObject(in: table)) }
                for (object, size) in zip(objects, sizes) {
                    let bytes = [UInt8](repeating: serial, count: size)
                    try transaction.set(.binary(bytes), data, of: object, in: table)
                }
            }
        }

        func overwrite(_ index: Int, _ size: Int) throws {
            try database.write { transaction in
                let bytes = [UInt8](repeating: 1, count: size)
                try transaction.set(.binary(bytes), data, of: objects[index], in: table)
            }
        }

        func keepLast(_ count: Int) throws {
            try database.write { for object in objects.dropLast(count) { try $0.removeObject(object, from: table) } }
            objects = Array(objects.suffix(count))
        }

        func removeAll() throws {
            try database.write { try $0.clear(table) }
            objects = []
        }

        var logicalSize: Int { get throws { Int(try database.snapshot().space.fileEnd) } }

        func audit() throws {
            try FileAudit.requireClean(bytes: try file.contents(), isDecrypted: file is EncryptedFile)
        }
    }

    @Test(arguments: [1, 100], [false, true])
    func overwritingOneMegabyte(values: Int, isEncrypted: Bool) throws {
        let store = try Store(isEncrypted: isEncrypted)
        let sizes = Array(repeating: FileSizeTests.megabyte / values, count: values)
        var largest = 0
        for _ in 0..<FileSizeTests.commits(100) {
            try store.overwrite(sizes)
            largest = max(largest, try store.file.size())
        }
        print("one megabyte as \(values): at most \(largest) bytes")
        #expect(largest < 8 * FileSizeTests.megabyte)
        try store.audit()
    }

    @Test(arguments: [1, 100], [false, true])
    func overwritingUnderAReader(values: Int, isEncrypted: Bool) throws {
        let store = try Store(isEncrypted: isEncrypted)
        let sizes = Array(repeating: FileSizeTests.megabyte / values, count: values)
        for _ in 0..<3 { try store.overwrite(sizes) }
        var held: Snapshot? = try store.database.snapshot()
        let text = try SnapshotText.lines(of: #require(held))
        var largest = 0
        for _ in 0..<FileSizeTests.commits(100) / 2 {
            try store.overwrite(sizes)
            largest = max(largest, try store.file.size())
        }
        #expect(try SnapshotText.lines(of: #require(held)) == text)
        print("one megabyte as \(values) under a reader: at most \(largest) bytes")
        // The pinned version, the newest, the one before, and the next.
        #expect(largest < 8 * FileSizeTests.megabyte)
        held = nil
        for _ in 0..<FileSizeTests.commits(100) / 5 { try store.overwrite(sizes) }
        #expect(try store.file.size() < 8 * FileSizeTests.megabyte)
        #expect(try store.logicalSize < 8 * FileSizeTests.megabyte)
        try store.audit()
    }

    @Test(arguments: [1, 100], [false, true])
    func aFileThatReadersMadeLargeBecomesSmall(values: Int, isEncrypted: Bool) throws {
        let store = try Store(isEncrypted: isEncrypted)
        let sizes = Array(repeating: FileSizeTests.megabyte / values, count: values)
        var readers: [Snapshot] = []
        for _ in 0..<30 {
            try store.overwrite(sizes)
            readers.append(try store.database.snapshot())
        }
        #expect(try store.file.size() > 30 * FileSizeTests.megabyte)
        readers.removeAll()
        var commits = 0
        while try store.file.size() >= 8 * FileSizeTests.megabyte, commits < 1000 {
            try store.overwrite(sizes)
            commits += 1
        }
        print("as \(values): small after \(commits) commits")
        #expect(commits < 1000)
        #expect(try store.logicalSize < 8 * FileSizeTests.megabyte)
        try store.audit()
    }

    @Test(arguments: [false, true]) func aFileThatOnceWasLargeBecomesSmall(isEncrypted: Bool) throws {
        let store = try Store(isEncrypted: isEncrypted)
        try store.overwrite(Array(repeating: 100_000, count: 1000))
        let other = try store.database.write { transaction in
            let table = try transaction.schema.addTable("class_Other")
            _ = try transaction.schema.addColumn("number", .int, to: table)
            let text = try transaction.schema.addColumn("text", .string, to: table)
            for number in 0..<2000 { _ = try transaction.createObject(in: table, [text: .string("text \(number)")]) }
            return table
        }
        let large = try store.file.size()
        try require(large > 100_000_000, "the file has only \(large) bytes")
        try store.removeAll()
        let text = try SnapshotText.lines(of: store.database.snapshot())
        var commits = 0
        while try store.file.size() >= 2 * FileSizeTests.megabyte, commits < 1000 {
            try store.database.write { _ in }
            commits += 1
        }
        print("100 MB: \(try store.file.size()) bytes after \(commits) commits")
        #expect(commits < 1000)
        #expect(try SnapshotText.lines(of: store.database.snapshot()) == text)
        #expect(try store.database.snapshot().table(other)?.count() == 2000)
        try store.audit()
        // Space for large commits is released slowly, and then the file stays as it is.
        for _ in 0..<400 { try store.database.write { _ in } }
        let settled = try store.file.size()
        for _ in 0..<200 { try store.database.write { _ in } }
        #expect(try store.file.size() == settled)
        #expect(store.database.spaceAccounting.shrinking.limit == nil)
    }

    @Test func filesOfAnyShapeBecomeSmallUnderReaders() throws {
        var generator = SeededGenerator(for: "large files of any shape")
        var counts: [Int] = []
        for round in 0..<(Settings.isContinuousIntegration ? 100 : 9) {
            var one = SeededGenerator(seed: generator.next())
            counts.append(
                try withTrace("seed \(generator.seed), round \(round)") {
                    try FileSizeTests.commitsUntilSmall(&one, isEncrypted: round % 3 == 2)
                })
        }
        print("files of any shape: small after so many commits: \(counts)")
    }

    private static func commitsUntilSmall(_ generator: inout SeededGenerator, isEncrypted: Bool) throws -> Int {
        let store = try Store(isEncrypted: isEncrypted)
        let (count, total) = (generator.pick([30, 100, 300]), (6 + generator.below(6)) * megabyte)
        let sizes = (0..<count).map { _ in total / count / 2 + generator.below(total / count) }
        for _ in 0...generator.below(3) { try store.overwrite(Array(sizes[...generator.below(count)])) }
        try store.overwrite(sizes)
        let large = try store.file.size()
        try require(large > 3 * megabyte, "the file has only \(large) bytes")
        try store.keepLast(1 + generator.below(3))
        var readers: [(snapshot: Snapshot, end: Int)] = []
        for commit in 0... {
            let use = try store.database.spaceUse()
            if use.fileByteCount <= 2 * use.usedByteCount + 2 * megabyte { return commit }
            try require(commit < 600, "still \(use.fileByteCount) bytes, of which \(use.usedByteCount) are used")
            if generator.chance(40) { readers.append((try store.database.snapshot(), commit + generator.below(20))) }
            readers.removeAll { $0.end <= commit }
            try store.overwrite(0, generator.below(3000))
        }
        return 0
    }

    @Test(arguments: [false, true]) func randomSizesStopGrowing(isEncrypted: Bool) throws {
        var generator = SeededGenerator(for: "random sizes")
        func size() -> Int { 1 << generator.below(16) + generator.below(1000) }
        let store = try Store(isEncrypted: isEncrypted)
        try store.overwrite((0..<200).map { _ in size() })
        let commits = FileSizeTests.commits(1200) * 2
        var largest = [0, 0]
        for round in 0..<commits {
            try store.overwrite(generator.below(200), size())
            largest[round * 2 / commits] = max(largest[round * 2 / commits], try store.file.size())
        }
        let used = try store.logicalSize - store.database.snapshot().freeList().byteCount
        print("random sizes: \(largest) bytes, \(used) used")
        // A file grows by a megabyte at a time, so one more isn't unbounded growth.
        #expect(largest[1] <= largest[0] + max(largest[0] / 10, FileSizeTests.megabyte))
        #expect(largest[1] < 4 * used + 2 * FileSizeTests.megabyte)
        try store.audit()
    }
}
