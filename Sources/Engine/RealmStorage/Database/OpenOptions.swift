// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

package struct OpenOptions: Sendable {
    /// Whether a file of an older format is upgraded. If not, opening it throws `.upgradeRequired`.
    package var allowsUpgrade = true
    /// Whether the file is copied before an upgrade (container 10.3, step 2).
    package var makesBackup = true
    package var creates = true
    /// Whether the file stays unchanged even if it needs mending. Only for write transactions that are rolled back.
    package var leavesFile = false
    /// The timeout for the write lock: during the opening, and by default for later writes.
    package var patience = Patience()
    package var durability = Durability.ordered
    package var warn: (@Sendable (String) -> Void)?
    package var historyConversion = HistoryConversion.none
    /// Continues the history of a synchronised file, or begins it in a new one. Nil opens local databases.
    package var synchronisedHistory: (any SynchronisedHistory)?
    /// The permissions of a new file, reduced by the process's `umask`. The files next to it have the same permissions.
    package var newFileMode: UInt16 = 0o600
    /// Called with the progress of the upgrade of a file older than format 10, which rewrites all objects.
    package var upgradeProgress: (@Sendable (UpgradeProgress) -> Void)?

    package enum HistoryConversion: Sendable {
        /// The file isn't opened for writing.
        case none
        /// The history is replaced permanently by that of a local database: the file can never be synchronised again.
        case local
    }

    package init() {}
}
