// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmCheck
import RealmSystem
import RealmTestSupport
import Testing

@testable import RealmStorage

/// Copies in streaming form (container 6.9).
@Suite struct CopyTests {
    /// The copy equals the file of the original engine, except for padding.
    @Test(arguments: [("write-copy", true), ("compacted", true), ("group-write", false), ("group-write-empty", false)])
    func copiesOfFixturesKeepTheirStructure(_ name: String, _ keepsVersion: Bool) throws {
        let fixture = Fixtures.path("v24/\(name).realm")
        let original = try Images.read(fixture)
        let snapshot = try Database.open(fixture, readOnly: true).snapshot()
        let copy = try CopyTests.bytes { try snapshot.writeCopy(to: $0, CopyOptions(keepsVersion: keepsVersion)) }
        try requireEqual(copy.count, original.count, "the size")
        let header: [UInt8] = Array(repeating: 255, count: 8) + Array(repeating: 0, count: 8) + FileFormat.mnemonic
        #expect(Array(copy[..<24]) == header + [24, 0, 0, 0])
        if name != "compacted" { #expect(copy.prefix(24) == original.prefix(24)) }
        let masked = try CopyTests.withoutPadding(original, snapshot)
        #expect(try CopyTests.withoutPadding(copy, snapshot)[24...] == masked[24...])
        let report = FileChecker.check(bytes: copy)
        #expect(report.isClean, "\(report.violations)")
    }

    private static func withoutPadding(_ bytes: [UInt8], _ snapshot: Snapshot) throws -> [UInt8] {
        var result = bytes
        var pending = snapshot.top.map { [$0.ref] } ?? []
        while let ref = pending.popLast() {
            let node = try snapshot.space.node(ref)
            let end = Int(ref) + 8 + node.header.payloadByteCount
            for index in end..<Int(ref) + node.header.byteCount { result[index] = 0 }
            if node.header.schemeCode == 0, node.count > 0, node.count * node.width % 8 > 0 {
                result[end - 1] &= UInt8(truncatingIfNeeded: (1 << (node.count * node.width % 8)) - 1)
            }
            guard node.header.hasRefs else { continue }
            for element in node.elements() where element != 0 && element & 1 == 0 {
                pending.append(Ref(bitPattern: Int(element)))
            }
        }
        return result
    }

    /// A process that is killed while it copies leaves no file of the target's name.
    @Test func aCopyIsRenamedOnceItIsComplete() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/copy.realm"
        let snapshot = try TestDatabase().database.snapshot()
        try NewFile.write(path) { file in
            try snapshot.writeCopy(to: file)
            #expect(!Folder.holds(path))
            #expect(try Folder.names(in: folder.path, prefix: "copy.realm.copy-").count == 1)
        }
        #expect(try Folder.names(in: folder.path, prefix: "copy") == ["copy.realm"])
        // A file created at the target meanwhile isn't replaced.
        let other = folder.path + "/other.realm"
        let error = #expect(throws: StorageError.self) {
            try NewFile.write(other) { file in
                try snapshot.writeCopy(to: file)
                _ = try DiskFile.create(other)
            }
        }
        #expect(error?.code == .alreadyExists && error?.path == other)
        #expect(try DiskFile.open(other, readOnly: true).size() == 0)
        #expect(try Folder.names(in: folder.path, prefix: "other") == ["other.realm"])
    }

    private static func bytes(of write: (any DatabaseFile) throws -> Void) throws -> [UInt8] {
        let file = try DiskFile.anonymous(in: TemporaryFolder.base)
        try write(file)
        var bytes = [UInt8](repeating: 0, count: try file.size())
        try bytes.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
        return bytes
    }

    @Test func copiesHoldTheSame() throws {
        var workload = Workload(SeededGenerator(for: "copies"))
        let test = try TestDatabase()
        for _ in 0..<40 { _ = try workload.commit(to: test.database) }
        for round in 0..<6 {
            let path = test.folder.path + "/copy\(round).realm"
            let transaction = try test.database.beginWrite()
            for _ in 0..<3 {
                try workload.change(transaction)
                _ = try CopyTests.bytes { try transaction.writeCopy(to: $0) }
            }
            try NewFile.write(path) { try transaction.writeCopy(to: $0) }
            let text = try SnapshotText.lines(of: transaction)
            try verify(path, text, version: transaction.baseVersion)
            try transaction.commit()
            let snapshot = try test.database.snapshot()
            #expect(try SnapshotText.lines(of: snapshot) == text)
            let first = try CopyTests.bytes { try snapshot.writeCopy(to: $0) }
            try Images.write(first, to: path)
            let reader = try Database.open(path, readOnly: true).snapshot()
            try Workload.verify(reader)
            let second = try CopyTests.bytes { try reader.writeCopy(to: $0) }
            #expect(first == second)
            try verify(path, text, version: snapshot.version)
        }
        try test.close()
    }

    private func verify(_ path: String, _ text: [String], version: UInt64) throws {
        try FileAudit.requireCleanTwice(path: path)
        let database = try Database.open(path)
        #expect(database.version == version)
        #expect(try SnapshotText.lines(of: database.snapshot()) == text)
        try database.write { _ = try $0.schema.addTable("class_After") }
        try FileAudit.requireClean(path: path)
    }

    /// In copies of more than 64 MiB and compacted files too, no node crosses a section boundary, and the gap before it
    /// is free.
    @Test func noNodeLiesInTwoSections() throws {
        let test = try TestDatabase()
        try test.write { transaction in
            let table = try transaction.schema.addTable("class_Large")
            let column = try transaction.schema.addColumn("data", .binary, to: table)
            for number in 0..<5 {
                let object = try transaction.createObject(in: table)
                let bytes = [UInt8](repeating: UInt8(number), count: 15 << 20)
                try transaction.set(.binary(bytes), column, of: object, in: table)
            }
        }
        for keepsVersion in [true, false] {
            let path = test.folder.path + "/copy-\(keepsVersion).realm"
            try NewFile.write(path) {
                try test.database.snapshot().writeCopy(to: $0, CopyOptions(keepsVersion: keepsVersion))
            }
            try FileAudit.requireClean(path: path)
            if Settings.isContinuousIntegration { try PythonChecker.requireClean(path: path) }
            let copy = try Database.open(path)
            #expect(try copy.snapshot().freeList().entries.count == 1)
            #expect(try copy.snapshot().top?.count == (keepsVersion ? 11 : 5))
            try copy.write { _ = try $0.schema.addTable("class_After") }
            try FileAudit.requireClean(path: path)
        }
        #expect(try test.database.compact())
        try test.audit()
        try test.write { _ = try $0.schema.addTable("class_After") }
        try test.close()
    }

    @Test func withoutTheVersion() throws {
        var workload = Workload(SeededGenerator(seed: 3))
        let test = try TestDatabase()
        for _ in 0..<10 { _ = try workload.commit(to: test.database) }
        let path = test.folder.path + "/copy.realm"
        let snapshot = try test.database.snapshot()
        try NewFile.write(path) { try snapshot.writeCopy(to: $0, CopyOptions(keepsVersion: false)) }
        try FileAudit.requireClean(path: path)
        let copy = try Database.open(path)
        #expect(copy.version == 1)
        #expect(try copy.snapshot().top?.count == 3)
        #expect(try SnapshotText.lines(of: copy.snapshot()) == SnapshotText.lines(of: snapshot))
        try copy.write { _ in }
        try FileAudit.requireClean(path: path)
    }

    /// A database without a commit has no top array.
    @Test func copyOfAnEmptyDatabase() throws {
        let database = try Database.inMemory(in: TemporaryFolder.base)
        let snapshot = try database.snapshot()
        let bytes = try CopyTests.bytes { try snapshot.writeCopy(to: $0) }
        #expect(bytes.count == 40)
        #expect(FileChecker.check(bytes: bytes).isClean)
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.realm"
        try Images.write(bytes, to: path)
        let copy = try Database.open(path)
        #expect(copy.version == 1)
        try copy.write { _ = try $0.schema.addTable("class_A") }
        try FileAudit.requireClean(path: path)
    }

    @Test func largeCopiesAreWrittenInPieces() throws {
        let database = try Database.inMemory(in: TemporaryFolder.base)
        try database.write { transaction in
            let table = try transaction.schema.addTable("class_Blob")
            let data = try transaction.schema.addColumn("data", .binary, to: table)
            for number in 0..<30 {
                let bytes = [UInt8](repeating: UInt8(number), count: number * 31_003)
                _ = try transaction.createObject(in: table, [data: .binary(bytes)])
            }
        }
        let snapshot = try database.snapshot()
        let file = FaultyFile(try DiskFile.anonymous(in: TemporaryFolder.base))
        try snapshot.writeCopy(to: file)
        var end = 0
        for event in file.events {
            guard case .write(let offset, let bytes) = event else { continue }
            #expect(offset == end && offset % 4096 == 0 && bytes.count < 3 << 20)
            end += bytes.count
        }
        #expect(end > 13_000_000)
        #expect(file.events.count > 8)
        let copy = try Database(file: file, readOnly: true)
        #expect(try SnapshotText.lines(of: copy.snapshot()) == SnapshotText.lines(of: snapshot))
        var bytes = [UInt8](repeating: 0, count: try file.size())
        try bytes.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
        #expect(FileChecker.check(bytes: bytes, options: FileChecker.Options(isDecrypted: true)).isClean)
    }

    @Test func failuresLeaveNothing() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/copy.realm"
        let database = try Database.inMemory(in: folder.path)
        try database.write { _ = try $0.schema.addTable("class_A") }
        let snapshot = try database.snapshot()
        var failures = 0
        for count in 0..<100 {
            do {
                try NewFile.write(path) { disk in
                    let file = FaultyFile(disk)
                    file.fail(after: count)
                    try snapshot.writeCopy(to: file)
                }
                break
            } catch is StorageError {
                failures += 1
                #expect(!Folder.holds(path))
            }
        }
        #expect(failures == 2)
        let before = try Images.read(path)
        do {
            try NewFile.write(path) { try snapshot.writeCopy(to: $0) }
            Issue.record("a file was replaced")
        } catch let error as StorageError {
            #expect(error.code == .alreadyExists && error.path == path)
        }
        #expect(try Images.read(path) == before)
        do {
            try NewFile.write(folder.path + "/none/copy.realm") { try snapshot.writeCopy(to: $0) }
            Issue.record("a directory was made")
        } catch let error as StorageError {
            #expect(error.code == .notFound)
        }
    }

    @Test func damagedFilesAreNotCopiedWithoutEnd() throws {
        var workload = Workload(SeededGenerator(seed: 4))
        let test = try TestDatabase()
        for _ in 0..<5 { _ = try workload.commit(to: test.database) }
        let top = try #require(try test.database.snapshot().top)
        let tables = try top.child(FileFormat.Top.tables)
        let node = try test.database.snapshot().space.node(tables)
        let width = node.width / 8
        try test.close()
        var bytes = try Images.read(test.path)
        for index in 0..<width {
            bytes[Int(tables) + 8 + index] = UInt8(truncatingIfNeeded: tables >> UInt(8 * index))
        }
        let path = test.folder.path + "/damaged.realm"
        try Images.write(bytes, to: path)
        let snapshot = try Database.open(path, readOnly: true).snapshot()
        #expect(throws: StorageError.self) { _ = try CopyTests.bytes { try snapshot.writeCopy(to: $0) } }
    }
}
