// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// Converts local databases to synchronised ones, and vice versa, by copying: neither is ever opened as the other.
package enum SynchronisedCopy {
    /// The options of `writeCopy` that create a local database from a synchronised one: the copy has no history, and no
    /// ident known to a server.
    package static let local = CopyOptions(keepsVersion: false)

    /// The approximate size of the writes in which a copy is uploaded.
    package static let partSize = 8 << 20

    /// Writes the classes and objects of a state as a client file without an ident: they are its first changes, which
    /// are uploaded like any others. Tables that aren't classes, and search indexes, are omitted.
    ///
    /// - Parameters:
    ///   - file: An empty file, which may be encrypted. It is synced to disk.
    ///   - folder: The folder of an unnamed temporary file for data that doesn't fit into memory, encrypted by `cipher`
    ///     if it is given.
    ///   - partSize: The size of a write, so that a file of any size can be uploaded.
    /// - Throws: `StorageError`: `invalidArgument` if the data can't be synchronised, for example a class without
    ///   primary key.
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

    /// Writes a copy of a client file as another client of the same data, which continues from the server version of
    /// this one and gets its own ident.
    ///
    /// - Parameters: As for `write(_:to:in:cipher:history:partSize:)`.
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
