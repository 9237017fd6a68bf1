// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// Converts local databases to synchronised ones, and vice versa, by copying. A file is never opened as the other kind.
package enum SynchronisedCopy {
    /// The options of `writeCopy` for a local copy of a synchronised database: without history and without file ident.
    package static let local = CopyOptions(keepsVersion: false)

    /// An approximate number of bytes. Each part of a copy is one write, and so one uploaded changeset.
    package static let partSize = 8 << 20

    /// Writes the classes and objects of a state to a client file without an ident. They become the file's first
    /// changes and are uploaded like any others. Search indexes, and tables that aren't classes, are omitted.
    ///
    /// - Parameters:
    ///   - file: An empty file, which may be encrypted. It is synced to disk.
    ///   - folder: The folder of an unnamed temporary file for data that doesn't fit into memory. It is encrypted if
    ///     `cipher` is given.
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

    /// Copies a client file to a new client file of the same data. The copy continues from the server version of the
    /// original and gets its own ident.
    ///
    /// - Parameters: As for `write(_:to:in:cipher:history:partSize:)`.
    /// - Throws: `StorageError`: `invalidArgument` if the server hasn't acknowledged all changes of the file.
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
