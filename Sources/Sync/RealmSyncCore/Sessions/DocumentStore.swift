// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The changes that lead from the objects of a client file to those of a new query (§5.3).
package struct QueryBootstrap: Sendable {
    package var queryVersion: UInt64
    /// The server version of the bootstrap, which contains nothing else.
    package var version: UInt64
    /// The last version of the file that was integrated before.
    package var clientVersion: UInt64
    package var timestamp: UInt64
    /// At least one; a client doesn't accept a bootstrap without entries.
    package let partCount: Int
    /// Returns an encoded changeset, which is read when it's sent: all of them can be larger than the memory. Applied
    /// twice they have the same result.
    package let part: @Sendable (Int) throws(SessionError) -> [UInt8]

    package init(
        queryVersion: UInt64, version: UInt64, clientVersion: UInt64, timestamp: UInt64, partCount: Int,
        part: @escaping @Sendable (Int) throws(SessionError) -> [UInt8]
    ) {
        self.queryVersion = queryVersion
        self.version = version
        self.clientVersion = clientVersion
        self.timestamp = timestamp
        self.partCount = partCount
        self.part = part
    }
}

/// The writes of an upload that were rejected, and the server version that reverts them in the client's file (§5.5).
package struct WriteReport: Hashable, Sendable {
    package var version: UInt64
    /// The version of the file that contained the writes.
    package var clientVersion: UInt64
    package var updates: [ServerError.Rejection.Update]

    package init(version: UInt64, clientVersion: UInt64, updates: [ServerError.Rejection.Update]) {
        self.version = version
        self.clientVersion = clientVersion
        self.updates = updates
    }
}

/// The documents of an app with flexible synchronisation, as its sessions use them (§5).
///
/// Each client file has a view: the objects that match its query. The versions that a file receives contain only the
/// changes of its view. As for `PartitionStore`, changes needn't be durable when these functions return.
package protocol DocumentStore: PartitionStore {
    /// Adds a file, whose objects are those of a version of the app's schema.
    func addFile(schemaVersion: UInt64) throws(SessionError) -> SaltedIdent

    /// Returns the schema version of a file, if the file has to download its objects again for another version (§5.9).
    func migration(of ident: UInt64, to schemaVersion: UInt64) -> UInt64?

    /// Continues with the query that a file states at the beginning of a session.
    ///
    /// - Parameters:
    ///   - version: The last server version that the file has integrated.
    ///   - user: The user of the connection, whose rights restrict the query.
    /// - Returns: False if the file needs a bootstrap of this query first.
    func resume(
        _ ident: UInt64, with query: VersionedQuery, at version: UInt64, of user: String
    ) throws(SessionError) -> Bool

    /// Returns a number that increases with each change of the user's rights.
    func rightsRevision(of user: String) -> UInt64

    /// Replaces the query of a file. A bootstrap that the file hasn't received completely has no effect.
    ///
    /// - Parameters:
    ///   - version: The last server version that was sent to the file.
    ///   - user: The user of the connection, whose rights restrict the query.
    ///   - isStated: Whether the query is already valid for the client. Then the query of a class with properties that
    ///     the user can't read any more matches nothing.
    /// - Throws: `SessionError` with `badQuery` if the query isn't supported. Then nothing is changed.
    func subscribe(
        _ ident: UInt64, to query: VersionedQuery, at version: UInt64, of user: String, isStated: Bool
    ) throws(SessionError) -> QueryBootstrap

    func effort(of query: VersionedQuery) -> UploadEffort

    /// Returns the changes of a file's view in the versions after `version` up to `end`, until their size exceeds
    /// `limit` bytes.
    ///
    /// - Throws: `SessionError` with `other` if the versions can't be read now.
    func downloads(
        for ident: UInt64, after version: UInt64, through end: UInt64, limit: Int
    ) throws(SessionError) -> DownloadBatch

    /// Returns the reports of a file for later versions, in order.
    func reports(for ident: UInt64, after version: UInt64) -> [WriteReport]
}
