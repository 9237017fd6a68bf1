// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The server's state of the queries of one session (§5.3, §5.5).
struct ServerSubscriptions {
    let store: any DocumentStore
    /// The query version of messages that aren't part of a bootstrap.
    private(set) var activeVersion: UInt64 = 0
    /// The newest query version that the client has sent.
    private(set) var receivedVersion: UInt64 = 0
    /// The newest query that wasn't rejected. A change of the user's rights leads to a new bootstrap of it.
    private var query = VersionedQuery(version: 0, text: "{}")
    /// The revision of the user's rights with which the current bootstrap, or the view, was made.
    private var rightsRevision: UInt64 = 0
    /// All changes of the view up to this version are sent. The client's cursor can be behind it, because versions
    /// without changes for the client are skipped.
    var scannedVersion: UInt64 = 0
    private(set) var bootstrap: QueryBootstrap?
    private var nextPart = 0
    private var rejections = MessageQueue<(version: UInt64, text: String)>()
    /// The reports up to this version are sent.
    private var reportedVersion: UInt64 = 0
    private var reports = MessageQueue<WriteReport>()

    /// The number of versions without changes for the client after which its cursor is advanced.
    static let maxSilentVersions: UInt64 = 256

    init(_ store: any DocumentStore) { self.store = store }

    mutating func begin(_ query: VersionedQuery, at version: UInt64, of user: String) {
        (activeVersion, receivedVersion) = (query.version, query.version)
        (scannedVersion, reportedVersion) = (version, version)
        self.query = query
        rightsRevision = store.rightsRevision(of: user)
    }

    mutating func note(_ query: VersionedQuery) { receivedVersion = query.version }

    func isOutdated(of user: String) -> Bool {
        store.rightsRevision(of: user) != rightsRevision && (bootstrap == nil || nextPart == 0)
    }

    /// The query to bootstrap again because the user's rights have changed, and whether the client still needs its
    /// first bootstrap. A bootstrap of which a message was sent is completed first, because a client that adds messages
    /// to those it has stored would retain the objects of the previous ones.
    mutating func takeOutdatedQuery(of user: String) -> (query: VersionedQuery, isPending: Bool)? {
        guard isOutdated(of: user) else { return nil }
        rightsRevision = store.rightsRevision(of: user)
        return (query, bootstrap != nil)
    }

    mutating func reject(_ queryVersion: UInt64, _ text: String) { rejections.append((queryVersion, text)) }

    /// Replaces the current bootstrap, if there is one.
    mutating func begin(_ bootstrap: QueryBootstrap, of query: VersionedQuery, for user: String) {
        (self.bootstrap, nextPart) = (bootstrap, 0)
        self.query = query
        rightsRevision = store.rightsRevision(of: user)
    }

    /// The last version before the bootstrap, or the newest one.
    func end(_ newest: UInt64) -> UInt64 { bootstrap.map { $0.version - 1 } ?? newest }

    /// Returns the next report or rejection. A report precedes the version that reverts its writes.
    mutating func nextNotice(_ session: UInt64, _ file: UInt64) -> ServerMessage? {
        for report in store.reports(for: file, after: reportedVersion) {
            reports.append(report)
            reportedVersion = report.version
        }
        if let report = reports.popFirst() { return report.message(session) }
        return rejections.popFirst().map {
            .queryError(session: session, code: SessionErrorCode.badQuery.rawValue, queryVersion: $0.version, $0.text)
        }
    }

    /// Returns the next part of the bootstrap.
    mutating func nextPart(limit: Int) throws(SessionError) -> (
        entries: [ServerMessage.Download.Entry], stage: ServerMessage.Download.Stage
    )? {
        guard let bootstrap, scannedVersion >= bootstrap.version - 1 else { return nil }
        var (entries, size) = ([ServerMessage.Download.Entry](), 0)
        while nextPart < bootstrap.partCount, size <= limit {
            let part = try bootstrap.part(nextPart)
            entries.append(
                ServerMessage.Download.Entry(
                    serverVersion: bootstrap.version, clientVersion: bootstrap.clientVersion,
                    timestamp: bootstrap.timestamp, origin: ChangeOrder.serverIdent, originalSize: UInt64(part.count),
                    changeset: part))
            size += part.count
            nextPart += 1
        }
        let isLast = nextPart == bootstrap.partCount
        if isLast {
            (activeVersion, scannedVersion) = (bootstrap.queryVersion, bootstrap.version)
            self.bootstrap = nil
        }
        let progress = Double(nextPart) / Double(bootstrap.partCount)
        return (
            entries,
            .flexible(
                queryVersion: bootstrap.queryVersion, isLast ? .lastOfBootstrap : .moreToCome, progress: progress)
        )
    }
}

extension WriteReport {
    fileprivate func message(_ session: UInt64) -> ServerMessage {
        let rejection = ServerError.Rejection(
            updates: updates, clientVersion: clientVersion, compensatingVersion: version)
        let error = ServerError(
            "The client attempted a write that is not allowed; it has been reverted.", .warning, canTryAgain: true,
            rejection: rejection)
        return .jsonError(session: session, code: SessionErrorCode.compensatingWrite.rawValue, error)
    }
}
