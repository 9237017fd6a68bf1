// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

extension Database {
    /// No longer than the suffixes of other files: a file with a name of maximum length must be compactable too.
    package static let compactionSuffix = ".compaction"

    /// Writes a copy of the database without free space, and replaces the file by it. Returns `false`, without effect,
    /// if a version is pinned, if another participant has the file open, or if the database has no file.
    ///
    /// Waits for the write lock. If a reader begins while the new file is written, the compaction is abandoned; readers
    /// wait only for the rename. `wrap` adds a layer to the new file, instead of the database's own encryption. The
    /// version number is kept. A crash leaves either the old or the new file at the path, with equal contents; the next
    /// opening for writing removes an unfinished copy. A failure leaves the database unchanged.
    ///
    /// The new file has the permissions, owner, and group of the old one. Throws, without effect, if this process isn't
    /// permitted to set them. Also throws if the file has several hard links, because the others would still refer to
    /// the old file.
    package func compact(
        wrap: ((DiskFile) throws -> any DatabaseFile)? = nil, _ options: CopyOptions = CopyOptions()
    ) throws -> Bool {
        let transaction = try beginWrite()
        let replaced = ReplacedFile(file, transaction.base.mapping)
        let isDone = try compact(transaction, wrap, options)
        if isDone { replaced.release() }
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

    /// Throws if the file has another hard link. The caller holds the write lock.
    private func permissionsOfOnlyName() throws -> FilePermissions {
        FileCopy.removeLeftNames(of: path)
        guard let status = FileStatus(path) else { throw SystemError.last("stat", path: path) }
        guard status.linkCount > 1 else { return FilePermissions(of: status) }
        throw StorageError(
            .fileAccess,
            "the file has \(status.linkCount) names (hard links), and compaction would separate them; remove "
                + "all names but one", path: path)
    }

    /// If another process holds the write lock, it may be compacting now; the next opening then checks again.
    static func removeCompactionLeftovers(_ path: String, _ sharing: SharedAccess) {
        let name = path + compactionSuffix
        guard Folder.holds(name) else { return }
        try? sharing.writeLock.lockedIfFree { try Folder.removeFile(name) }
    }

    /// The returned copy is durable and in normal form; only the rename remains.
    private func writeCompacted(
        _ transaction: WriteTransaction, _ file: any DatabaseFile, _ options: CopyOptions
    ) throws -> any DatabaseFile {
        let top = transaction.top.ref == 0 ? nil : transaction.top
        var options = options
        options.hasReserve = true
        try StreamingWriter.write(top, version: transaction.baseVersion, in: transaction.space, to: file, options)
        try file.sync()
        try Database.prepareForWriting(file, optionsOfCompacted)
        try file.sync()
        return file
    }
}

/// The file that a compaction is about to replace, and its mapping.
///
/// When the last reference to an unlinked file is closed, the system frees its space, which takes almost as long as
/// writing the new file. So a separate thread releases the file and the mapping. `content` is guarded by the order of
/// events: its creator doesn't access it after that thread has started.
private final class ReplacedFile: @unchecked Sendable {
    private var content: (file: any DatabaseFile, mapping: FileMapping)?

    init(_ file: any DatabaseFile, _ mapping: FileMapping) { content = (file, mapping) }

    /// Releases the file and the mapping, on this thread if no other can be started. They must be unused elsewhere.
    func release() {
        if !SystemThread.runApart(free) { free() }
    }

    @Sendable private func free() {
        content = nil
        MappingCache.shared.drop()
    }
}
