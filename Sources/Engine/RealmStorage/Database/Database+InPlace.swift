// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// Verification that other participants will find the data written by this object.
///
/// Any program can remove, replace, move, or truncate an open file. So before a write begins, and again before its
/// version becomes the newest, the open file must still be the one at its path and contain all of its data, and its
/// lock file and management folder must be at their paths. Anything that happens after the second check happens to a
/// committed version.
extension Database {
    /// Throws if a check fails. The caller holds the write lock.
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

    /// Throws if the file is shorter than this version. The caller has pinned the version or holds the write lock.
    func verifySize(_ state: Committed) throws {
        guard sharing != nil, try file.size() < state.logicalSize else { return }
        throw StorageError(
            .invalidDatabase, "the file is shorter than its contents; it was cut off while it was open", path: path)
    }

    /// Throws in a process that was forked after the opening. Locks and pins belong to the process that opened the
    /// database, so neither process would notice the other's changes.
    func verifyOwnProcess() throws {
        guard owner != CurrentProcess.identifier else { return }
        throw StorageError(
            .writeRefused,
            "it was opened by process \(owner), of which this one, \(CurrentProcess.identifier), is a "
                + "copy; open it again in this process", path: path)
    }
}
