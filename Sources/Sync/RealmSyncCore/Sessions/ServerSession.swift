// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The server's state of one client file on a connection. As in a client's session, messages are generated on demand.
struct ServerSession {
    private enum Phase {
        case identDue(SaltedIdent)
        case waitingForIdent
        case identified
        /// The server has ended the session, and sends no more messages until it is unbound.
        case failed
    }

    let ident: UInt64
    let store: any PartitionStore
    private let isReadOnly: Bool
    private let user: String
    private let version: Int
    private var phase: Phase
    private(set) var fileIdent: UInt64?
    private var progress = ServerProgress()
    /// The progress of the file, including the versions that were sent to it.
    private var cursor = DownloadCursor()
    /// Whether a download is due even without changes: the first one, and acknowledgements.
    private var mustSend = false
    /// The pending marks, with the version that has to be sent before each.
    private var marks = MessageQueue<(request: UInt64, version: UInt64)>()
    private var tests = MessageQueue<UInt64>()
    private var error: (code: Int, error: ServerError)?
    /// The file, and its version, whose objects the error rejects.
    private var rejection: (file: UInt64, version: UInt64)?
    private var longIntegration: UploadIntegration?
    /// Nil with partitions.
    private let flexibleBind: FlexibleBind?
    /// A message that precedes the first download.
    private var notice: ServerMessage?
    /// Nil with partitions.
    private var subscriptions: ServerSubscriptions?
    private var isPaused = false
    private var isUnbound = false
    private(set) var isGone = false

    init(
        _ ident: UInt64, _ store: any PartitionStore, _ mode: SyncMode, version: Int, needsIdent: Bool,
        isReadOnly: Bool, user: String = "", _ bind: FlexibleBind? = nil
    ) throws(SessionError) {
        (self.user, self.version) = (user, version)
        flexibleBind = bind
        self.ident = ident
        self.store = store
        if mode == .flexible, let documents = store as? any DocumentStore {
            subscriptions = ServerSubscriptions(documents)
        }
        self.isReadOnly = isReadOnly
        if !needsIdent {
            phase = .waitingForIdent
        } else if let documents = subscriptions?.store {
            phase = .identDue(try documents.addFile(schemaVersion: bind?.schemaVersion ?? 0))
        } else {
            phase = .identDue(try store.addFile())
        }
    }

    init(_ ident: UInt64, _ store: any PartitionStore, _ error: SessionError) {
        self.ident = ident
        self.store = store
        (user, version, flexibleBind) = ("", 0, nil)
        isReadOnly = true
        phase = .waitingForIdent
        fail(error)
    }

    mutating func fail(_ error: SessionError) {
        if let fileIdent, let version = error.rejectedVersion { rejection = (fileIdent, version) }
        fail(error.code.rawValue, error.serverError)
    }

    mutating func fail(_ code: Int, _ error: ServerError) {
        guard self.error == nil, !hasFailed else { return }
        self.error = (code, error)
        fileIdent = nil
        marks.removeAll()
        tests.removeAll()
    }

    private var hasFailed: Bool { if case .failed = phase { true } else { false } }

    /// The version up to which changes were sent.
    var sentVersion: UInt64 { cursor.serverVersion }

    var unansweredCount: Int { marks.count + tests.count }

    // MARK: Received messages

    /// - Throws: `ServerViolation` if the client may not send the message now.
    mutating func receive(_ message: ClientMessage) throws(ServerViolation) {
        if case .unbind = message {
            isUnbound = true
            if hasFailed, let rejection { store.didReportRejection(through: rejection.version, to: rejection.file) }
            fileIdent = nil
            marks.removeAll()
            tests.removeAll()
            return
        }
        guard !isUnbound else { throw ServerViolation(.outOfOrder, "a message follows 'unbind'") }
        // The client sent this before it received the error.
        if hasFailed || error != nil { return }
        do {
            try receiveInOrder(message)
        } catch let error as SessionError {
            fail(error)
        } catch let error as ServerViolation {
            throw error
        } catch {
            preconditionFailure("messages throw nothing else")
        }
    }

    private mutating func receiveInOrder(_ message: ClientMessage) throws {
        if case .test(_, let request, let text) = message { return test(request, text) }
        switch (message, phase) {
        case (.ident(let ident), .waitingForIdent): try identify(ident)
        case (.upload(let upload), .identified): try take(upload)
        case (.query(_, let query), .identified): try take(query)
        case (.mark(_, let request), .identified): marks.append((request, store.newest.version))
        // The client couldn't process a download, so its state differs from the state recorded here.
        case (.error(_, let code, let json), .identified):
            throw SessionError(.unknownIdent, "the client failed (\(code)): \(json["message"]?.text ?? "")")
        default: throw ServerViolation(.outOfOrder, "a message out of order")
        }
    }

