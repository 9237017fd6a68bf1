// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// What opening a database for writing may do to its file.
package struct OpenOptions: Sendable {
    /// Whether a file of an older format is upgraded; if not, opening it throws `.upgradeRequired`.
    package var allowsUpgrade = true
    /// Whether a copy of the file is made before it is upgraded (container 10.3, step 2).
    package var makesBackup = true
    /// Whether a file that is not there is made, where it is opened for writing.
    package var creates = true
    /// Whether the file stays as it is, not in order as it may be: only for write transactions that are rolled back.
    package var leavesFile = false
    /// How long to wait for the write lock: to open the file, and then to write where nothing else is said.
    package var patience = Patience()
    /// How far a commit is durable when it returns.
    package var durability = Durability.ordered
    /// Told what is amiss where the file is opened all the same.
    package var warn: (@Sendable (String) -> Void)?
    package var historyConversion = HistoryConversion.none
    /// Goes on with the history of a synchronised file, or begins it in a new one; nil opens local databases.
    package var synchronisedHistory: (any SynchronisedHistory)?
    /// The permissions of a file that is made, from which the process's `umask` takes away; what lies beside it has the
    /// same.
    package var newFileMode: UInt16 = 0o600
    /// Told how far the upgrade of a file from before format 10 is, which writes all objects anew.
    package var upgradeProgress: (@Sendable (UpgradeProgress) -> Void)?

    /// What becomes of the history of a synchronised file (container 7.3).
    package enum HistoryConversion: Sendable {
        /// The file is not opened for writing.
        case none
        /// The history is replaced by that of a local database, for good: the file can never be synchronised again.
        case local
    }

    package init() {}
}
