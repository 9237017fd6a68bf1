// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import RealmStorage

// What opening a file needs to know of synchronisation, which is a floor above.

/// Which data of a server a file holds: `SyncConfiguration`.
protocol SynchronisedData: Sendable {
    /// The path of the file where no other one is wanted.
    var defaultPath: String { get }

    /// Whether both are the same data.
    func isSameData(as other: any SynchronisedData) -> Bool

    /// Whether both are the same partition of the same app, of whatever user.
    func isSamePartition(as other: any SynchronisedData) -> Bool

    /// Called before the file at `path` is opened, which may not be there yet.
    func willOpen(_ path: String)

    /// Begins to synchronise a file that was just opened.
    func begin(_ database: Database, _ configuration: Realm.Configuration) -> any FileSynchronisation
}

/// What synchronises an open file: `SynchronisedFile`. Used from any thread, but for `close`.
protocol FileSynchronisation: AnyObject, Sendable {
    var path: String { get }
    /// The file; nil once it is closed.
    var database: Database? { get }
    /// Where it works.
    var queue: DispatchQueue { get }

    /// From now on the coordinator is told of what was integrated.
    func connect(to coordinator: RealmCoordinator)

    /// The file has a new version, made here or in another process.
    func didCommit()

    /// No Realm of the file is open any more.
    func didCloseRealms()

    /// Closes the file, whatever is not uploaded. No Realm of it is open any more. On `queue`.
    func close()
}
