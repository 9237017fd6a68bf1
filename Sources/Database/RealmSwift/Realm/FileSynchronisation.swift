// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import RealmStorage

// The interface of the synchronisation layer. Opening a file depends only on these protocols.

/// Identifies the server data that a file holds: `SyncConfiguration`.
protocol SynchronisedData: Sendable {
    var defaultPath: String { get }

    func isSameData(as other: any SynchronisedData) -> Bool

    /// Whether both are the same partition of the same app, for any user.
    func isSamePartition(as other: any SynchronisedData) -> Bool

    /// Whether subscriptions determine the data.
    var isFlexible: Bool { get }

    func willOpen(_ path: String)

    /// Called before the tables of classes are created.
    func prepare(_ database: Database) throws

    /// Called once for each coordinator, before other threads use it.
    func didOpen(_ coordinator: RealmCoordinator) throws

    func begin(_ database: Database, _ configuration: Realm.Configuration) -> any FileSynchronisation
}

/// Synchronises an open file: `SynchronisedFile`. Used from any thread, except for `close`.
protocol FileSynchronisation: AnyObject, Sendable {
    var path: String { get }
    var database: Database? { get }
    var queue: DispatchQueue { get }

    func connect(to coordinator: RealmCoordinator)

    func didCloseRealms()

    /// Closes the file even if changes aren't uploaded yet. No Realm of it is open any more. Called on `queue`.
    func close()
}
