// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// Copies of local databases as synchronised ones, and the other way round: neither is ever opened as the other.
package enum SynchronisedCopy {
    /// What makes a local database of a synchronised one, given to `writeCopy`: without history and ident no server
    /// has ever heard of it.
    package static let local = CopyOptions(keepsVersion: false)

    /// Writes the classes and objects of a state as a client file that no server has given an ident: they are its first
    /// change, which is uploaded as any other. Tables that are no classes, and search indexes, are left out.
    ///
    /// - Parameters:
    ///   - file: an empty file, which may encrypt. It is synced.
    ///   - folder: where an unnamed file takes what does not fit into memory meanwhile, encrypted by `cipher` if there
    ///     is one.
    /// - Throws: `StorageError`: `invalidArgument` for what cannot be synchronised, like a class without primary key.
    package static func write(
        _ source: any TableSource, to file: any DatabaseFile, in folder: String, cipher: (any PageCipher)? = nil,
        history: ClientFileHistory = ClientFileHistory()
    ) throws {
        do {
            var options = OpenOptions()
            options.synchronisedHistory = history
            let database = try Database(
                file: try EncryptedFile.wrap(try DiskFile.anonymous(in: folder), cipher), readOnly: false,
                options: options)
            try database.write { try StateTransfer(from: source, to: $0, isRecorded: true).run() }
            try database.snapshot().writeCopy(to: file)
        } catch let error as SystemError {
            throw StorageError(error)
        }
    }
}
