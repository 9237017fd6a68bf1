// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

extension Database {
    /// What is appended to the path for the file that compaction writes.
    ///
    /// As short as what else is appended to it: a file whose name is as long as can be has to be compacted too.
    package static let compactionSuffix = ".compaction"

    /// Writes the database anew without free space and puts that in the place of the file. Returns false, with nothing
    /// done, if a version is held or another participant has the file open, or if the database has no file.
    ///
    /// Waits for the write lock. Readers may come while the new file is written, which is then given up; they wait only
    /// for the change of names. `wrap` puts a layer over the new file in the place of the database's own encryption.
    /// The version number is kept. A crash at any point leaves the old file or the new one under the path, and both
    /// hold the same; what it leaves of an unfinished one, the next opening for writing removes. A failure leaves the
    /// database as it was.
    ///
    /// The new file has the permissions, owner and group of the old one. Throws, with nothing done, if this process may
    /// not give it these, or if the file has several names, of which the others would keep the old one.
    package func compact(
        wrap: ((DiskFile) throws -> any DatabaseFile)? = nil, _ options: CopyOptions = CopyOptions()
    ) throws -> Bool {
        let transaction = try beginWrite()
        let replaced = ReplacedFile(file, transaction.base.mapping)
        let isDone = try compact(transaction, wrap, options)
        if isDone { replaced.letGo() }
        return isDone
    }

    private func compact(
        _ transaction: WriteTransaction, _ wrap: ((DiskFile) throws -> any DatabaseFile)?, _ options: CopyOptions
    ) throws -> Bool {
        defer { if transaction.isOpen { transaction.rollback() } }
        return try storageErrors {
            guard holders.count == 1, try participants?.others().isEmpty ?? true, Folder.holds(path) else {
                return false
            }
            let name = path + Database.compactionSuffix
            let permissions = try permissionsOfOnlyName()
            try Folder.removeFile(name)
            do {
                let disk = try DiskFile.create(name, named: path, permissions, calls: SystemCalls(durability))
                guard FilePermissions(of: try disk.status()) == permissions else {
                    throw StorageError(
                        .permissionDenied, "compaction would change its owner or group, which only that owner may do",
                        path: path)
                }
                if let sharing { try disk.claim(sharing.home) }
                let file = try writeCompacted(transaction, try wrap?(disk) ?? EncryptedFile.wrap(disk, cipher), options)
                if try runAlone(ownPins: 1, { try replaceFile(with: file, at: name) }) != nil { return true }
            } catch {
                try? Folder.removeFile(name)
                throw error
            }
            try Folder.removeFile(name)
            return false
        }
    }

    /// The permissions of the file, which must have no other name. The caller holds the write lock.
    private func permissionsOfOnlyName() throws -> FilePermissions {
        FileCopy.removeLeftNames(of: path)
        guard let status = FileStatus(path) else { throw SystemError.last("stat", path: path) }
        guard status.linkCount > 1 else { return FilePermissions(of: status) }
        throw StorageError(
            .fileAccess,
            "the file has \(status.linkCount) names (hard links), and compaction would separate them; remove "
                + "all names but one", path: path)
    }

    /// Removes what an interrupted compaction has left. A process that holds the write lock may be compacting right
    /// now: then the next opening looks again.
    static func removeCompactionLeftovers(_ path: String, _ sharing: SharedAccess) {
        let name = path + compactionSuffix
        guard Folder.holds(name) else { return }
        try? sharing.writeLock.lockedIfFree { try Folder.removeFile(name) }
    }

    /// Everything is durable, in normal form, when this returns: what is left is to change the name.
    private func writeCompacted(
        _ transaction: WriteTransaction, _ file: any DatabaseFile, _ options: CopyOptions
    ) throws -> any DatabaseFile {
        let top = transaction.top.ref == 0 ? nil : transaction.top
        try StreamingWriter.write(top, version: transaction.baseVersion, in: transaction.space, to: file, options)
        try file.sync()
        try Database.prepareForWriting(file, optionsOfCompacted)
        try file.sync()
        return file
    }
}

/// The file that a compaction is about to replace, and its mapping.
///
/// With the last holder of a file that has no name any more the system frees its space, which takes almost as long as
/// writing the new one. So these are let go by a thread of their own. `content` is guarded by the order of things: the
/// maker does not touch it once that thread has begun, hence the unchecked `Sendable`.
private final class ReplacedFile: @unchecked Sendable {
    private var content: (file: any DatabaseFile, mapping: FileMapping)?

    init(_ file: any DatabaseFile, _ mapping: FileMapping) { content = (file, mapping) }

    /// To be called when they are no longer needed elsewhere; without a thread, they go here.
    func letGo() {
        if !SystemThread.runApart(free) { free() }
    }

    /// That file is not opened again.
    @Sendable private func free() {
        content = nil
        MappingCache.shared.drop()
    }
}
