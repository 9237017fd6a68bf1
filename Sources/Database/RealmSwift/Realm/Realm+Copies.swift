// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmCrypto
import RealmRuntime
import RealmStorage
import RealmSync
import RealmSystem

extension Realm {
    /// Writes a compact copy of the Realm to a new file, encrypted with the 64-byte `encryptionKey` if it isn't nil.
    ///
    /// The key can differ from that of this Realm: use this to change or remove it. Within a write transaction, the
    /// copy includes the uncommitted changes. If copying fails, no file remains.
    ///
    /// The copy has the permissions of this Realm's file, and is readable and writable for its owner. It has the same
    /// owner and group if the process may set these.
    ///
    /// - Throws: `Realm.Error`: `.fileExists` if the file already exists, `.fileNotFound` if its directory is missing.
    public func writeCopy(toFile fileURL: URL, encryptionKey: Data? = nil) throws {
        try instance.writeCopy(Configuration(fileURL: fileURL, encryptionKey: encryptionKey))
    }

    /// Writes a compact copy of the Realm to the file that `configuration` names, with its key and, if set, its
    /// `storage.permissions`; see `writeCopy(toFile:encryptionKey:)`.
    ///
    /// With a `syncConfiguration`, the copy of a local Realm is a synchronised one, and each class needs a primary key
    /// named `_id`. The objects are uploaded when the copy is opened, in writes of about 8 MiB. Without a
    /// `syncConfiguration`, the copy of a synchronised Realm is a local one. With a configuration for the same
    /// partition, for any user, the copy is another client, which downloads only newer changes.
    ///
    /// - Precondition: The configuration names a file, not an in-memory database.
    /// - Throws: `Realm.Error`, like `writeCopy(toFile:encryptionKey:)`, and if the server doesn't have all changes of
    ///   a synchronised Realm that is copied as another client.
    public func writeCopy(configuration: Configuration) throws {
        if configuration.fileURL == nil {
            throwRealmException("A copy can only be written to a file, not to an in-memory Realm.")
        }
        try instance.writeCopy(configuration)
    }

    /// Rewrites the file without its free space, and continues with the new file. An addition to Realm's API for Swift.
    ///
    /// Returns false and does nothing if the file is open elsewhere, if another part of the program reads one
    /// of its versions, or if the Realm is in memory. Objects and collections of this Realm stay valid. A crash or an
    /// error leaves the file unchanged.
    ///
    /// - Precondition: No write is in progress, and the Realm is not read-only.
    /// - Throws: `Realm.Error` if the file can't be rewritten, if it has several names (hard links), or if the process
    ///   can't set the owner or group of a new file.
    @discardableResult
    public func compact() throws -> Bool { try instance.compact() }
}

extension RealmInstance {
    fileprivate func writeCopy(_ target: Realm.Configuration) throws {
        verifyThread()
        guard let path = target.fileURL?.path else { return }
        let permissions =
            target.storage.permissions.map { FilePermissions(mode: $0.rawValue) }
            ?? FilePermissions(ofFileAt: coordinator.database.path, else: .ownerOnly).usedByOwner
        do {
            let cipher = try target.cipher()
            target.makeSynchronisedFolder(for: path)
            try NewFile.write(path, permissions, wrap: { try EncryptedFile.wrap($0, cipher) }) { file in
                try write(to: file, target, in: Folder.containing(path), cipher)
            }
        } catch {
            throw Realm.Error(error)
        }
    }

    /// Writes the copy, without the state that the Realm shares with its server: no two files may be the same client.
    private func write(
        to file: any DatabaseFile, _ target: Realm.Configuration, in folder: String, _ cipher: RealmPageCipher?
    ) throws {
        let isSynchronised = configuration.isSynchronised
        let options = isSynchronised ? SynchronisedCopy.local : CopyOptions(hasReserve: true)
        guard target.isSynchronised else {
            if let transaction { return try transaction.writeCopy(to: file, options) }
            return try currentSnapshot?.writeCopy(to: file, options) ?? ()
        }
        if isSynchronised { return try writeAnotherClient(to: file, target, in: folder, cipher) }
        if let transaction { return try SynchronisedCopy.write(transaction, to: file, in: folder, cipher: cipher) }
        guard let currentSnapshot else { return }
        try SynchronisedCopy.write(currentSnapshot, to: file, in: folder, cipher: cipher)
    }

    private func writeAnotherClient(
        to file: any DatabaseFile, _ target: Realm.Configuration, in folder: String, _ cipher: RealmPageCipher?
    ) throws {
        guard let own = configuration.synchronisedData, let other = target.synchronisedData,
            own.isSamePartition(as: other)
        else {
            throw Realm.Error(
                .fail,
                """
                A synchronised Realm can only be copied as a synchronised one of the same app and partition. Write a \
                copy without a syncConfiguration, and copy that for the other partition.
                """, fileURL: target.fileURL)
        }
        if isInWriteTransaction {
            throw Realm.Error(
                .fail,
                """
                All client changes must be integrated in server before writing copy: commit the write transaction and \
                wait for the upload first.
                """, fileURL: target.fileURL)
        }
        guard let currentSnapshot else { return }
        try SynchronisedCopy.writeAnotherClient(currentSnapshot, to: file, in: folder, cipher: cipher)
    }

    fileprivate func compact() throws -> Bool {
        verifyThread()
        if configuration.readOnly { throwRealmException("Can't compact a read-only Realm.") }
        if isInWriteTransaction { throwRealmException("Can't compact a Realm within a write transaction.") }
        do {
            return try withoutVersion { try coordinator.database.compact() }
        } catch {
            throw Realm.Error(error)
        }
    }
}
