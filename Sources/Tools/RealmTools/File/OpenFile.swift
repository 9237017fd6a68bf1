// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// The newest snapshot of a database file that a command opened read-only.
///
/// If a Regnum process has the file open, the snapshot is pinned, and may be read while others commit. Otherwise, and
/// on a full disk, no companion file is created to pin the version, and a command calls `verifyUnmoved` before it
/// reports that it has read everything.
package struct OpenFile {
    let path: String
    let byteCount: Int
    let isEncrypted: Bool
    let header: FileHeader
    let snapshot: Snapshot
    /// Notes on data that's displayed differently from the file.
    let notes: [String]
    private let database: Database

    /// Throws a `StorageError` that names the path if the file can't be read as a database.
    init(_ path: String, cipher: (any PageCipher)?) throws {
        self.path = path
        isEncrypted = cipher != nil
        (database, snapshot) = try OpenFile.newest(of: path, cipher)
        header = database.header
        notes = database.upgradeNotes
        byteCount = try OpenFile.disk(path).size()
    }

    private static func newest(of path: String, _ cipher: (any PageCipher)?) throws -> (Database, Snapshot) {
        do {
            let database = try Database.open(path, readOnly: true, joining: .existing, cipher: cipher)
            return (database, try database.snapshot(label: "realm"))
        } catch let error as StorageError where error.code == .outOfSpace {
            // There's no disk space for the file that pins a version.
            let database = try Database.open(path, readOnly: true, joining: .never, cipher: cipher)
            return (database, try database.snapshot(label: "realm"))
        }
    }

    /// Throws if another process has written to the file meanwhile and the version read wasn't pinned.
    func verifyUnmoved() throws { try database.verifyUnmoved() }

    package static func disk(_ path: String) throws -> DiskFile {
        do {
            return try DiskFile.open(path, readOnly: true)
        } catch let error as SystemError {
            throw StorageError(error)
        }
    }
}
