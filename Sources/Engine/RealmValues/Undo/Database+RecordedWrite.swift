// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

extension Database {
    /// Commits the changes that `body` makes, and returns them, so that `revert` can undo them. They pin the versions
    /// before and after the commit under `label`.
    ///
    /// - Parameter body: Receives the transaction and the version that it's based on.
    package func recordedWrite<Result>(
        label: String, _ body: (WriteTransaction, _ base: Snapshot) throws -> Result
    ) throws -> (result: Result, changes: VersionHistory) {
        let write = try beginWrite()
        do {
            // The transaction holds the write lock, so its base is the newest version.
            let base = try snapshot(label: label)
            let result = try body(write, base)
            let commit = try write.prepareCommit()
            // Pinned before another writer can commit, so that the changes contain no others'.
            let version = try commit.snapshot(label: label)
            try commit.finish()
            return (result, try VersionHistory(from: base, to: version))
        } catch {
            if write.isOpen { write.rollback() }
            throw error
        }
    }

    /// Undoes changes in a new commit, and returns the changes of that commit, which `revert` can undo in turn.
    ///
    /// - Throws: `UndoConflict`, with nothing changed, if later changes conflict.
    package func revert(_ changes: VersionHistory, label: String) throws -> VersionHistory {
        try recordedWrite(label: label) { try Reversion(of: changes, since: $1, in: $0).run() }.changes
    }
}
