// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// A client file of a simulation.
package protocol SimulatedFile: ClientStore {
    var model: SyncModel { get }
    /// The errors of applying changes of others. Sessions report them to the server too.
    var faults: [String] { get }
    /// Whether the server has everything that is durable here.
    var isUploaded: Bool { get }

    /// Commits a change of the application, and returns it as it was recorded. It need not be durable before `sync`, or
    /// before changes of others are integrated.
    @discardableResult
    func commit(_ changeset: Changeset, timestamp: UInt64) throws -> Changeset
    func sync()
    /// Discards the state that isn't durable.
    func crash()
    /// Resets the file to the state of `fresh` (§7.2, §7.3) in one commit: with its own pending changes recovered on
    /// top, or without them.
    ///
    /// - Parameter recovered: called with each change that is recovered, and the state of `fresh`.
    func reset(to fresh: any SimulatedFile, discarding: Bool, _ recovered: (Changeset, SyncModel) -> Void) throws
    /// Checks the file's final state and closes it.
    func close() throws
}
