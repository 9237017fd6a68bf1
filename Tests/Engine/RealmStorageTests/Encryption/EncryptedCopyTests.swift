// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem
import RealmTestSupport
import Testing

/// Compaction and copies of encrypted databases.
@Suite struct EncryptedCopyTests {
    @Test func compactionKeepsContentAndKey() throws {
        let test = try TestDatabase(cipher: QuickCipher())
        var workload = Workload(SeededGenerator(seed: 4), size: 60)
        for _ in 0..<20 { _ = try workload.commit(to: test.database) }
        let before = try SnapshotText.lines(of: test.database.snapshot())
        let size = try Images.read(test.path).count
        #expect(try test.database.compact())
        #expect(try Images.read(test.path).count < size)
        #expect(try SnapshotText.lines(of: test.database.snapshot()) == before)
        for _ in 0..<5 { _ = try workload.commit(to: test.database) }
        try Workload.verify(try test.database.snapshot())
        try test.reopen()
        try Workload.verify(try test.database.snapshot())
        try test.close()
    }

    @Test func copiesTakeAnotherKey() throws {
        let test = try TestDatabase(cipher: QuickCipher())
        var workload = Workload(SeededGenerator(seed: 4), size: 60)
        for _ in 0..<10 { _ = try workload.commit(to: test.database) }
        let before = try SnapshotText.lines(of: test.database.snapshot())
        var source = test.database
        for (index, cipher) in [QuickCipher(cipherKey: 8, tagKey: 9), nil, QuickCipher()].enumerated() {
            let path = test.folder.path + "/copy\(index).realm"
            let snapshot = try source.snapshot()
            try NewFile.write(path, wrap: { try EncryptedFile.wrap($0, cipher) }) { try snapshot.writeCopy(to: $0) }
            if cipher != nil { #expect(throws: StorageError.self) { try Database.open(path, readOnly: true) } }
            source = try Database.open(path, cipher: cipher)
            #expect(try SnapshotText.lines(of: source.snapshot()) == before)
            let table = try source.write { try $0.schema.addTable("class_After") }
            try FileAudit.requireClean(path: path, cipher: cipher)
            try source.write { try $0.schema.removeTable(table) }
        }
    }
}
