// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import RealmStorage

/// The open database that the instances of this process share: its queues, its log, and its audit.
package protocol DatabaseHost: AnyObject, Sendable {
    var database: Database { get }
    /// The queue on which async writes wait for the write lock.
    var turns: DispatchQueue { get }
    /// The queue on which commits wait for the disk.
    var commits: DispatchQueue { get }

    /// Notifies the other instances of a commit. `port` is that of the instance that made it.
    func notifyOthers(than port: DeliveryPort?)

    func logCommit()

    /// Logs the first world error that a reader has met.
    func log(_ failure: StorageError)

    /// Logs that a write transaction was rolled back because its Realm was `reason`.
    func logRollback(_ reason: String)

    /// Returns the damage that an audit of the file finds; nil if there is none.
    func foundDamage() -> StorageError?
}
