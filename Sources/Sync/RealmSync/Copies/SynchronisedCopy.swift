// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// Copies of local databases as synchronised ones, and the other way round: neither is ever opened as the other.
package enum SynchronisedCopy {
    /// What makes a local database of a synchronised one, given to `writeCopy`: without history and ident no server
    /// has ever heard of it.
    package static let local = CopyOptions(keepsVersion: false)

    /// The size of the writes that a copy is uploaded as, about.
    package static let partSize = 8 << 20

    /// Writes the classes and objects of a state as a client file that no server has given an ident: they are its first
    /// changes, which are uploaded as any other. Tables that aren't classes, and search indexes, are left out.
    ///
    /// - Parameters:
    ///   - file: an empty file, which may encrypt. It is synced.
    ///   - folder: the folder of an unnamed file for what does not fit into memory meanwhile, encrypted by `cipher` if
    ///     there is one.
    ///   - partSize: the size of a write, so that a file of any size can be uploaded.
    /// - Throws: `StorageError`: `invalidArgument` for what cannot be synchronised, like a class without primary key.
    package static func write(
        _ source: any TableSource, to file: any DatabaseFile, in folder: String, cipher: (any PageCipher)? = nil,
        history: ClientFileHistory = ClientFileHistory(), partSize: Int = SynchronisedCopy.partSize
    ) throws {
        try rethrowing {
            let unnamed = try EncryptedFile.wrap(try DiskFile.anonymous(in: folder), cipher)
            let database = try Database(file: unnamed, readOnly: false, options: options(history))
            var position = StateTransfer.Position()
            var isComplete = false
            while !isComplete {
                try database.write { transaction in
                    let transfer = StateTransfer(from: source, to: transaction, isRecorded: true)
                    isComplete = try transfer.run(from: &position, limit: partSize)
                }
            }
            try database.snapshot().writeCopy(to: file)
        }
    }

    /// Writes a client file as another one for the same data, which goes on from the server version that this one has:
    /// it gets an ident of its own.
    ///
    /// - Parameters: as of `write(_:to:in:cipher:history:partSize:)`.
    /// - Throws: `StorageError`: `invalidArgument` if the server doesn't have all changes of the file.
    package static func writeAnotherClient(
        _ source: Snapshot, to file: any DatabaseFile, in folder: String, cipher: (any PageCipher)? = nil
    ) throws {
        guard let history = try StoredHistory(source), try history.pendingUploads().count == 0 else {
            throw StorageError(
                .invalidArgument,
                """
                All client changes must be integrated in server before writing copy: wait for the upload of the \
                synchronised Realm first
                """)
        }
        try rethrowing {
            let unnamed = try EncryptedFile.wrap(try DiskFile.anonymous(in: folder), cipher)
            try source.writeCopy(to: unnamed)
            let database = try Database(file: unnamed, readOnly: false, options: options(ClientFileHistory()))
            try database.write { transaction in
                transaction.fileIdent = 0
                (transaction.recorder as? HistoryRecorder)?.integration = HistoryRecorder.Integration { editor in
                    try editor.forgetClient()
                }
            }
            try database.snapshot().writeCopy(to: file)
        }
    }

    private static func options(_ history: ClientFileHistory) -> OpenOptions {
        var options = OpenOptions()
        options.synchronisedHistory = history
        return options
    }

    private static func rethrowing(_ body: () throws -> Void) throws {
        do { try body() } catch let error as SystemError { throw StorageError(error) }
    }
}
