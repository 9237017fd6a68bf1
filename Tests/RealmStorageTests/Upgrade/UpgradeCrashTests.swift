// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmSystem
import RealmTestSupport
import Testing

/// Whatever happens in the middle of an upgrade, the file is the old one or the new one.
@Suite struct UpgradeCrashTests {
    private static var samples: Int { Settings.isContinuousIntegration ? 8 : 2 }
    private static let files = OldFile.upgradable(byteLimit: 20_000)

    /// The two contents that a file may have, as they read.
    private struct Contents {
        let old: [String]
        let new: [String]

        init(_ file: OldFile) throws {
            old = try ContentText.lines(of: Database.open(file.path, readOnly: true).snapshot())
            let upgraded = try #require(file.upgradedPath)
            new = try ContentText.lines(of: Database.open(upgraded, readOnly: true).snapshot())
        }
    }

    /// Every moment of opening the file for writing, with every kind of loss.
    @Test(arguments: files) func everyMomentLeavesTheOldFileOrTheNew(_ old: OldFile) throws {
        var generator = SeededGenerator(for: "crash of the upgrade of \(old.name)")
        let contents = try Contents(old)
        let folder = try TemporaryFolder()
        let file = FaultyFile(try DiskFile.open(try old.copy(into: folder), readOnly: false))
        let database = try Database(file: file, readOnly: false)
        #expect(try ContentText.lines(of: database.snapshot()) == contents.new)
        let events = file.events
        var image = CrashImage(of: try old.bytes())
        var outcomes: Set<Bool> = []
        var seen: Set<[UInt8]> = []
        for moment in 0...events.count {
            if moment > 0 { image.apply(events[moment - 1]) }
            for kept in CrashImage.Kept.allCases {
                for _ in 0..<(kept == .nothing || kept == .everything ? 1 : Self.samples) {
                    let bytes = image.crashed(keeping: kept, using: &generator)
                    guard seen.insert(bytes).inserted else { continue }
                    try withTrace("seed \(generator.seed), after event \(moment), keeping \(kept)") {
                        _ = outcomes.insert(try Self.verify(bytes, contents))
                    }
                }
            }
        }
        #expect(outcomes == [false, true])
    }

    /// Opens what a crash left, for reading and then for writing. Returns whether it was the new file.
    private static func verify(_ bytes: [UInt8], _ contents: Contents) throws -> Bool {
        let isNew = bytes[20 + Int(bytes[23] & 1)] == FileFormat.version
        let file = try anonymous(bytes)
        let seen = try ContentText.lines(of: Database(file: file, readOnly: true).snapshot())
        try require(seen == (isNew ? contents.new : contents.old), "the content is another one")
        try requireUpgraded(file, contents)
        return isNew
    }

    private static func anonymous(_ bytes: [UInt8]) throws -> DiskFile {
        let file = try DiskFile.anonymous(in: TemporaryFolder.base)
        try bytes.withUnsafeBytes { try file.write($0, at: 0) }
        return file
    }

    private static func requireUpgraded(_ file: DiskFile, _ contents: Contents) throws {
        let database = try Database(file: file, readOnly: false)
        let upgraded = try ContentText.lines(of: database.snapshot())
        try require(upgraded == contents.new, "the upgraded content is another one")
        var bytes = [UInt8](repeating: 0, count: try file.size())
        try bytes.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
        try FileAudit.requireClean(bytes: bytes)
    }

    /// Every call to the file fails once.
    @Test(arguments: files) func everyFailureLeavesTheOldFileOrTheNew(_ old: OldFile) throws {
        let contents = try Contents(old)
        var failed: Set<FaultyFile.Call> = []
        for count in 0..<1000 {
            let folder = try TemporaryFolder()
            let path = try old.copy(into: folder)
            let file = FaultyFile(try DiskFile.open(path, readOnly: false))
            file.fail(after: count)
            let database = try? Database(file: file, readOnly: false)
            guard let call = file.failedCall else { break }
            failed.insert(call)
            try withTrace("call \(count) fails") {
                if let database {
                    try require(try ContentText.lines(of: database.snapshot()) == contents.new, "another content")
                }
                _ = try Self.verify(try Images.read(path), contents)
            }
        }
        #expect(failed.isSuperset(of: [.size, .read, .write, .sync, .map]))
    }

    // MARK: The copy

    @Test func theCopyIsMadeOnceAndWhole() throws {
        guard let old = Self.files.first else { return }
        let folder = try TemporaryFolder()
        let path = try old.copy(into: folder)
        let backup = UpgradeBackup.path(for: path, format: old.format)
        #expect(backup == path.dropLast(5) + "v\(old.format).backup.realm")
        #expect(UpgradeBackup.path(for: "/a/b", format: 9) == "/a/b.v9.backup.realm")
        // What a crash in the middle of the copy leaves.
        try Images.write([1, 2, 3], to: backup + ".part")
        _ = try Database.open(path)
        #expect(try Images.read(backup) == old.bytes())
        #expect(throws: SystemError.self) { try Images.read(backup + ".part") }
        // A copy that is there stays.
        try Images.write([4, 5], to: backup)
        try Images.write(try old.bytes(), to: path)
        _ = try Database.open(path)
        #expect(try Images.read(backup) == [4, 5])
        // None is made if none is wanted.
        try? Folder.removeFile(backup)
        try Images.write(try old.bytes(), to: path)
        var options = OpenOptions()
        options.makesBackup = false
        _ = try Database.open(path, options: options)
        #expect(!Folder.holds(backup))
    }

    @Test func theCopyHasThePermissionsOfTheFile() throws {
        guard let old = Self.files.first else { return }
        let folder = try TemporaryFolder()
        let path = try old.copy(into: folder)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        _ = try Database.open(path)
        let backup = UpgradeBackup.path(for: path, format: old.format)
        let attributes = try FileManager.default.attributesOfItem(atPath: backup)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func copiesAreRemovedAfterThreeMonths() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.realm"
        let day: Double = 24 * 60 * 60
        for (format, days) in [(20, 94.0), (22, 92.0), (23, 94.0)] as [(UInt8, Double)] {
            let copy = UpgradeBackup.path(for: path, format: format)
            try Images.write([1], to: copy)
            let date = Date(timeIntervalSinceNow: -days * day)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: copy)
        }
        _ = try Database.open(path)
        let left = ([20, 22, 23] as [UInt8]).filter { Folder.holds(UpgradeBackup.path(for: path, format: $0)) }
        #expect(left == [22])
    }

    @Test func aCopyThatCannotBeMadeDoesNotHinder() throws {
        guard let old = Self.files.first else { return }
        let folder = try TemporaryFolder()
        let path = try old.copy(into: folder)
        let backup = UpgradeBackup.path(for: path, format: old.format)
        // A folder in the place of the unfinished copy.
        try FileManager.default.createDirectory(atPath: backup + ".part/x", withIntermediateDirectories: true)
        let database = try Database.open(path)
        #expect(try ContentText.lines(of: database.snapshot()) == Contents(old).new)
        #expect(!Folder.holds(backup))
    }
}
