// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A set of subscriptions that the server hasn't answered yet.
package struct PendingQuery: Hashable, Sendable {
    package var query: VersionedQuery
    /// The newest version of the file when the set was committed. The server receives the changes up to this version
    /// before the query.
    package var snapshotVersion: UInt64

    package init(query: VersionedQuery, snapshotVersion: UInt64) {
        self.query = query
        self.snapshotVersion = snapshotVersion
    }
}

/// A message of a bootstrap (§5.3).
package struct BootstrapPart: Sendable {
    package var queryVersion: UInt64
    /// Whether the part is the first one of its bootstrap, which replaces the parts that are stored.
    package var isFirst: Bool
    package var entries: [ServerMessage.Download.Entry]
    /// The progress that takes effect once the whole bootstrap is applied. Nil unless the part is the last one.
    package var progress: ClientProgress?

    package init(
        queryVersion: UInt64, isFirst: Bool, entries: [ServerMessage.Download.Entry], progress: ClientProgress? = nil
    ) {
        self.queryVersion = queryVersion
        self.isFirst = isFirst
        self.entries = entries
        self.progress = progress
    }
}

/// The interface of a session to a client file with subscriptions (§5).
///
/// As for `ClientStore`, changes made by these functions are durable when the function returns.
package protocol FlexibleClientStore: ClientStore {
    /// The query of the newest set whose data is in the file; version 0 without subscriptions if there's no such set.
    var activeQuery: VersionedQuery { get }

    /// Returns the first set after a version that is newer than the active one and wasn't rejected.
    func pendingQuery(after version: UInt64) -> PendingQuery?

    /// Whether uploads have to wait, because the file was moved from a partition and the server hasn't answered its
    /// subscriptions yet (§5.8).
    var holdsUploads: Bool { get }

    /// Whether the set exists: it's the newest complete one, or newer.
    func hasSet(_ version: UInt64) -> Bool

    /// Prepares the file for a new session: applies a complete bootstrap, and discards an incomplete one, and one that
    /// the file has overtaken.
    ///
    /// - Returns: The number of changes applied, or nil if no bootstrap was complete.
    func beginSession() throws(SessionError) -> Int?

    /// Stores a part of a bootstrap, and applies the bootstrap with its last part. A first part, and one of another
    /// query version, replaces the stored parts. Other parts are added to them.
    ///
    /// Applying advances the file to the progress of the last part. The set then awaits a mark, and older sets are
    /// deleted.
    ///
    /// - Returns: The number of changes applied, or nil if more parts follow.
    /// - Throws: `SessionError` if the changes can't be stored or applied. A stored bootstrap remains until another one
    ///   or the next session begins.
    func receive(_ part: BootstrapPart) throws(SessionError) -> Int?

    /// Completes the set that awaits a mark.
    ///
    /// - Returns: Whether there was one.
    func completeSet() throws(SessionError) -> Bool

    /// Marks a pending set as rejected by the server.
    ///
    /// - Returns: Whether the set was pending.
    func reject(_ queryVersion: UInt64, _ reason: String) throws(SessionError) -> Bool
}
