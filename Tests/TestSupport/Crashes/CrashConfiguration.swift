// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// The file of a database in a crash test.
package struct CrashConfiguration: Sendable {
    package let name: String
    package let wrap: @Sendable (any DatabaseFile) throws -> any DatabaseFile
    package let disk: CrashImage.Disk
    package let isEncrypted: Bool

    package init(
        name: String, disk: CrashImage.Disk = CrashImage.Disk(), isEncrypted: Bool = false,
        wrap: @escaping @Sendable (any DatabaseFile) throws -> any DatabaseFile
    ) {
        self.name = name
        self.disk = disk
        self.isEncrypted = isEncrypted
        self.wrap = wrap
    }

    package static let plain = CrashConfiguration(name: "plain") { $0 }

    /// The format is only safe if bytes that are written twice reach the disk in the order of the system's cache
    /// (container 9.5).
    package static let encrypted = encrypted("encrypted", tear: CrashImage.sectorByteCount)
    /// Pages are torn in the middle only, so there are few enough images to try them all.
    package static let encryptedInHalves = encrypted("encrypted, torn in halves", tear: 2048)
    /// Pages are written atomically, which gives the fewest images.
    package static let encryptedInPages = encrypted("encrypted, written in pages", tear: 4096)

    private static func encrypted(_ name: String, tear: Int) -> CrashConfiguration {
        var disk = CrashImage.Disk()
        disk.tear = tear
        disk.reordersOverlaps = false
        return CrashConfiguration(name: name, disk: disk, isEncrypted: true) {
            try EncryptedFile($0, cipher: QuickCipher())
        }
    }

    package static let all = [plain, encrypted]
}
