// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The queries that a session has sent, and the reports that wait for the changes they announce (§5.3, §5.5).
struct SessionSubscriptions {
    let store: any FlexibleClientStore
    /// The newest query version stated or sent over this connection.
    private var sentVersion: UInt64 = 0
    /// The version of the query whose bootstrap is in progress over this connection.
    private var bootstrapVersion: UInt64?
    /// Reports of compensating writes, in the order of the server's versions that revert the writes.
    private var reports: [(version: UInt64, failure: ClientFailure)] = []

    /// The maximum number of reports that wait. A server sends the changes soon after the report.
    private static let maxReports = 10_000

    init(_ store: any FlexibleClientStore) { self.store = store }

    /// Returns the query for `ident`. All pending queries are due again after it.
    mutating func identify() -> VersionedQuery {
        let query = store.activeQuery
        sentVersion = query.version
        bootstrapVersion = nil
        return query
    }

    func nextQuery() -> PendingQuery? { store.pendingQuery(after: sentVersion) }

    mutating func didSend(_ query: VersionedQuery) { sentVersion = query.version }

    /// Call this when the session is no longer bound. The server repeats its reports in the next session.
    mutating func disconnected() { reports = [] }

    /// Whether the server may send a message about a query.
    func wasSent(_ queryVersion: UInt64) -> Bool { queryVersion <= sentVersion }

    /// Call this with each message of a bootstrap. Returns whether it's the first one. After an interruption the server
    /// sends the whole bootstrap again.
    mutating func startsBootstrap(_ queryVersion: UInt64, isLast: Bool) -> Bool {
        defer { bootstrapVersion = isLast ? nil : queryVersion }
        return bootstrapVersion != queryVersion
    }

    // MARK: Reports

    /// Retains a report until the file has the version that reverts the write. Returns false if it's already there, or
    /// if the report names no version.
    mutating func hold(_ failure: ClientFailure) throws(ClientViolation) -> Bool {
        guard failure.code == SessionErrorCode.compensatingWrite.rawValue,
            let version = failure.error.rejection?.compensatingVersion,
            version > store.state.progress.download.serverVersion
        else { return false }
        guard reports.count < Self.maxReports else {
            throw ClientViolation("more than \(Self.maxReports) reports precede their changes")
        }
        reports.append((version, failure))
        return true
    }

    mutating func takeReports(through version: UInt64) -> [ClientFailure] {
        let due = reports.prefix { $0.version <= version }
        reports.removeFirst(due.count)
        return due.map(\.failure)
    }
}