    private mutating func identify(_ ident: ClientMessage.Ident) throws(SessionError) {
        let file = store.file(ident.file.ident)
        if file != nil { try requireKnown(ident.file.ident) }
        progress = ServerProgress(upload: file?.upload ?? UploadCursor())
        try progress.begin(ident, salt: file?.salt, kept: file?.kept ?? 0...0) { store.salt(of: $0) ?? 0 }
        fileIdent = ident.file.ident
        store.didIdentify(ident.file.ident)
        cursor = ident.download
        mustSend = true
        phase = .identified
        guard let query = ident.query, let subscriptions else { return }
        let schemaVersion = flexibleBind?.schemaVersion ?? 0
        notice = subscriptions.store.migration(of: ident.file.ident, to: schemaVersion).map {
            .migration(session: self.ident, from: $0, to: schemaVersion)
        }
        try begin(query, subscriptions.store, ident.file.ident)
    }

    /// Continues with the query that the client states, or sends its bootstrap.
    private mutating func begin(
        _ query: VersionedQuery, _ store: any DocumentStore, _ file: UInt64
    ) throws(SessionError) {
        subscriptions?.begin(query, at: cursor.serverVersion, of: user)
        if try store.resume(file, with: query, at: cursor.serverVersion, of: user) { return }
        guard version >= ServerSession.bootstrapsVersion || query.version == 0 else {
            throw SessionError(.permissionsChanged, "the objects of the subscriptions must be downloaded again")
        }
        try start(
            UploadIntegration(
                query, of: file, at: cursor.serverVersion, into: store, isStated: true, user: user))
    }

    /// The protocol version in which the server can send a bootstrap of a query that is complete (§5.3).
    private static let bootstrapsVersion = 14

    /// Replaces the view if the user's rights have changed. Returns false if that has to wait.
    private mutating func renewView(_ file: UInt64, _ store: any DocumentStore) throws(SessionError) -> Bool {
        guard subscriptions?.isOutdated(of: user) == true else { return true }
        guard store.beginWriting() else { return false }
        guard let (query, isPending) = subscriptions?.takeOutdatedQuery(of: user) else { return true }
        let sent = cursor.serverVersion
        if !isPending, try store.resume(file, with: query, at: sent, of: user) { return true }
        guard version >= ServerSession.bootstrapsVersion || isPending else {
            throw SessionError(.closed, "the user's rights have changed")
        }
        try start(UploadIntegration(query, of: file, at: sent, into: store, isStated: true, user: user))
        return true
    }

    private mutating func take(_ query: VersionedQuery) throws {
        guard let fileIdent, let subscriptions else { return }
        try requireKnown(fileIdent)
        guard query.version > subscriptions.receivedVersion else {
            throw ServerViolation(.outOfOrder, "query \(query.version) follows \(subscriptions.receivedVersion)")
        }
        self.subscriptions?.note(query)
        try start(
            UploadIntegration(
                query, of: fileIdent, at: cursor.serverVersion, into: subscriptions.store, isStated: false,
                user: user))
    }

    private mutating func take(_ upload: ClientMessage.Upload) throws(SessionError) {
        guard let fileIdent else { return }
        try requireKnown(fileIdent)
        try start(
            UploadIntegration(
                try progress.take(upload), of: fileIdent, into: store, isReadOnly: isReadOnly, user: user,
                migratedPartition: flexibleBind?.migratedPartition.flatMap { PartitionValue(path: $0) }))
    }

    private mutating func start(_ integration: UploadIntegration) throws(SessionError) {
        guard integration.effort == .short else { return longIntegration = integration }
        integration.run()
        try require(integration)
    }

    mutating func takeLongIntegration() -> UploadIntegration? {
        defer { longIntegration = nil }
        return longIntegration
    }

    mutating func finish(_ integration: UploadIntegration) {
        do throws(SessionError) { try require(integration) } catch { fail(error) }
    }

    private mutating func require(_ integration: UploadIntegration) throws(SessionError) {
        guard let fileIdent else { return }
        if case .query(let query, _, _, let isStated) = integration.input, let failure = integration.failure,
            failure.code == .badQuery, !isStated
        {
            subscriptions?.reject(query.version, failure.message)
            return
        }
        if let failure = integration.failure { throw failure }
        if case .query(let query, _, _, _) = integration.input, let bootstrap = integration.bootstrap {
            subscriptions?.begin(bootstrap, of: query, for: user)
            return
        }
        store.advance(fileIdent, to: progress.upload)
        mustSend = true
    }

