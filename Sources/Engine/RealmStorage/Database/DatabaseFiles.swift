// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// The files of a database: its own, and what lies beside it (container 8).
package enum DatabaseFiles {
    /// Removes the database at `path` with everything beside it but the lock file: this library's and realm-core's own
    /// files, copies made before upgrades, what interrupted copies and compactions left behind. Returns whether there
    /// was anything.
    ///
    /// Throws `.alreadyOpen`, with nothing done, if the database is open in any process. An opening that takes no part
    /// in the session (`Database.Joining`) is not noticed. A crash in the middle leaves no database, and perhaps some
    /// of the rest.
    ///
    /// Links to the file are followed, and stay. Of several names of the file only this one is removed.
    package static func remove(at path: String) throws -> Bool {
        let path = Folder.followed(path)
        return try storageErrors {
            let leftovers = (try? FileCopy.leftovers(of: path)) ?? []
            let paths = ([path] + companions(of: path) + leftovers).filter(Folder.holds)
            guard !paths.isEmpty else { return false }
            let removed = try SessionLock.whileClosed(forDatabase: path) { () -> Bool? in
                // Its lock file may be another one than that of the processes that have it open.
                if let file = try? DiskFile.open(path, readOnly: true), file.isClaimed { return nil }
                MappingCache.shared.drop()
                let removed = try paths.map(Folder.remove)
                DiskFile.syncDirectory(of: path)
                return removed.contains(true)
            }
            guard let removed = removed ?? nil else {
                throw StorageError(.alreadyOpen, "the database is open", path: path)
            }
            return removed
        }
    }

    private static func companions(of path: String) -> [String] {
        let own = [
            ".management", ".note", Database.compactionSuffix, ".tmp_compaction_space", ".log", ".log_a", ".log_b",
        ]
        let backups = (2..<FileFormat.version).map { UpgradeBackup.path(for: path, format: $0) }
        return own.map { path + $0 } + backups + backups.map { $0 + ".part" }
    }
}
