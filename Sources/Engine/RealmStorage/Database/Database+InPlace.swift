// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// Whether what is written here is what others will find.
///
/// Any program may remove, replace, move or cut a file that is open. So before a write begins, and again before its
/// version becomes the newest, the file that is open must still be the one at its path, and as long as its content, and
/// its lock file and management folder must be where others look for them. What happens after the second look happens
/// to a version that is committed.
extension Database {
    /// Throws if that is not so. The caller holds the write lock.
    func verifyInPlace() throws {
        try verifyOwnProcess()
        guard let sharing, let identity = file.identity else { return }
        guard let found = FileIdentity(path) else {
            let error = SystemError.last("stat", path: path)
            guard error.number == ENOENT || error.number == ENOTDIR else { throw error }
            throw gone(.notFound, "it was removed, or got another name, while it was open")
        }
        guard found == identity else { throw gone(.fileAccess, "another file was put in its place while it was open") }
        do {
            try sharing.verifyInPlace()
        } catch let error as StorageError {
            throw error.at(path: path)
        }
    }

    private func gone(_ code: StorageError.Code, _ what: String) -> StorageError {
        StorageError(
            code, "\(what); nothing was written; copy what is needed, close it everywhere and open it again", path: path
        )
    }

    /// Throws if the file is shorter than a version that this object knows. The caller has pinned the version or holds
    /// the write lock.
    func verifySize(_ state: Committed) throws {
        guard sharing != nil, try file.size() < state.logicalSize else { return }
        throw StorageError(
            .invalidDatabase, "the file is shorter than its contents; it was cut off while it was open", path: path)
    }

    /// Throws in a process that has got this object by `fork`: its locks and pins are those of the process that opened
    /// it, and neither would see what the other does.
    func verifyOwnProcess() throws {
        guard owner != CurrentProcess.identifier else { return }
        throw StorageError(
            .writeRefused,
            "it was opened by process \(owner), of which this one, \(CurrentProcess.identifier), is a "
                + "copy; open it again in this process", path: path)
    }
}