    /// The file may have expired while it was bound, because its connection seemed dead.
    private func requireKnown(_ file: UInt64) throws(SessionError) {
        guard store.file(file)?.isExpired == false else {
            throw SessionError(.fileExpired, "client file \(file) was away for too long")
        }
    }

    private mutating func test(_ request: UInt64, _ text: String) {
        let json = try? JSON(parsing: text)
        switch json?["command"]?.text {
        case "PAUSE_DOWNLOAD_BUILDER": isPaused = true
        case "RESUME_DOWNLOAD_BUILDER": isPaused = false
        case "ECHO_ERROR":
            guard let code: Int = json?["args"]?["errorCode"]?.integer(), SessionErrorCode.isForSessions(code),
                let body = json?["args"]?["errorBody"], let error = ServerError(body)
            else { break }
            return fail(code, error)
        default: break
        }
        tests.append(request)
    }

    // MARK: Sent messages

    mutating func nextMessage(_ limits: ServerLimits) -> ServerMessage? {
        if isUnbound {
            isGone = true
            return hasFailed ? nil : .unbound(session: ident)
        }
        if let error {
            self.error = nil
            phase = .failed
            return .jsonError(session: ident, code: error.code, error.error)
        }
        if let request = tests.popFirst() { return .test(session: ident, request: request, "{}") }
        switch phase {
        case .identDue(let file):
            phase = .waitingForIdent
            return .ident(session: ident, file)
        case .waitingForIdent, .failed: return nil
        case .identified:
            return (subscriptions == nil ? nextDownload(limits) : nextFlexibleDownload(limits)) ?? nextMark()
        }
    }

    private mutating func nextFlexibleDownload(_ limits: ServerLimits) -> ServerMessage? {
        guard let fileIdent, let store = subscriptions?.store else { return nil }
        do throws(SessionError) {
            try requireKnown(fileIdent)
            guard try renewView(fileIdent, store) else { return nil }
        } catch {
            fail(error)
            return nextMessage(limits)
        }
        if longIntegration != nil { return nil }
        if let notice {
            self.notice = nil
            return notice
        }
        if let notice = subscriptions?.nextNotice(ident, fileIdent) { return notice }
        do throws(SessionError) {
            if let message = try nextSteadyDownload(fileIdent, store, limits) { return message }
            return try nextBootstrapPart(limits)
        } catch {
            fail(error)
            return nextMessage(limits)
        }
    }

    private mutating func nextBootstrapPart(_ limits: ServerLimits) throws(SessionError) -> ServerMessage? {
        guard !isPaused, let bootstrap = subscriptions?.bootstrap,
            let (entries, stage) = try subscriptions?.nextPart(limit: limits.download)
        else { return nil }
        let end = DownloadCursor(
            serverVersion: bootstrap.version, clientVersion: max(cursor.clientVersion, bootstrap.clientVersion))
        // The progress of a bootstrap takes effect with its last message.
        if subscriptions?.bootstrap == nil { cursor = end }
        return download(DownloadBatch(entries: entries, cursor: end, remainingBytes: 0), stage)
    }

    /// Returns the changes of the view before the bootstrap.
    private mutating func nextSteadyDownload(
        _ file: UInt64, _ store: any DocumentStore, _ limits: ServerLimits
    ) throws(SessionError) -> ServerMessage? {
        guard let subscriptions else { return nil }
        let (scanned, end) = (subscriptions.scannedVersion, subscriptions.end(store.newest.version))
        var batch = DownloadBatch(entries: [], cursor: cursor, remainingBytes: 0)
        if scanned < end, !isPaused {
            batch = try store.downloads(for: file, after: scanned, through: end, limit: limits.download)
            self.subscriptions?.scannedVersion = batch.cursor.serverVersion
        } else {
            batch.cursor.serverVersion = scanned
        }
        let silent = batch.cursor.serverVersion - cursor.serverVersion
        let isDue = subscriptions.bootstrap == nil && (mustSend || silent > ServerSubscriptions.maxSilentVersions)
        guard isDue || !batch.entries.isEmpty else { return nil }
        cursor.serverVersion = batch.cursor.serverVersion
        cursor.clientVersion = max(cursor.clientVersion, batch.cursor.clientVersion)
        return download(batch, .flexible(queryVersion: subscriptions.activeVersion, .steady, progress: 1))
    }

