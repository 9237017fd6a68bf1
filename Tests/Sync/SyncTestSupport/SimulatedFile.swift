// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// A client file of a simulation.
package protocol SimulatedFile: ClientStore {
    var model: SyncModel { get }
    /// What went wrong when changes of others were applied. Sessions report it to the server too.
    var faults: [String] { get }
    /// Whether the server has everything that is durable here.
    var isUploaded: Bool { get }

    /// Commits a change of the application, and gives it as it was recorded. It need not be durable before `sync`, or
    /// before changes of others are integrated.
    @discardableResult
    func commit(_ changeset: Changeset, timestamp: UInt64) throws -> Changeset
    func sync()
    /// Loses what is not durable.
    func crash()
    /// Becomes what `fresh` is (§7.2, §7.3), all of it in one commit: with its own changes that the server does not
    /// have made again on top, or without them.
    ///
    /// - Parameter recovered: is told of each change that is made again, and whether `fresh` had it already.
    func reset(to fresh: any SimulatedFile, discarding: Bool, _ recovered: (Changeset, SyncModel) -> Void) throws
    /// Ends its use, after a check of what it is then.
    func close() throws
}
