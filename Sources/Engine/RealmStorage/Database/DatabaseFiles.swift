// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// A database's file, and the files next to it (container 8).
package enum DatabaseFiles {
    /// Removes the database at `path` with all files next to it except the lock file: the files of this library and of
    /// realm-core, backups made before upgrades, and the remains of interrupted copies and compactions. Returns whether
    /// any file existed.
    ///
    /// Throws `.alreadyOpen`, without effect, if the database is open in any process. An opening outside the session
    /// (`Database.Joining`) isn't noticed. A crash during the removal leaves no database, but possibly some of the
    /// other files.
    ///
    /// Symbolic links to the file are followed, but not removed. If the file has several hard links, only this one is
    /// removed.
    package static func remove(at path: String) throws -> Bool {
        let path = Folder.followed(path)
        return try storageErrors {
            let leftovers = (try? FileCopy.leftovers(of: path)) ?? []
            let paths = ([path] + companions(of: path) + leftovers).filter(Folder.holds)
            guard !paths.isEmpty else { return false }
            let removed = try SessionLock.whileClosed(forDatabase: path) { () -> Bool? in
                // The processes that have it open may use another lock file.
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
