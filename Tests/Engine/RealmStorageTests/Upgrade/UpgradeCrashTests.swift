// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmSystem
import RealmTestSupport
import Testing

/// Interrupted upgrades leave the old file or the new one.
@Suite struct UpgradeCrashTests {
    private static let files = OldFile.upgradable(byteLimit: 20_000)
    /// One small file of each special form.
    private static let older = ["v9/links", "v5/mixed", "v9/primary-keys", "v2/subtables", "v9/streaming"].compactMap {
        OlderFile.named($0)
    }

    @Test(arguments: files) func everyMomentLeavesTheOldFileOrTheNew(_ file: OldFile) throws {
        try UpgradeCrash(file).everyMoment()
    }

    @Test(arguments: files) func everyFailureLeavesTheOldFileOrTheNew(_ file: OldFile) throws {
        try UpgradeCrash(file).everyFailure()
    }

    @Test(arguments: older) func everyMomentLeavesTheFileOfRowsOrTheNew(_ file: OlderFile) throws {
        try UpgradeCrash(file).everyMoment()
    }

    @Test(arguments: older) func everyFailureLeavesTheFileOfRowsOrTheNew(_ file: OlderFile) throws {
        try UpgradeCrash(file).everyFailure()
    }

    @Test(arguments: older.filter { !$0.name.contains("streaming") })
    func everyMomentLeavesTheEncryptedFileOrTheNew(_ file: OlderFile) throws {
        try UpgradeCrash(file, isEncrypted: true).everyMoment()
    }

    @Test(arguments: older.filter { !$0.name.contains("streaming") })
    func everyFailureLeavesTheEncryptedFileOrTheNew(_ file: OlderFile) throws {
        try UpgradeCrash(file, isEncrypted: true).everyFailure()
    }

    // MARK: The copy

    @Test func theCopyIsMadeOnceAndWhole() throws {
        guard let old = Self.files.first else { return }
        let folder = try TemporaryFolder()
        let path = try old.copy(into: folder)
        let backup = UpgradeBackup.path(for: path, format: old.format)
        #expect(backup == path.dropLast(5) + "v\(old.format).backup.realm")
        #expect(UpgradeBackup.path(for: "/a/b", format: 9) == "/a/b.v9.backup.realm")
        // A leftover of a crash during the copy.
        try Images.write([1, 2, 3], to: backup + ".part")
        _ = try Database.open(path)
        #expect(try Images.read(backup) == old.bytes())
        #expect(throws: SystemError.self) { try Images.read(backup + ".part") }
        try Images.write([4, 5], to: backup)
        try Images.write(try old.bytes(), to: path)
        _ = try Database.open(path)
        #expect(try Images.read(backup) == [4, 5])
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

    @Test func aFailedCopyDoesNotPreventTheUpgrade() throws {
        guard let old = Self.files.first else { return }
        let folder = try TemporaryFolder()
        let path = try old.copy(into: folder)
        let backup = UpgradeBackup.path(for: path, format: old.format)
        try FileManager.default.createDirectory(atPath: backup + ".part/x", withIntermediateDirectories: true)
        let database = try Database.open(path)
        #expect(try ContentText.lines(of: database.snapshot()) == UpgradeCrash(old).new)
        #expect(!Folder.holds(backup))
    }
}
