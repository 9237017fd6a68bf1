// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// A database file that a command looks at, read-only: its newest snapshot.
///
/// If a process of ours has the file open, the snapshot is pinned like one of its own, and may be read while others
/// commit. Otherwise nothing is made beside the file that would keep its version, and a command asks `verifyUnmoved`
/// before it says that it has read all of it.
package struct OpenFile {
    let path: String
    /// The size on disk.
    let byteCount: Int
    let isEncrypted: Bool
    let header: FileHeader
    let snapshot: Snapshot
    /// What is shown otherwise than it is in the file.
    let notes: [String]
    private let database: Database

    /// Throws a `StorageError` that names the path if the file cannot be read as a database.
    init(_ path: String, cipher: (any PageCipher)?) throws {
        self.path = path
        isEncrypted = cipher != nil
        database = try Database.open(path, readOnly: true, joining: .existing, cipher: cipher)
        snapshot = try database.snapshot(label: "realm")
        header = database.header
        notes = database.upgradeNotes
        byteCount = try OpenFile.disk(path).size()
    }

    /// Throws if another process has written to the file meanwhile and nothing has kept the version that was read.
    func verifyUnmoved() throws { try database.verifyUnmoved() }

    /// The file on disk, opened for reading.
    package static func disk(_ path: String) throws -> DiskFile {
        do {
            return try DiskFile.open(path, readOnly: true)
        } catch let error as SystemError {
            throw StorageError(error)
        }
    }
}
