// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The open database of readers: its log and its audit.
package protocol ReaderHost: AnyObject, Sendable {
    var database: Database { get }

    /// Logs the first world error that a reader has met.
    func log(_ failure: StorageError)

    /// Logs that a write transaction was rolled back because its Realm was `reason`.
    func logRollback(_ reason: String)

    /// Returns the damage that an audit of the file finds; nil if there is none.
    func foundDamage() -> StorageError?
}
