// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

extension Snapshot {
    /// Writes a compact copy of this version to an empty file, and syncs it: in streaming form (container 6.9), or in
    /// normal form where `file` is an encrypted one.
    ///
    /// The bytes go through `file`, which may encrypt them with whatever key it has. Memory use does not depend on the
    /// size of the database. From any thread; writers go on meanwhile.
    package func writeCopy(to file: any DatabaseFile, _ options: CopyOptions = CopyOptions()) throws {
        try storageErrors {
            try StreamingWriter.write(
                copiedTop, version: version, in: space, dirtyByteCount: slabByteCount, to: file, options)
            try VersionCopy.finish(file)
        }
    }

    /// What a history from before format 10 says means nothing in a file of ours.
    private var copiedTop: TopArray? {
        guard era?.hasRowTables == true, var top, top.count > FileFormat.Top.history else { return top }
        top.elements[FileFormat.Top.history] = 0
        return top
    }
}

extension WriteTransaction {
    /// Writes a copy like `Snapshot.writeCopy`, of the state that would be committed now. The transaction goes on.
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
    /// Makes the copy durable. An encrypted one leaves the streaming form before any process counts on it: later its
    /// first page could only be written in place, and there are no free pages for a copy of that (`EncryptedFile`).
    fileprivate static func finish(_ file: any DatabaseFile) throws {
        try file.sync()
        if file.writeUnit > 8 { try Database.leaveStreamingForm(file) }
    }
}

extension NewFile {
    /// Makes the file at `path`, which must not exist, and lets `write` fill it and sync it.
    ///
    /// Until it's whole, the file has another name: `part`, or one of `FileCopy`. If `write` fails, it's removed; if
    /// the process is killed, a later file of the same name removes it. `wrap` puts a layer over the file, such as
    /// encryption. The file has the permissions that are given, as far as this process may give them.
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

/// Files that are written as a whole.
package enum NewFile {}

/// Runs `body`; a failed system call becomes what it means to a user of the database.
func storageErrors<Result>(_ body: () throws -> Result) throws -> Result {
    do {
        return try body()
    } catch let error as SystemError {
        throw StorageError(error)
    }
}
