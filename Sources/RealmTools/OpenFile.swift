// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// A database file that a command looks at: read-only, without a lock, its newest snapshot.
///
/// Nobody should commit meanwhile: without a lock nothing keeps the snapshot's space from being reused.
struct OpenFile {
    let path: String
    let byteCount: Int
    let header: FileHeader
    let snapshot: Snapshot

    /// Throws a `StorageError` that names the path if the file cannot be read as a database.
    init(_ path: String) throws {
        self.path = path
        let file = try OpenFile.disk(path)
        byteCount = try file.size()
        header = try FileHeader(file, size: byteCount)
        snapshot = try Database(file: file, readOnly: true).snapshot(label: "realm")
    }

    /// The file on disk, opened for reading.
    static func disk(_ path: String) throws -> DiskFile {
        do {
            return try DiskFile.open(path, readOnly: true)
        } catch let error as SystemError {
            throw StorageError(error)
        }
    }
}
