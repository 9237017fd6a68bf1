// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// How a database is laid on the file that crashes.
package struct CrashConfiguration: Sendable {
    package let name: String
    /// What the engine is given in the place of the file.
    package let wrap: @Sendable (any DatabaseFile) throws -> any DatabaseFile
    package let disk: CrashImage.Disk

    package init(
        name: String, disk: CrashImage.Disk = CrashImage.Disk(),
        wrap: @escaping @Sendable (any DatabaseFile) throws -> any DatabaseFile
    ) {
        self.name = name
        self.disk = disk
        self.wrap = wrap
    }

    package static let plain = CrashConfiguration(name: "plain") { $0 }

    package static let all = [plain]
}
