// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem
import RealmTestSupport
import Testing

@testable import RealmStorage

/// Removing objects on a full disk frees space for new ones. The disk is simulated; `FullDiskTests` uses a real one.
@Suite struct FullDiskRemovalTests {
    enum Past: CaseIterable {
        /// Objects were inserted in a few commits.
        case new
        /// Objects were inserted, changed, and removed in many commits.
        case used
        /// A used file was compacted.
        case compacted
        /// A used file was copied.
        case copied
    }

    @Test(arguments: [false, true], Past.allCases)
    func objectsCanBeRemovedOneByOne(isEncrypted: Bool, _ past: Past) throws {
        var generator = SeededGenerator(for: "removal on a full disk, \(past), \(isEncrypted)")
        let store = try Store(past, isEncrypted: isEncrypted, &generator)
        try withTrace("seed \(generator.seed)") {
            try store.fill()
            var keys = try store.keys
            for round in 0..<(Settings.isContinuousIntegration ? 300 : 80) {
                let key = keys.remove(at: generator.below(keys.count))
                try withTrace("removal \(round)") { try store.remove([key]) }
            }
            try requireEqual(try store.keys, keys, "the objects")
            try store.audit()
            // More than the reserve: the first commits fill it with a sixteenth of the file, in fitting blocks.
            for start in stride(from: 0, to: 1600, by: 20) { try store.remove(Array(keys[start..<start + 20])) }
            try withTrace("insertion") { try store.insert(100) }
            try store.audit()
        }
    }

    @Test(arguments: [false, true], Past.allCases)
    func objectsCanBeRemovedAtOnce(isEncrypted: Bool, _ past: Past) throws {
        var generator = SeededGenerator(for: "bulk removal on a full disk, \(past), \(isEncrypted)")
        let store = try Store(past, isEncrypted: isEncrypted, &generator)
        try withTrace("seed \(generator.seed)") {
            try store.fill()
            let keys = try store.keys
            for start in stride(from: 100, to: 900, by: 20) { try store.remove(Array(keys[start..<start + 20])) }
            try store.insert(50)
            try store.audit()
            try store.fill()
            try store.clear()
            try store.audit()
            try store.insert(1000)
            try store.audit()
        }
    }

    @Test(arguments: [false, true]) func insertionsLeaveTheReserve(isEncrypted: Bool) throws {
        var generator = SeededGenerator(for: "insertions on a full disk, \(isEncrypted)")
        let store = try Store(.used, isEncrypted: isEncrypted, &generator)
        try store.fill()
        var failures = 0
        // Some succeed: each failed commit frees the space it didn't use.
        for _ in 0..<2000 where failures < 100 { do { try store.insert(1) } catch { failures += 1 } }
        #expect(failures == 100)
        try store.remove([generator.pick(try store.keys)])
        try store.audit()
    }

    /// A pinned old version keeps its space, and the reserve still suffices for a removal.
    @Test(arguments: [false, true]) func aReaderDoesNotPreventRemovals(isEncrypted: Bool) throws {
        var generator = SeededGenerator(for: "reader on a full disk, \(isEncrypted)")
        let store = try Store(.used, isEncrypted: isEncrypted, &generator)
        try store.fill()
        let reader = try store.database.snapshot()
        let text = try SnapshotText.lines(of: reader)
        try store.clear()
        #expect(try SnapshotText.lines(of: reader) == text)
        try store.audit()
    }

    @Test(arguments: [(false, 8192), (true, 32_768)]) func aNewFileStaysSmall(isEncrypted: Bool, bound: Int) throws {
        let file = try EncryptedFile.wrap(
            try DiskFile.anonymous(in: TemporaryFolder.base), isEncrypted ? QuickCipher() : nil)
        let database = try Database(file: file, readOnly: false)
        try database.write { transaction in
            let table = try transaction.schema.addTable("class_Thing")
            _ = try transaction.createObject(
                in: table, [try transaction.schema.addColumn("number", .int, to: table): .int(7)])
        }
        print("a file of one object, encrypted \(isEncrypted): \(try file.size()) bytes")
        #expect(try file.size() <= bound)
    }

