// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmSystem
import RealmTestSupport
import Testing

/// A database on a full volume. Mounting volumes needs root, otherwise the test is reported as skipped.
@Suite(.serialized) struct FullDiskTests {
    @Test(arguments: ["tmpfs", "ext4"]) func existingObjectsCanBeRemoved(_ kind: String) throws {
        guard let volume = try SmallVolume(kind) else { return Skip.report("no \(kind) can be mounted") }
        let path = volume.path + "/a.realm"
        try fill(path)
        volume.fill()
        // Another process first, because it can reuse this process's auxiliary files.
        let child = try ChildProcess(["hold", path])
        #expect(try child.nextLine() == "ready")
        try child.kill()
        // No write mark is needed where it can't be written.
        try FileManager.default.removeItem(atPath: path + ".management/regnum.write")
        volume.fill()
        do {
            let database = try Database.open(path)
            let reader = try Database.open(path, readOnly: true, joining: .always)
            #expect(try count(reader) == count(database))
            _ = reader
        }
        volume.fill()
        do {
            let database = try Database.open(path)
            #expect(try count(database) > 0)
            try database.write { try $0.clear(try table($0)) }
            #expect(try count(database) == 0)
            try add(1, of: 1000, to: database)
            try add(1, of: 200_000, to: database)
            #expect(try count(database) == 2)
        }
        try FileAudit.requireClean(path: path)
    }

    @Test(
        arguments: [("tmpfs", nil), ("tmpfs", QuickCipher()), ("ext4", nil), ("ext4", QuickCipher())], [true, false])
    func anOpenDatabaseCanRemoveObjects(_ volume: (kind: String, cipher: QuickCipher?), _ isAtOnce: Bool) throws {
        guard let small = try SmallVolume(volume.kind) else {
            return Skip.report("no \(volume.kind) can be mounted")
        }
        let path = small.path + "/a.realm"
        try fill(path, volume.cipher) { database in
            small.fill()
            try remove(from: database, isAtOnce: isAtOnce)
            try add(1, of: 200_000, to: database)
        }
        try FileAudit.requireClean(path: path, cipher: volume.cipher)
    }

    @Test(
        arguments: [("tmpfs", nil), ("tmpfs", QuickCipher()), ("ext4", nil), ("ext4", QuickCipher())], [true, false])
    func aCompactedFileCanBeEmptied(_ volume: (kind: String, cipher: QuickCipher?), _ isAtOnce: Bool) throws {
        guard let small = try SmallVolume(volume.kind) else {
            return Skip.report("no \(volume.kind) can be mounted")
        }
        let path = small.path + "/a.realm"
        let database = try Database.open(path, cipher: volume.cipher)
        try addTable(to: database)
        for _ in 0..<20 { try add(5, of: 10_000, to: database) }
        #expect(try database.compact())
        small.fill()
        for size in [50_000, 100] {
            let error = #expect(throws: StorageError.self) { while true { try add(1, of: size, to: database) } }
            #expect(error?.code == .outOfSpace)
        }
        try remove(from: database, isAtOnce: isAtOnce)
        try add(1, of: 200_000, to: database)
        try FileAudit.requireClean(path: path, cipher: volume.cipher)
    }

    private func remove(from database: Database, isAtOnce: Bool) throws {
        if isAtOnce {
            try database.write { try $0.clear(try table($0)) }
        } else {
            var keys: [ObjectKey] = []
            try database.snapshot().table(named: "class_Large")?.clusters.forEachLeaf { leaf in
                keys += (0..<leaf.count).map { leaf.key(at: $0) }
                return true
            }
            for key in keys { try database.write { try $0.removeObject(key, from: try table($0)) } }
        }
        #expect(try count(database) == 0)
    }

    /// An upgrade without enough space leaves the older file unchanged, and reports that its copy didn't fit either.
    @Test(arguments: ["tmpfs", "ext4"]) func anUpgradeLeavesTheFile(_ kind: String) throws {
        guard let old = OldFile.named("test_upgrade_database_1000_23") else { return }
        guard let volume = try SmallVolume(kind) else { return Skip.report("no \(kind) can be mounted") }
        let path = volume.path + "/a.realm"
        try Images.write(try old.bytes(), to: path)
        _ = try SessionLock.acquire(forDatabase: path)
        do {
            let folder = try OpenFolder.make(path + ".management", for: .ownerOnly)
            let pins = try DiskFile.create("regnum-1-1.pins", in: folder)
            try [UInt8](repeating: 0, count: 4096).withUnsafeBytes { try pins.write($0, at: 0) }
        }
        volume.fill()
        let warnings = Warnings()
        var options = OpenOptions()
        options.warn = { warnings.add($0) }
        let error = #expect(throws: StorageError.self) { try Database.open(path, options: options) }
        #expect(error?.code == .outOfSpace)
        // The file may have left the streaming form, and its free blocks may be overwritten. Its content is unchanged.
        let bytes = try old.bytes()
        #expect(try Images.read(path).count == bytes.count)
        let text = try SnapshotText.lines(of: Database.open(path, readOnly: true).snapshot())
        try Images.write(bytes, to: volume.path + "/../b.realm")
        let expected = try Database.open(volume.path + "/../b.realm", readOnly: true).snapshot()
        #expect(try text == SnapshotText.lines(of: expected))
        #expect(warnings.texts.count == 1 && warnings.texts[0].contains("without the copy"), "\(warnings.texts)")
    }

    /// Guarded by its lock.
    private final class Warnings: @unchecked Sendable {
        private let lock = Lock()
        private var kept: [String] = []
        var texts: [String] { lock.locked { kept } }
        func add(_ text: String) { lock.locked { kept.append(text) } }
    }

    private func fill(
        _ path: String, _ cipher: QuickCipher? = nil, then body: (Database) throws -> Void = { _ in }
    ) throws {
        let database = try Database.open(path, cipher: cipher)
        try addTable(to: database)
        for size in [500_000, 50_000, 5000] {
            let error = #expect(throws: StorageError.self) { while true { try add(2, of: size, to: database) } }
            #expect(error?.code == .outOfSpace)
        }
        try body(database)
    }

    private func addTable(to database: Database) throws {
        try database.write { transaction in
            let table = try transaction.schema.addTable("class_Large")
            _ = try transaction.schema.addColumn("data", .binary, to: table)
        }
    }

    private func table(_ source: any TableSource) throws -> TableKey {
        guard let table = try source.table(named: "class_Large") else { throw Failure("no table") }
        return table.key
    }

    private func add(_ count: Int, of size: Int, to database: Database) throws {
        try database.write { transaction in
            let key = try table(transaction)
            guard let column = try transaction.table(key)?.column(named: "data")?.key else { throw Failure("data?") }
            for _ in 0..<count {
                let object = try transaction.createObject(in: key)
                try transaction.set(.binary([UInt8](repeating: 7, count: size)), column, of: object, in: key)
            }
        }
    }

    private func count(_ database: Database) throws -> Int {
        try database.snapshot().table(named: "class_Large")?.count() ?? 0
    }
}
