// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

package protocol SimulatedFile: ClientStore {
    var model: SyncModel { get }
    var faults: [String] { get }
    /// Whether the server has all durable changes.
    var isUploaded: Bool { get }

    /// Commits a change of the application, and returns its recorded form. It needn't be durable before `sync`, or
    /// before others' changes are integrated.
    @discardableResult
    func commit(_ changeset: Changeset, timestamp: UInt64) throws -> Changeset
    func sync()
    /// Discards the state that isn't durable.
    func crash()
    /// Resets the file to the state of `fresh` (§7.2, §7.3) in one commit, with or without its pending changes
    /// recovered on top.
    ///
    /// - Parameter recovered: Called with each recovered change, and the state of `fresh`.
    func reset(to fresh: any SimulatedFile, discarding: Bool, _ recovered: (Changeset, SyncModel) -> Void) throws
    func close() throws
}