    private mutating func download(_ batch: DownloadBatch, _ stage: ServerMessage.Download.Stage) -> ServerMessage {
        mustSend = false
        progress.send(through: cursor.serverVersion)
        let shown = DownloadCursor(
            serverVersion: max(cursor.serverVersion, batch.cursor.serverVersion),
            clientVersion: max(cursor.clientVersion, batch.cursor.clientVersion))
        return .download(
            ServerMessage.Download(
                session: ident, download: shown, latest: store.newest, upload: progress.upload, stage: stage,
                entries: batch.entries))
    }

    private mutating func nextDownload(_ limits: ServerLimits) -> ServerMessage? {
        let newest = store.newest
        guard let fileIdent, mustSend || newest.version > cursor.serverVersion && !isPaused else { return nil }
        var batch = DownloadBatch(entries: [], cursor: cursor, remainingBytes: 0)
        do throws(SessionError) {
            try requireKnown(fileIdent)
            if !isPaused {
                batch = try store.downloads(for: fileIdent, after: cursor.serverVersion, limit: limits.download)
            }
        } catch {
            fail(error)
            return nextMessage(limits)
        }
        // Versions without changes for the client advance the cursor too.
        cursor.serverVersion = batch.cursor.serverVersion
        cursor.clientVersion = max(cursor.clientVersion, batch.cursor.clientVersion)
        return download(batch, .partition(downloadableBytes: batch.remainingBytes))
    }

    private mutating func nextMark() -> ServerMessage? {
        let sent = subscriptions?.scannedVersion ?? cursor.serverVersion
        guard let mark = marks.first, sent >= mark.version else { return nil }
        _ = marks.popFirst()
        return .mark(session: ident, request: mark.request)
    }
}

extension ServerMessage {
    /// The client uploads its changes in the session, and then starts over as a new file.
    fileprivate static func migration(session: UInt64, from previous: UInt64, to version: UInt64) -> ServerMessage {
        let error = ServerError(
            "The schema version of the file was \(previous), and is now \(version).", .migrateSchema, canTryAgain: true,
            previousSchemaVersion: previous)
        return .jsonError(session: session, code: SessionErrorCode.schemaVersionChanged.rawValue, error)
    }
}

/// An error for a client that violates the protocol. Its connection can't continue.
struct ServerViolation: Error {
    let code: ConnectionErrorCode
    let message: String

    @inline(never) init(_ code: ConnectionErrorCode, _ message: String) {
        self.code = code
        self.message = message
    }

    init(_ error: WireError) {
        self.init(ConnectionErrorCode(rawValue: error.code.rawValue) ?? .other, error.message)
    }
}

extension UploadedChange {
    /// - Throws: `SessionError` with `badChangeset` if no database could apply the changeset.
    package init(
        _ entry: ClientMessage.Upload.Entry, from fileIdent: UInt64, user: String = "",
        migratedPartition: PartitionValue? = nil
    ) throws(SessionError) {
        let changeset: Changeset
        do { changeset = try Changeset(decoding: entry.changeset) } catch {
            throw SessionError(.badChangeset, "\(error)")
        }
        for case .change(let place, let change) in changeset.instructions {
            guard let index = place.path.lastIndex, change.priorSize != nil, !change.isPossible(at: index) else {
                continue
            }
            throw SessionError(.badChangeset, "a list has no such element: \(Instruction.change(place, change))")
        }
        self.init(
            clientVersion: entry.clientVersion, serverVersion: entry.serverVersion,
            order: ChangeOrder(timestamp: entry.timestamp, fileIdent: fileIdent), changeset: changeset,
            originalSize: entry.changeset.count, user: user, migratedPartition: migratedPartition)
    }
}

extension UploadedChange {
    /// Validates the changes of a read-only client. Each client sends its schema before it receives the server's, so
    /// schema changes are allowed and have no effect.
    ///
    /// - Throws: `SessionError` with `writeNotAllowed` if there is any other change.
    mutating func requireNothingWritten() throws(SessionError) {
        let isSchemaAlone = changeset.instructions.allSatisfy {
            switch $0 {
            case .addTable, .addColumn: true
            default: false
            }
        }
        guard isSchemaAlone else { throw SessionError(.writeNotAllowed, "the user may only read this partition") }
        self = replacing(Changeset())
    }

    /// Returns the change with other instructions.
    package func replacing(_ changeset: Changeset) -> UploadedChange {
        UploadedChange(
            clientVersion: clientVersion, serverVersion: serverVersion, order: order, changeset: changeset,
            originalSize: originalSize, user: user, migratedPartition: migratedPartition)
    }
}
