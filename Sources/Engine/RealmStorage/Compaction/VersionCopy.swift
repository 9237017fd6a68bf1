// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

extension Snapshot {
    /// Writes a compact copy of this version to an empty file, and syncs it. The copy is in streaming form
    /// (container 6.9), or in normal form if `file` is encrypted.
    ///
    /// The bytes are written through `file`, which may encrypt them with any key. Memory use doesn't depend on the size
    /// of the database. Callable from any thread; doesn't block writers.
    package func writeCopy(to file: any DatabaseFile, _ options: CopyOptions = CopyOptions()) throws {
        try storageErrors {
            try StreamingWriter.write(
                copiedTop, version: version, in: space, dirtyByteCount: slabByteCount, to: file, options)
            try VersionCopy.finish(file)
        }
    }

    /// The top array, without a history of a format older than 10: a file of the current format can't contain it.
    private var copiedTop: TopArray? {
        guard era?.hasRowTables == true, var top, top.count > FileFormat.Top.history else { return top }
        top.elements[FileFormat.Top.history] = 0
        return top
    }
}

extension WriteTransaction {
    /// Writes a copy like `Snapshot.writeCopy`, of the transaction's current state. The transaction stays open.
    package func writeCopy(to file: any DatabaseFile, _ options: CopyOptions = CopyOptions()) throws {
        precondition(isOpen, "the write transaction has ended")
        try storageErrors {
            try encodeTables()
            try StreamingWriter.write(
                top, version: baseVersion, in: space, dirtyByteCount: store.slabByteCount, to: file, options)
            try VersionCopy.finish(file)
        }
    }
}

enum VersionCopy {
    /// Makes the copy durable. An encrypted copy is converted from streaming form before any process depends on it:
    /// later its first page could only be written in place, without free pages for a backup of it (`EncryptedFile`).
    fileprivate static func finish(_ file: any DatabaseFile) throws {
        try file.sync()
        if file.writeUnit > 8 { try Database.leaveStreamingForm(file) }
    }
}

extension NewFile {
    /// Creates the file at `path`, which must not exist, and calls `write` to fill and sync it.
    ///
    /// Until it's complete, the file has another name: `part`, or one of `FileCopy`. If `write` fails, the file is
    /// removed; if the process is killed, the next file created at the path removes it. `wrap` adds a layer to the
    /// file, such as encryption. The file gets the given permissions, as far as this process can set them.
    package static func write(
        _ path: String, _ permissions: FilePermissions = .ownerOnly, part: String? = nil,
        wrap: (DiskFile) throws -> any DatabaseFile = { $0 }, _ write: (any DatabaseFile) throws -> Void
    ) throws {
        try storageErrors {
            let exists = SystemError("open", path: path, number: EEXIST)
            guard !Folder.holds(path) else { throw exists }
            FileCopy.removeLeftovers(of: path)
            let part = part ?? FileCopy.partName(of: path)
            let file = try DiskFile.create(part, named: path, permissions)
            defer { try? Folder.removeFile(part) }
            try write(try wrap(file))
            guard try FileCopy.publish(part, as: path) else { throw exists }
        }
    }
}

/// Creates files that appear at their path only when complete.
package enum NewFile {}

func storageErrors<Result>(_ body: () throws -> Result) throws -> Result {
    do {
        return try body()
    } catch let error as SystemError {
        throw StorageError(error)
    }
}
