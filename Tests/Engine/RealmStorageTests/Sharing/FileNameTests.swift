// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSystem
import RealmTestSupport
import Testing

@testable import RealmStorage

/// Several names of one file. An opening joins the others or is rejected.
@Suite(.serialized) struct FileNameTests {
    private let temporary: TemporaryFolder
    private let folder: String

    init() throws {
        temporary = try TemporaryFolder()
        folder = temporary.path
        try FileNames.make(in: folder)
    }

    private func path(_ name: String) -> String { folder + "/" + name }

    private func names(in name: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path(name)).sorted()
    }

    private func isLink(_ name: String) -> Bool {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: path(name))) != nil
    }

    // MARK: Links

    /// A file is created at the target of its link. Openings by any link share it, and its auxiliary files are next to
    /// the target.
    @Test(arguments: FileNames.links) func allLinksLeadToOneSession(_ first: String) throws {
        for (number, name) in ([first] + FileNames.links).enumerated() {
            let database = try Database.open(path(name))
            let other = try Database.open(path(FileNames.first))
            try database.write { try ExpectedCommits.add(1, Int64(number + 1), $0) }
            #expect(try ExpectedCommits.counts(other.snapshot()) == [1: Int64(number + 1)])
            #expect(try !database.compact())
        }
        #expect(try names(in: "real") == ["a.realm", "a.realm.lock", "a.realm.management"])
        #expect(try names() == ["chain.realm", "folder", "link.realm", "other", "real"])
        try FileAudit.requireClean(path: path("real/a.realm"))
    }

    @Test(arguments: FileNames.links) func linksStayLinks(_ name: String) throws {
        do {
            let database = try Database.open(path(name))
            try database.write { try ExpectedCommits.add(1, 1, $0) }
            let old = FileIdentity(path(FileNames.first))
            #expect(try database.compact())
            #expect(FileIdentity(path(FileNames.first)) != old)
            try database.write { try ExpectedCommits.add(1, 2, $0) }
        }
        #expect(isLink("link.realm") && isLink("chain.realm") && isLink("folder"))
        #expect(try ExpectedCommits.counts(Database.open(path("chain.realm"), readOnly: true).snapshot()) == [1: 2])
        do {
            let database = try Database.open(path(FileNames.first))
            #expect(throws: StorageError.self) { try DatabaseFiles.remove(at: path(name)) }
            withExtendedLifetime(database) {}
        }
        #expect(try DatabaseFiles.remove(at: path(name)))
        #expect(try names(in: "real") == ["a.realm.lock"])
        #expect(isLink("link.realm") && isLink("chain.realm") && isLink("folder"))
    }

    @Test func anUpgradeThroughALinkLeavesItsCopyBesideTheFile() throws {
        guard let old = OldFile.upgradable.first else { return }
        try Images.write(try old.bytes(), to: path("real/a.realm"))
        _ = try Database.open(path("chain.realm"))
        #expect(isLink("chain.realm"))
        let backups = try names(in: "real").filter { $0.hasSuffix(".backup.realm") }
        #expect(backups.count == 1)
        #expect(try names().filter { $0.hasSuffix(".backup.realm") }.isEmpty)
    }

    @Test func aLoopIsRefused() throws {
        try FileManager.default.createSymbolicLink(atPath: path("loop.realm"), withDestinationPath: "loop.realm")
        let before = try names()
        let error = #expect(throws: StorageError.self) { try Database.open(path("loop.realm")) }
        #expect(error?.code == .notAFile)
        #expect(try names() == before)
    }

    // MARK: Hard links

    @Test(arguments: [false, true]) func aHardLinkIsRefusedWhileTheOtherNameIsOpen(isFirst: Bool) throws {
        do {
            let database = try Database.open(path(FileNames.first))
            try database.write { try ExpectedCommits.add(1, 1, $0) }
        }
        try FileNames.makeHardLink(in: folder)
        let (one, two) = isFirst ? (FileNames.first, FileNames.hard) : (FileNames.hard, FileNames.first)
        do {
            let database = try Database.open(path(one))
            let error = #expect(throws: StorageError.self) { try Database.open(path(two)) }
            #expect(error?.code == .alreadyOpen && error?.path == path(two))
            #expect(error?.message.contains("another name") == true)
            let child = try ChildProcess(["pin", path(two), "by another name"])
            #expect(throws: Failure.self) { try child.finish() }
            for side in [".lock", ".management"] { _ = try Folder.remove(path(two) + side) }
            let reading = #expect(throws: StorageError.self) { try Database.open(path(two), readOnly: true) }
            #expect(reading?.code == .alreadyOpen)
            try database.write { try ExpectedCommits.add(1, 2, $0) }
            _ = try Database.open(path(one))
        }
        let database = try Database.open(path(two))
        try database.write { try ExpectedCommits.add(1, 3, $0) }
        #expect(try ExpectedCommits.counts(database.snapshot()) == [1: 3])
        try FileAudit.requireClean(path: path(one))
    }

    /// Compaction would replace the file under one name and leave the old file under the other.
    @Test func aFileOfTwoNamesIsNotCompacted() throws {
        let database = try Database.open(path(FileNames.first))
        try database.write { try ExpectedCommits.add(1, 1, $0) }
        try FileNames.makeHardLink(in: folder)
        let before = FileIdentity(path(FileNames.first))
        let error = #expect(throws: StorageError.self) { try database.compact() }
        #expect(error?.message.contains("2 names") == true)
        #expect(FileIdentity(path(FileNames.first)) == before && FileIdentity(path(FileNames.hard)) == before)
        try database.write { try ExpectedCommits.add(1, 2, $0) }
        try Folder.removeFile(path(FileNames.hard))
        #expect(try database.compact())
    }

    @Test func aNameThatACopyHasLeftIsRemoved() throws {
        let database = try Database.open(path(FileNames.first))
        try database.write { try ExpectedCommits.add(1, 1, $0) }
        #expect(link(path(FileNames.first), path(FileNames.first) + ".copy-abcde") == 0)
        #expect(try database.compact())
        #expect(try names(in: "real") == ["a.realm", "a.realm.lock", "a.realm.management"])
    }

    /// A file that was renamed while open is rejected under its new name and read-only under the old one.
    @Test func aFileThatWasMovedIsRefused() throws {
        var database: Database? = try Database.open(path(FileNames.first))
        try database?.write { try ExpectedCommits.add(1, 1, $0) }
        #expect(rename(path(FileNames.first), path("moved.realm")) == 0)
        #expect(#expect(throws: StorageError.self) { try Database.open(path("moved.realm")) }?.code == .alreadyOpen)
        #expect(#expect(throws: StorageError.self) { try database?.beginWrite() }?.code == .notFound)
        database = nil
        database = try Database.open(path("moved.realm"))
        try database?.write { try ExpectedCommits.add(1, 2, $0) }
        #expect(try ExpectedCommits.counts(#require(database).snapshot()) == [1: 2])
    }

    // MARK: Processes

    /// Four processes open the file by all of its names, and commit if that succeeds. Those with another name than the
    /// open one are rejected. No commit is lost.
    @Test(arguments: [false, true]) func fourProcessesByAllNames(isEncrypted: Bool) throws {
        var generator = SeededGenerator(for: isEncrypted ? "names, encrypted" : "names")
        let cipher = isEncrypted ? QuickCipher() : nil
        do { _ = try Database.open(path(FileNames.first), cipher: cipher) }
        try FileNames.makeHardLink(in: folder)
        let log = { (writer: Int64) in path("log-\(writer)") }
        let options = isEncrypted ? ["--encrypted"] : []
        let children = try (1...4).map {
            try ChildProcess(options + ["names", folder, "\(generator.next())", log($0), "\($0)"])
        }
        Thread.sleep(forTimeInterval: Double(Settings.number("REGNUM_SHARE_SECONDS") ?? 2))
        try withTrace("seed \(generator.seed)") {
            let refusals = try children.map { try $0.kill() }.map { $0.split(separator: "\n").count }
            let database = try Database.open(path("chain.realm"), cipher: cipher)
            let counts = try ExpectedCommits.counts(database.snapshot())
            for writer in 1...Int64(4) {
                let lines = ((try? String(contentsOfFile: log(writer), encoding: .utf8)) ?? "").split(
                    separator: "\n", omittingEmptySubsequences: false
                ).dropLast()
                let reported = lines.last.flatMap { Int64($0.split(separator: " ")[0]) } ?? 0
                let found = counts[writer] ?? 0
                try require(found == reported || found == reported + 1, "\(reported) commits, and \(found) are there")
            }
            let commits = counts.values.reduce(0, +)
            print("names\(isEncrypted ? ", encrypted" : ""): \(commits) commits, refused \(refusals)")
            #expect(commits > 0)
            try FileAudit.requireClean(path: path(FileNames.hard), cipher: cipher)
        }
    }

    /// A forked copy of the process can't use inherited files, only those it opens itself.
    @Test(arguments: [false, true]) func aForkedProcess(isEncrypted: Bool) throws {
        let child = try ChildProcess((isEncrypted ? ["--encrypted"] : []) + ["fork", path(FileNames.first)])
        let output = try child.finish()
        #expect(output.contains("child is done\n") && output.hasSuffix("parent is done\n"), "\(output)")
        try FileAudit.requireClean(path: path(FileNames.first), cipher: isEncrypted ? QuickCipher() : nil)
    }
}
