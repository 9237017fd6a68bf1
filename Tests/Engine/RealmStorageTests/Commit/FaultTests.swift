// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem
import RealmTestSupport
import Testing

/// One or all later calls to the file fail. The error is thrown, no commit is lost, and the database continues or
/// rejects further writes.
@Suite struct FaultTests {
    private static let commits = 4

    @Test(arguments: [nil, EIO, ENOSPC, EINTR, ENOMEM])
    func everyCallFailsOnce(number: Int32?) throws {
        var failedCalls: Set<String> = []
        var refusals = 0
        for count in 0..<1000 {
            let outcome = try withTrace("call \(count) fails") { try FaultTests.run(failingAfter: count, number) }
            guard let outcome else { break }
            failedCalls.insert(outcome.call.rawValue)
            if outcome.refuses { refusals += 1 }
        }
        #expect(failedCalls == ["size", "read", "write", "resize", "sync", "map"])
        // The header, the sync, and the two writes of the flip. The first commit has no record and syncs twice. So does
        // one that writes to more small blocks than a record can name, because the large block is reserved. A record
        // that can't be written is left out.
        #expect(refusals == 4 * FaultTests.commits + 2)
    }

    /// The disk is full or broken from some call on, and then recovers.
    @Test(arguments: [EIO, ENOSPC])
    func everyCallFailsFromSomeMomentOn(number: Int32) throws {
        var outcomes: Set<String> = []
        for count in 0..<200 {
            try withTrace("all calls fail from call \(count) on") {
                let file = FaultyFile(try ImageFile())
                let database = try Database(file: file, readOnly: false)
                var workload = Workload(SeededGenerator(seed: 7), size: 10)
                for _ in 0..<2 { _ = try workload.commit(to: database) }
                let held = try database.snapshot()
                file.fail(after: count, with: number, forEver: true)
                var returned = database.version
                for _ in 0..<3 {
                    guard (try? workload.commit(to: database)) != nil else { continue }
                    returned = database.version
                }
                // Reads without a call to the file succeed.
                try Workload.verify(held)
                try Workload.verify(try database.snapshot())
                file.recover()
                do {
                    returned = try workload.commit(to: database)
                    outcomes.insert(file.failedCall == nil ? "nothing failed" : "went on")
                } catch let error as StorageError where error.code == .writeRefused {
                    outcomes.insert("refused")
                }
                let newest = try Database(file: file, readOnly: false)
                try require([returned, returned + 1].contains(newest.version), "version \(newest.version)")
                try Workload.verify(try newest.snapshot())
                _ = try workload.commit(to: newest)
                try Workload.verify(try newest.snapshot())
            }
        }
        #expect(outcomes == ["nothing failed", "went on", "refused"])
    }

    @Test func refusedWritesNameTheRemedy() throws {
        let file = FaultyFile(try ImageFile())
        let database = try Database(file: file, readOnly: false)
        var workload = Workload(SeededGenerator(seed: 7), size: 10)
        let version = try workload.commit(to: database)
        file.failNext(.sync)
        #expect(throws: StorageError.self) { _ = try workload.commit(to: database) }
        #expect(file.failedCall == .sync)
        for _ in 0..<3 {
            let error = #expect(throws: StorageError.self) { _ = try database.beginWrite() }
            #expect(error?.code == .writeRefused)
            let text = "\(try #require(error))"
            #expect(text.contains("Input/output error") && text.contains("close the database and open it again"))
        }
        #expect(database.version == version)
        try Workload.verify(try database.snapshot())
        #expect(database.holders.isEmpty)
    }

    private struct Outcome {
        let call: FaultyFile.Call
        let refuses: Bool
    }

    /// Commits while one call fails. Returns nil if there were fewer calls.
    private static func run(failingAfter count: Int, _ number: Int32?) throws -> Outcome? {
        let folder = try TemporaryFolder()
        let path = folder.path + "/test.realm"
        let file = FaultyFile(try DiskFile.open(path, readOnly: false, creation: .createIfMissing))
        file.fail(after: count, with: number)
        guard let database = try open(file) else {
            try verifyReopened(path, 1...1)
            return file.failedCall.map { Outcome(call: $0, refuses: false) }
        }
        var workload = Workload(SeededGenerator(seed: 7), size: 10)
        var returned = database.version
        var refuses = false
        for _ in 0..<commits where !refuses {
            do {
                returned = try workload.commit(to: database)
                continue
            } catch {
                try require(error is StorageError, "a commit threw \(error)")
                try require(file.failedCall != nil, "a commit threw \(error) without a cause")
            }
            try requireEqual(database.version, returned, "the version after a failure")
            try Workload.verify(try database.snapshot())
            try require(database.holders.isEmpty, "the failed transaction holds a version")
            do {
                returned = try workload.commit(to: database)
            } catch let error as StorageError where error.code == .writeRefused {
                refuses = true
            }
        }
        try Workload.verify(try database.snapshot())
        // A database that rejects writes can't determine whether its last commit took place.
        try verifyReopened(path, returned...(refuses ? returned + 1 : returned))
        return file.failedCall.map { Outcome(call: $0, refuses: refuses) }
    }

    /// Returns nil if opening throws a `StorageError`. Other errors are rethrown.
    private static func open(_ file: FaultyFile) throws -> Database? {
        do {
            return try Database(file: file, readOnly: false)
        } catch is SystemError {
            return nil
        } catch is StorageError {
            return nil
        }
    }

    private static func verifyReopened(_ path: String, _ versions: ClosedRange<UInt64>) throws {
        let database = try Database.open(path)
        try require(versions.contains(database.version), "version \(database.version) is not in \(versions)")
        try Workload.verify(try database.snapshot())
        try FileAudit.requireClean(path: path)
        var workload = Workload(SeededGenerator(seed: 8), size: 10)
        try requireEqual(try workload.commit(to: database), database.version, "the version of one more commit")
        try Workload.verify(try database.snapshot())
        try FileAudit.requireClean(path: path)
    }
}
