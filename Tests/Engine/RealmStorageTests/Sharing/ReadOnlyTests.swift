// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
@testable import RealmStorage
import RealmSystem
import RealmTestSupport
import Testing

/// Read-only openings next to writers.
@Suite struct ReadOnlyTests {
    private func open(_ path: String) throws -> Database { try Database.open(path, readOnly: true, joining: .always) }

    /// In either order of opening, the reader's version stays whole and is listed. Its next version is the newest.
    @Test(arguments: [false, true]) func aReadVersionStaysWhole(readerIsFirst: Bool) throws {
        let test = try TestDatabase()
        var workload = Workload(SeededGenerator(seed: 11), size: 20)
        for _ in 0..<6 { _ = try workload.commit(to: test.database) }
        if readerIsFirst { try test.close() }
        let reader = try open(test.path)
        #expect(!reader.isUnguarded)
        let held = try reader.snapshot(label: "report")
        let writer = try readerIsFirst ? Database.open(test.path) : test.database
        for _ in 0..<30 {
            let version = try workload.commit(to: writer)
            try Workload.verify(held)
            #expect(reader.version == version)
            #expect(try reader.snapshot().version == version)
        }
        #expect(try writer.pins().map(\.label).contains("report"))
        #expect(try !writer.compact())
    }

    /// A file in streaming form, or without a commit.
    @Test func aFileInStreamingFormIsReadUnchanged() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.realm"
        let copy = folder.path + "/copy.realm"
        do {
            let database = try Database.open(path)
            let empty = try open(path)
            #expect(try empty.snapshot().version == 1)
            var workload = Workload(SeededGenerator(seed: 2))
            for _ in 0..<3 { _ = try workload.commit(to: database) }
            try Workload.verify(try empty.snapshot())
            try NewFile.write(copy) { try database.snapshot().writeCopy(to: $0) }
        }
        let before = try Images.read(copy)
        let reader = try open(copy)
        let held = try reader.snapshot()
        #expect(try Images.read(copy) == before)
        let writer = try Database.open(copy)
        var workload = Workload(SeededGenerator(seed: 2))
        for _ in 0..<10 { _ = try workload.commit(to: writer) }
        try Workload.verify(held)
        #expect(try reader.snapshot().version == writer.version)
    }

    /// Without a session, nothing pins the version. Once the file has advanced, no other version is read, and apparent
    /// damage is reported as such a change.
    @Test func withoutASessionTheMoveIsNoticed() throws {
        let test = try TestDatabase()
        var workload = Workload(SeededGenerator(seed: 5), size: 20)
        for _ in 0..<6 { _ = try workload.commit(to: test.database) }
        let reader = try Database.open(test.path, readOnly: true)
        #expect(reader.isUnguarded)
        let damage = StorageError(.invalidDatabase, "some damage")
        #expect(reader.cause(of: damage).code == .invalidDatabase)
        try Workload.verify(try reader.snapshot())
        // The number of commits after which the header repeats.
        for _ in 0..<8 {
            _ = try workload.commit(to: test.database)
            let error = #expect(throws: StorageError.self) { try reader.snapshot() }
            #expect(error?.code == .fileAccess)
            #expect(reader.cause(of: damage).code == .fileAccess)
        }
        #expect(try open(test.path).snapshot().version == test.database.version)
        try test.close()
    }

    /// Rejected as for writing, since the library would write regardless of the reader.
    @Test func aFileOpenInAnotherLibraryIsRejected() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.realm"
        _ = try Database.open(path)
        try Images.write([UInt8](repeating: 1, count: 1728), to: path + ".lock")
        let other = try DiskFile.open(path + ".lock", readOnly: false)
        #expect(try other.lock(.shared, waiting: false))
        let error = #expect(throws: StorageError.self) { try open(path) }
        #expect(error?.code == .alreadyOpen)
        _ = try Database.open(path, readOnly: true)
    }

    @Test func noAuxiliaryFileIsCreatedForAMissingFile() throws {
        let folder = try TemporaryFolder()
        #expect(throws: StorageError.self) { try open(folder.path + "/none.realm") }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
}
