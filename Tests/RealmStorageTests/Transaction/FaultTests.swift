// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem
import RealmTestSupport
import Testing

/// Every call to the file fails once: the error is thrown, nothing that was committed is lost, and the database goes
/// on or says that it takes no more writes.
@Suite struct FaultTests {
    private static let commits = 4

    @Test func everyCallFailsOnce() throws {
        var failedCalls: Set<String> = []
        var refusals = 0
        for count in 0..<1000 {
            let outcome = try withTrace("call \(count) fails") { try FaultTests.run(failingAfter: count) }
            guard let outcome else { break }
            failedCalls.insert(outcome.call.rawValue)
            if outcome.refuses { refusals += 1 }
        }
        #expect(failedCalls == ["size", "read", "write", "resize", "sync", "map"])
        // The write and the sync of each commit's last step.
        #expect(refusals == 2 * FaultTests.commits)
    }

    private struct Outcome {
        let call: FaultyFile.Call
        let refuses: Bool
    }

    /// Runs some commits while one call fails. Returns nil if there were fewer calls.
    private static func run(failingAfter count: Int) throws -> Outcome? {
        let folder = try TemporaryFolder()
        let path = folder.path + "/test.realm"
        let file = FaultyFile(try DiskFile.open(path, readOnly: false, creation: .createIfMissing))
        file.fail(after: count)
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
            // What was committed can still be read, and the next attempt succeeds or is refused.
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
        // A refused database cannot know whether its last commit took place.
        try verifyReopened(path, returned...(refuses ? returned + 1 : returned))
        return file.failedCall.map { Outcome(call: $0, refuses: refuses) }
    }

    /// Opening fails with a StorageError or not at all.
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
