// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

extension Snapshot {
    /// Writes a compact copy of this version to an empty file, in streaming form, and syncs it (container 6.9).
    ///
    /// The bytes go through `file`, which may encrypt them with whatever key it has. Memory use does not depend on the
    /// size of the database. From any thread; writers go on meanwhile.
    package func writeCopy(to file: any DatabaseFile, _ options: CopyOptions = CopyOptions()) throws {
        try storageErrors {
            try StreamingWriter.write(
                top, version: version, in: space, dirtyByteCount: slabByteCount, to: file, options)
            try file.sync()
        }
    }
}

extension WriteTransaction {
    /// As `Snapshot.writeCopy`, of the state that would be committed now. The transaction goes on.
    package func writeCopy(to file: any DatabaseFile, _ options: CopyOptions = CopyOptions()) throws {
        precondition(isOpen, "the write transaction has ended")
        try storageErrors {
            try encodeTables()
            try StreamingWriter.write(
                top, version: baseVersion, in: space, dirtyByteCount: store.slabByteCount, to: file, options)
            try file.sync()
        }
    }
}

extension NewFile {
    /// Makes the file at `path`, which must not exist, and lets `write` fill it; removes it if that fails.
    ///
    /// `wrap` puts a layer over the file, such as encryption.
    package static func write(
        _ path: String, wrap: (DiskFile) throws -> any DatabaseFile = { $0 }, _ write: (any DatabaseFile) throws -> Void
    ) throws {
        try storageErrors {
            let file = try DiskFile.create(path)
            do {
                try write(try wrap(file))
                DiskFile.syncDirectory(of: path)
            } catch {
                try? Folder.removeFile(path)
                throw error
            }
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
