// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The frames of a store in a database that all nodes of a cluster use: byte strings with consecutive numbers from 1,
/// and a snapshot of the state through one of them. Frames before the snapshot may have been removed.
///
/// Used by one thread at a time. All functions can block; they throw `SharedLogError` or the error of the database.
package protocol SharedFrames: AnyObject {
    /// Identifies the store in the database.
    var store: UInt64 { get }

    /// Returns the store's ingested records.
    func ingested() throws -> any IngestSource

    /// Passes the parts of the snapshot, and then the frames after it. Returns the state of the log without them.
    /// Memory holds a limited number of frames.
    ///
    /// - Throws: Also any error of `body`.
    func load(_ body: (SharedPiece) throws -> Void) throws -> SharedContent

    /// Returns the frames after a number.
    func frames(after number: UInt64) throws -> SharedContent

    /// Acquires the append lock, which other nodes may hold, and returns the frames after a number.
    func lock(after number: UInt64) throws -> SharedContent

    /// Appends frames and ingested records, makes them durable together, and releases the append lock. After an error
    /// they may be durable or not. Returns the id of the last frame.
    ///
    /// - Parameter records: The records after the last ingested one.
    @discardableResult
    func commit(_ frames: [[UInt8]], ingesting records: [IngestRecord]) throws -> Int64?

    /// Releases the append lock, or does nothing if it isn't held.
    func abandon()

    /// Replaces the snapshot and removes the frames before the last one of the previous snapshot. Has no effect if the
    /// snapshot of another node is newer.
    ///
    /// - Parameters:
    ///   - parts: The records of the snapshot.
    ///   - number: The last frame that the snapshot contains.
    func adopt(_ parts: [[UInt8]], through number: UInt64) throws

    /// Replaces all frames by a snapshot and an empty frame, and releases the append lock. Nodes that lack the new
    /// frame load the store again. Returns the id of the frame.
    func replace(_ parts: [[UInt8]]) throws -> Int64?
}

extension SharedFrames {
    @discardableResult
    package func commit(_ frames: [[UInt8]]) throws -> Int64? { try commit(frames, ingesting: []) }
}

/// A piece of a store that is loaded.
package enum SharedPiece: Sendable {
    /// A part of the snapshot.
    case part([UInt8])
    /// A frame after the snapshot, with its number.
    case frame(UInt64, [UInt8])
}

/// Frames of a store, and the state of their log.
package struct SharedContent: Sendable {
    package var frames: [[UInt8]] = []
    /// The random id of the frame after which `frames` follow; `nil` if it doesn't exist. It shows whether the database
    /// has lost that frame and another node has reused its number.
    package var previousID: Int64?
    /// The random id of the last one of `frames`.
    package var lastID: Int64?
    /// The number of the last frame.
    package var end: UInt64 = 0
    /// The number of the last frame that the snapshot contains.
    package var snapshot: UInt64 = 0
    /// The size of the frames after the snapshot, in bytes.
    package var size = 0
    package var snapshotSize = 0

    package init() {}
}

/// The error of a shared database that can't be reached. A node that only reads continues with its state.
package struct SharedStoresUnavailable: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// An error after which a node has to load a store again.
package struct SharedLogError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// The sizes of an app's stores.
package struct AppSizes: Sendable, Equatable {
    /// 0 with flexible sync.
    package var partitionCount = 0
    /// The size of the data, in bytes.
    package var bytes = 0

    package init(partitionCount: Int = 0, bytes: Int = 0) {
        (self.partitionCount, self.bytes) = (partitionCount, bytes)
    }
}

/// The stores that the nodes of a cluster share.
package protocol SharedStores: AnyObject, Sendable {
    /// The address without a password, for errors.
    var title: String { get }

    /// Returns the frames of a store, which is created if it doesn't exist.
    ///
    /// - Parameter name: The name of a partition, or `nil` for a flexible app.
    func frames(app: String, name: String?) throws -> any SharedFrames

    /// Returns whether a store exists.
    func holds(app: String, name: String?) throws -> Bool

    /// Returns the apps that have a store of this name.
    ///
    /// - Parameter name: As for `frames`.
    func apps(withStore name: String?) throws -> [String]

    /// Returns whether the app is flexible, or `nil` if it was never used.
    func isFlexible(app: String) throws -> Bool?

    /// Returns the ids of the apps that have stores.
    func apps() throws -> [String]

    /// Returns the names of an app's stores, except for that of a flexible app.
    func names(of app: String) throws -> [String]

    /// Returns a small file of an app, or `nil` if it doesn't exist.
    func contents(of path: String, app: String) throws -> [UInt8]?

    /// Replaces or, without contents, removes a file.
    func write(_ contents: [UInt8]?, to path: String, app: String) throws

    /// Appends to a file, which is created if it doesn't exist.
    func append(_ contents: [UInt8], to path: String, app: String) throws

    /// Changes a file depending on its contents, while no other process changes one in this way.
    ///
    /// - Parameter change: Returns the new contents, or `nil` to leave the file unchanged. Can be called with `nil`.
    func update(_ path: String, app: String, _ change: ([UInt8]?) throws -> [UInt8]?) throws

    /// Returns the sizes of an app's stores.
    func sizes(of app: String) throws -> AppSizes

    /// Removes a store, if it exists.
    func remove(app: String, name: String) throws

    /// Renames a store and writes a file, in one step.
    ///
    /// - Parameter name: As for `frames`.
    func rename(app: String, _ name: String?, to newName: String?, with contents: [UInt8], _ path: String) throws

    /// Prevents that a server uses the stores, until `stop`.
    ///
    /// - Throws: `ServerFailure` if one does.
    func excludeServers() throws

    /// Calls a function with the stores to which other nodes have appended frames, on any thread.
    ///
    /// - Parameter didFail: Called if the stores can't be used any more, because `excludeServers` was called at another
    ///   node while this one wasn't connected.
    /// - Throws: `ServerFailure` after `excludeServers` at another node.
    func follow(
        _ didAppend: @escaping @Sendable (Set<UInt64>) -> Void, _ didFail: @escaping @Sendable (any Error) -> Void
    ) throws

    /// Whether this node is connected, after `follow`.
    var isReachable: Bool { get }

    /// Ends the calls of `follow`.
    func stop()
}
