// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// A database file that a command looks at: read-only, without a lock, its newest snapshot.
///
/// Nobody should commit meanwhile: without a lock nothing keeps the snapshot's space from being reused.
struct OpenFile {
    let path: String
    /// The size on disk.
    let byteCount: Int
    let isEncrypted: Bool
    let header: FileHeader
    let snapshot: Snapshot

    /// Throws a `StorageError` that names the path if the file cannot be read as a database.
    init(_ path: String, cipher: (any PageCipher)?) throws {
        self.path = path
        let disk = try OpenFile.disk(path)
        byteCount = try disk.size()
        isEncrypted = cipher != nil
        let file = try EncryptedFile.wrap(disk, cipher)
        header = try FileHeader(file, size: try file.size())
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
