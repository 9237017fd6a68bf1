// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// Verification of a database that was opened read-only outside a session. If another process nevertheless writes to
/// the file, it may overwrite the opened version; a read that detects this throws an error.
extension Database {
    /// If true, the opened version isn't protected, so the file must not change.
    package var isUnguarded: Bool { isReadOnly && sharing == nil }

    /// Throws if the file now selects another version than the opened one.
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
                    + "would have kept the version that was opened; open it again", path: path)
        }
    }

    /// The cause of `damage` that a read has found: the data may seem damaged only because another process has written
    /// to the file.
    package func cause(of damage: StorageError) -> StorageError {
        do {
            try verifyUnmoved()
            return damage
        } catch {
            return error as? StorageError ?? damage
        }
    }
}
