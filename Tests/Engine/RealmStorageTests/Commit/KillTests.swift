// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmTestSupport
import Testing

/// A writer that is killed at random moments. Its file opens at once, is clean, and has every commit that returned.
/// `REGNUM_KILLS` sets the number of kills.
@Suite struct KillTests {
    @Test func killedWriters() throws {
        var generator = SeededGenerator(for: "kill")
        let folder = try TemporaryFolder()
        let path = folder.path + "/test.realm"
        var reported: UInt64 = 1
        var commits = 0
        let kills = Settings.number("REGNUM_KILLS") ?? 25
        for kill in 0..<kills {
            // Sometimes starts from an empty file, so that its creation is killed too.
            if kill % 10 == 9 {
                try FileManager.default.removeItem(atPath: path)
                reported = 1
            }
            let seed = generator.next()
            let before = reported
            try withTrace("seed \(generator.seed), kill \(kill)") {
                let delay = Double(generator.below(150)) / 1000
                reported = max(reported, try KillTests.run(path, seed, killAfter: delay))
                reported = try KillTests.verify(path, atLeast: reported)
            }
            commits += Int(reported - before)
            if Settings.isContinuousIntegration, kill % 20 == 0 { try PythonChecker.requireClean(path: path) }
        }
        print("kill: \(kills) kills, \(commits) commits, \(try Images.read(path).count) bytes")
        #expect(commits > kills / 4)
    }

    private static func run(_ path: String, _ seed: UInt64, killAfter delay: Double) throws -> UInt64 {
        let child = try ChildProcess(["commit", path, "\(seed)"])
        Thread.sleep(forTimeInterval: delay)
        let output = try child.kill()
        // The kill may have cut off the last line, within its number.
        let lines = output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        return try lines.last.map { line in
            guard let version = UInt64(line) else { throw Failure("the child said \(line)") }
            return version
        } ?? 1
    }

    private static func verify(_ path: String, atLeast reported: UInt64) throws -> UInt64 {
        let database = try Database.open(path)
        let version = database.version
        try require(version >= reported, "version \(version) is older than \(reported), which was reported")
        try Workload.verify(try database.snapshot())
        try FileAudit.requireClean(path: path)
        return version
    }
}