    private final class Store {
        private let folder: TemporaryFolder
        private let disk: FaultyFile
        private let file: any DatabaseFile
        let database: Database

        init(_ past: Past, isEncrypted: Bool, _ generator: inout SeededGenerator) throws {
            folder = try TemporaryFolder()
            let cipher = isEncrypted ? QuickCipher() : nil
            let path = folder.path + "/a.realm"
            try Store.make(path, cipher, past, &generator)
            disk = FaultyFile(
                try DiskFile.open(past == .copied ? path + ".copy" : path, readOnly: false, creation: .mustExist))
            file = try EncryptedFile.wrap(disk, cipher)
            database = try Database(file: file, readOnly: false)
        }

        private static func make(
            _ path: String, _ cipher: QuickCipher?, _ past: Past, _ generator: inout SeededGenerator
        ) throws {
            let database = try Database.open(path, cipher: cipher)
            try database.write { transaction in
                let table = try transaction.schema.addTable("class_Thing")
                _ = try transaction.schema.addColumn("number", .int, to: table)
                let name = try transaction.schema.addColumn("name", .string, to: table)
                try transaction.indexes.add(name, of: table)
                _ = try transaction.schema.addColumn("data", .binary, to: table)
                _ = try transaction.schema.addColumn("numbers", .int, .list, to: table)
            }
            for _ in 0..<3 { try insert(1000, to: database) }
            if past != .new {
                var keys = try keys(in: database)
                for _ in 0..<150 {
                    keys += try insert(3, to: database)
                    let removed = (0..<2).map { _ in keys.remove(at: generator.below(keys.count)) }
                    try remove(removed, from: database)
                }
            }
            if past == .compacted { #expect(try database.compact()) }
            guard past == .copied else { return }
            try NewFile.write(path + ".copy", wrap: { try EncryptedFile.wrap($0, cipher) }) { file in
                try database.snapshot().writeCopy(to: file, CopyOptions(hasReserve: true))
            }
        }

        func fill() throws {
            let size = try disk.size()
            disk.limit(to: size)
            for count in [100, 10, 1] {
                let error = #expect(throws: StorageError.self) { while true { try insert(count) } }
                try requireEqual(error?.code, .outOfSpace, "the error")
            }
            disk.forget()
        }

        var keys: [ObjectKey] { get throws { try Store.keys(in: database) } }
        func insert(_ count: Int) throws { try Store.insert(count, to: database) }
        func remove(_ keys: [ObjectKey]) throws { try Store.remove(keys, from: database) }
        func clear() throws { try database.write { try $0.clear(try Store.table($0)) } }

        func audit() throws {
            try FileAudit.requireClean(bytes: try file.contents(), isDecrypted: file is EncryptedFile)
        }

        private static func table(_ source: any TableSource) throws -> TableKey {
            guard let table = try source.table(named: "class_Thing") else { throw Failure("no table") }
            return table.key
        }

        private static func keys(in database: Database) throws -> [ObjectKey] {
            var keys: [ObjectKey] = []
            try database.snapshot().table(named: "class_Thing")?.clusters.forEachLeaf { leaf in
                keys += (0..<leaf.count).map { leaf.key(at: $0) }
                return true
            }
            return keys
        }

        @discardableResult
        private static func insert(_ count: Int, to database: Database) throws -> [ObjectKey] {
            try database.write { transaction in
                let key = try table(transaction)
                guard let table = try transaction.table(key) else { throw Failure("no table") }
                let columns = try ["number", "name", "data"].map { name in
                    guard let column = table.column(named: name)?.key else { throw Failure("no \(name)") }
                    return column
                }
                return try (0..<count).map { _ in
                    let number = Int64(try table.count())
                    let values: [ColumnKey: StoredValue] = [
                        columns[0]: .int(number), columns[1]: .string("thing \(number)"),
                        columns[2]: .binary([UInt8](repeating: 7, count: 90)),
                    ]
                    return try transaction.createObject(in: key, values)
                }
            }
        }

        private static func remove(_ keys: [ObjectKey], from database: Database) throws {
            try database.write { transaction in
                let table = try table(transaction)
                for key in keys { try transaction.removeObject(key, from: table) }
            }
        }
    }
}
