// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmSystem
import RealmTestSupport
import Testing

/// Opening, sharing, and rejection of databases.
@Suite struct DatabaseTests {
    @Test func aSessionOfAnotherLibraryIsRefused() throws {
        let test = try TestDatabase()
        try test.close()
        try Images.write(Images.coreLock, to: test.path + ".lock")
        let descriptor = open(test.path + ".lock", O_RDWR)
        try #require(flock(descriptor, LOCK_SH) == 0)
        let error = #expect(throws: StorageError.self) { try Database.open(test.path) }
        #expect(error?.code == .alreadyOpen)
        #expect(error?.path == test.path)
        close(descriptor)
        _ = try Database.open(test.path)
    }

    @Test func aSnapshotKeepsTheSession() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.realm"
        var snapshot: Snapshot? = try Database.open(path).snapshot()
        #expect(try SessionLock.acquire(forDatabase: path)?.isJoined == true)
        withExtendedLifetime(snapshot) {}
        snapshot = nil
        #expect(try SessionLock.acquire(forDatabase: path)?.isJoined == false)
    }

    @Test func openingReadOnlyChangesNothing() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.realm"
        #expect(throws: StorageError.self) { try Database.open(path, readOnly: true) }
        #expect(!FileManager.default.fileExists(atPath: path))
        var workload = Workload(SeededGenerator(seed: 1))
        do {
            let database = try Database.open(path)
            for _ in 0..<5 { _ = try workload.commit(to: database) }
        }
        try FileManager.default.removeItem(atPath: path + ".lock")
        let before = try Images.read(path)
        let reader = try Database.open(path, readOnly: true)
        try Workload.verify(try reader.snapshot())
        #expect(throws: StorageError.self) { try reader.beginWrite() }
        #expect(try Images.read(path) == before)
        #expect(!FileManager.default.fileExists(atPath: path + ".lock"))
    }

    @Test func aFileThatIsNotADatabaseIsRejectedAndUnchanged() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.realm"
        for bytes in [[1], Array(repeating: 7, count: 24), Array("This is a text and not a database.".utf8)]
            as [[UInt8]]
        {
            try Images.write(bytes, to: path)
            for readOnly in [true, false] {
                #expect(throws: StorageError.self) { try Database.open(path, readOnly: readOnly) }
            }
            #expect(try Images.read(path) == bytes)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.realm"])
        }
    }

    @Test func aNewDatabaseIsEmpty() throws {
        let test = try TestDatabase()
        #expect(test.database.version == 1)
        #expect(try test.database.snapshot().tableKeys().isEmpty)
        let reader = try Database.open(test.path, readOnly: true)
        #expect(reader.version == 1)
        try test.write { _ in }
        #expect(test.database.version == 2)
        #expect(reader.version == 1)
        try test.close()
    }

    @Test func inMemoryDatabasesAreApart() throws {
        let databases = try (0..<2).map { _ in try Database.inMemory(in: TemporaryFolder.base) }
        try databases[0].write { _ = try $0.schema.addTable("class_One") }
        #expect(databases.map(\.version) == [2, 1])
        #expect(try databases[0].snapshot().table(named: "class_One") != nil)
    }
}
