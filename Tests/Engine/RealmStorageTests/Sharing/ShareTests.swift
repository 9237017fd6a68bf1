// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmSystem
import RealmTestSupport
import Testing

/// Processes that share a file and are killed at random. `REGNUM_SHARE_SECONDS` sets the duration.
@Suite(.serialized) struct ShareTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path + "/test.realm"
    }

    /// Four writers and four readers, a quarter of them read-only. Each writer logs its commits. All logged commits are
    /// in the file, readers see whole versions in order, and no auxiliary file is left.
    @Test(arguments: [false, true]) func killedWritersAndReaders(isEncrypted: Bool) throws {
        var generator = SeededGenerator(for: isEncrypted ? "share, encrypted" : "share")
        var run = Run(path: path, isEncrypted: isEncrypted, generator: SeededGenerator(seed: generator.next()))
        var children = try (0..<8).map { try run.start(isWriter: $0 < 4) }
        var kills = 0
        let end = ContinuousClock.now + .seconds(Settings.number("REGNUM_SHARE_SECONDS") ?? 3)
        try withTrace("seed \(generator.seed)") {
            while ContinuousClock.now < end {
                Thread.sleep(forTimeInterval: Double(generator.below(60)) / 1000)
                if let dead = children.first(where: { !$0.isRunning }) { try dead.kill() }
                let victim = generator.below(children.count)
                try children[victim].kill()
                kills += 1
                children[victim] = try run.start(isWriter: victim < 4)
            }
            for child in children { try child.kill() }
            let (commits, version) = try run.verify()
            print(
                """
                share\(isEncrypted ? ", encrypted" : ""): \(kills) kills, \(commits) commits, version \(version), \
                \(try Images.read(path).count) bytes
                """)
            #expect(commits > kills / 10)
        }
        if Settings.isContinuousIntegration, !isEncrypted { try PythonChecker.requireClean(path: path) }
    }

    /// Three processes open the file, read, sometimes commit, and close it, so that sessions begin and end while others
    /// open it. Every reported commit is in the file.
    @Test(arguments: [false, true]) func killedVisitors(isEncrypted: Bool) throws {
        var generator = SeededGenerator(for: isEncrypted ? "visits, encrypted" : "visits")
        var run = Run(path: path, isEncrypted: isEncrypted, generator: SeededGenerator(seed: generator.next()))
        var children = try (0..<3).map { _ in try run.start("visit") }
        let end = ContinuousClock.now + .seconds(Settings.number("REGNUM_SHARE_SECONDS") ?? 2)
        try withTrace("seed \(generator.seed)") {
            while ContinuousClock.now < end {
                Thread.sleep(forTimeInterval: Double(generator.below(150)) / 1000)
                if let dead = children.first(where: { !$0.isRunning }) { try dead.kill() }
                let victim = generator.below(children.count)
                try children[victim].kill()
                children[victim] = try run.start("visit")
            }
            for child in children { try child.kill() }
            let (commits, version) = try run.verify()
            print("share\(isEncrypted ? ", encrypted" : ""): \(commits) commits of visitors, version \(version)")
            #expect(commits > 0)
        }
    }

    private struct Run {
        let path: String
        let isEncrypted: Bool
        var generator: SeededGenerator
        var writers: Int64 = 0

        private var cipher: QuickCipher? { isEncrypted ? QuickCipher() : nil }
        private var options: [String] { isEncrypted ? ["--encrypted"] : [] }

        private func log(_ writer: Int64) -> String { path + "-log-\(writer)" }

        mutating func start(isWriter: Bool) throws -> ChildProcess {
            let seed = "\(generator.next())"
            if isWriter { return try start("write", seed) }
            let access = generator.chance(25) ? ["--read-only"] : []
            return try ChildProcess(options + access + ["read", path, seed])
        }

        mutating func start(_ work: String, _ seed: String? = nil) throws -> ChildProcess {
            writers += 1
            return try ChildProcess(options + [work, path, seed ?? "\(generator.next())", log(writers), "\(writers)"])
        }

        func verify() throws -> (commits: Int, version: UInt64) {
            let database = try Database.open(path, cipher: cipher)
            let snapshot = try database.snapshot()
            try Workload.verify(snapshot)
            let counts = try ExpectedCommits.counts(snapshot)
            for writer in 1...writers {
                let text = (try? String(contentsOfFile: log(writer), encoding: .utf8)) ?? ""
                // The kill cut off the last line.
                let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                let reported = lines.last.flatMap { Int64($0.split(separator: " ")[0]) } ?? 0
                let found = counts[writer] ?? 0
                try require(
                    found == reported || found == reported + 1,
                    "writer \(writer) reported \(reported) commits, and \(found) are there")
            }
            try database.write { _ in }
            try require(try database.pins().map(\.processIdentifier) == [Int(getpid())], "pins of the dead")
            let names = try FileManager.default.contentsOfDirectory(atPath: path + ".management")
            try requireEqual(names.filter { $0.hasSuffix(".pins") }.count, 1, "the files of the living: \(names)")
            try FileAudit.requireClean(path: path, cipher: cipher)
            return (Int(counts.values.reduce(0, +)), snapshot.version)
        }
    }

    /// A small writer waits for the commit in progress, but not for the next ones of an importer that never pauses.
    @Test func aSmallWriterIsNotOvertaken() throws {
        let child = try ChildProcess(["import", path])
        _ = try child.nextLine()
        let database = try Database.open(path)
        var overtaken: [UInt64] = []
        for _ in 0..<20 {
            let before = database.version
            let transaction = try database.beginWrite()
            overtaken.append(transaction.baseVersion - before)
            try transaction.commit()
        }
        try child.kill()
        print("share: commits of an importer that a small writer waited for: \(overtaken)")
        // The one in progress, and one more if it ended between the first two lines of the loop.
        #expect(overtaken.filter { $0 <= 2 }.count >= 18)
        #expect(overtaken.contains { $0 > 0 })
    }

    /// Six writers without a pause share the commits about equally, and rarely wait more than a few rounds. The longest
    /// wait isn't checked, because a writer without processor time is skipped.
    @Test func noProcessStarves() throws {
        let writers: Int64 = 6
        let children = try (1...writers).map { try ChildProcess(["turns", path, "\($0)"]) }
        for child in children { _ = try child.nextLine() }
        let database = try Database.open(path)
        let before = try ExpectedCommits.writers(database.snapshot()).count
        Thread.sleep(forTimeInterval: Double(Settings.number("REGNUM_SHARE_SECONDS") ?? 2))
        let turns = try ExpectedCommits.writers(database.snapshot()).dropFirst(before)
        for child in children { try child.kill() }
        var (counts, last, waits) = ([Int64: Int](), [Int64: Int](), [Int]())
        for (index, writer) in turns.enumerated() {
            waits.append(index - (last[writer] ?? 0))
            last[writer] = index
            counts[writer, default: 0] += 1
        }
        waits.sort()
        #expect(turns.count > 20, "too few commits to tell")
        let (longest, rare) = (waits.last ?? 0, waits[waits.count * 99 / 100])
        print(
            """
            share: the turns of six writers: \(counts.values.sorted()), 99 of 100 waited for at most \(rare) commits, \
            the longest wait was \(longest)
            """)
        let (least, most) = (counts.values.min() ?? 0, counts.values.max() ?? 0)
        #expect(counts.count == writers && most <= 2 * least)
        #expect(rare <= 10 * Int(writers) && longest <= max(20 * Int(writers), turns.count / 10))
    }

    /// A process is killed repeatedly while it creates the file. The next one completes it.
    @Test func killedStarters() throws {
        var generator = SeededGenerator(for: "starters")
        let folder = try TemporaryFolder()
        for number in 0..<20 {
            let path = folder.path + "/\(number).realm"
            let children = try (0..<2).map { _ in try ChildProcess(["pin", path, "starter"]) }
            usleep(useconds_t(generator.below(12_000)))
            for child in children { try child.kill() }
            let database = try Database.open(path)
            #expect(database.version == 1)
            try database.write { _ in }
            try FileAudit.requireClean(path: path)
        }
    }

    @Test func killedProcessesPinNothing() throws {
        let test = try TestDatabase()
        var workload = Workload(SeededGenerator(seed: 3), size: 20)
        for _ in 0..<5 { _ = try workload.commit(to: test.database) }
        let child = try ChildProcess(["pin", test.path, "a reader"])
        #expect(try child.nextLine() == "6")
        for _ in 0..<5 { _ = try workload.commit(to: test.database) }
        let pin = try #require(try test.database.pins().first)
        #expect((pin.processIdentifier, pin.version, pin.label, pin.holders) == (child.identifier, 6, "a reader", 1))
        #expect(try test.database.activeVersionCount == 2)
        let held = try test.database.snapshot().freeList().entries.contains { $0.freedBy > 6 }
        #expect(held)
        try child.kill()
        #expect(try test.database.pins().isEmpty)
        _ = try workload.commit(to: test.database)
        #expect(try test.database.activeVersionCount == 1)
        try test.close()
        // This process reuses its own auxiliary files.
        let names = try FileManager.default.contentsOfDirectory(atPath: test.path + ".management").filter {
            !$0.hasPrefix("regnum-\(getpid())-")
        }
        #expect(names.sorted() == ["regnum.open", "regnum.write"])
    }
}
