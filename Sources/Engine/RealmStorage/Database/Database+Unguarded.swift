// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// A database that was opened read-only and takes part in no session: where another process writes to the file all the
/// same, nothing keeps the version that was opened from being overwritten. What shows it is an error.
extension Database {
    /// Whether nothing keeps the version that was opened: the file must not change.
    package var isUnguarded: Bool { isReadOnly && sharing == nil }

    /// Throws if the file names another version by now than the one that was opened.
    package func verifyUnmoved() throws {
        guard isUnguarded else { return }
        let known = lock.locked { committed }
        let found = try? NamedVersion(file)
        if known.isAhead, found?.header.names(known.header) == true { return }
        let named = found?.record
        // The view of an older file has its top array in memory.
        guard let named, named.version == known.version, known.slabByteCount > 0 || named.topRef == known.topRef else {
            throw StorageError(
                .fileAccess,
                "another process has written to the file since it was opened read-only, without a lock file that "
                    + "would have kept the version that was opened; open it anew", path: path)
        }
    }

    /// Why a read has met `damage`: it may only look like damage because another process has written to the file.
    package func cause(of damage: StorageError) -> StorageError {
        do {
            try verifyUnmoved()
            return damage
        } catch {
            return error as? StorageError ?? damage
        }
    }
}
