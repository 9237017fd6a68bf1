// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// One client file on a connection (§2.7). Its messages are generated on demand, so a slow transport delays them and no
/// queue grows.
struct ClientSession {
    private enum Phase {
        case unbound
        case waitingForIdent
        case bound
        case identified
        case unbinding
    }

    let ident: UInt64
    private let path: String
    /// Nil once the session is closed, so that the file may be used or deleted before the server confirms.
    private var store: (any ClientStore)?
    private let mayUpload: Bool
    /// Nil for a partition, and once the session is closed.
    private var subscriptions: SessionSubscriptions?
    private var phase = Phase.unbound
    /// Whether the server ended the session with an error. The session then has to be unbound, and the server sends no
    /// more messages for it.
    private var hasFailed = false
    /// Whether the session stays unbound, temporarily or permanently.
    private(set) var isWaiting = false
    private(set) var isClosed = false
    /// The error to report to the server after changes couldn't be integrated. No more changes are integrated then.
    private var report: (code: Int, text: String)?
    private var cannotIntegrate = false
    private var requestedMark: UInt64 = 1
    private var answeredMark: UInt64 = 0
    /// The newest mark sent over this connection; 0 if none was sent.
    private var sentMark: UInt64 = 0
    /// The progress of this file last sent to the server.
    private var sent = UploadCursor()
    /// The version up to which no changes remain to upload.
    private var scannedVersion: UInt64 = 0
    /// Received downloads that aren't integrated yet. Empty except while messages are being received.
    private var gathered = GatheredDownloads()
    private var backOff = BackOff()
    private var backOffRule: ServerError.BackOff?

    /// The size limit of an upload, in bytes. An upload ends with the change that exceeds it (§2.7).
    private static let uploadLimit = 128 << 10

    init(
        _ ident: UInt64, path: String, _ store: any ClientStore, mayUpload: Bool,
        flexible: (any FlexibleClientStore)? = nil
    ) {
        self.ident = ident
        self.path = path
        self.store = store
        self.mayUpload = mayUpload
        subscriptions = flexible.map(SessionSubscriptions.init)
    }

    /// Whether the server has confirmed that the session is closed.
    var isGone: Bool { isClosed && phase == .unbound }

    var needsConnection: Bool { !isClosed && !isWaiting }

    private var mustUnbind: Bool {
        switch phase {
        case .waitingForIdent, .bound, .identified: isClosed || hasFailed
        case .unbound, .unbinding: false
        }
    }

    // MARK: Local events

    /// Applies or discards the bootstrap that an earlier session stored.
    mutating func begin(_ effects: inout [ClientEffect]) {
        guard let subscriptions else { return }
        do {
            guard let count = try subscriptions.store.beginSession() else { return }
            effects.append(.integrated(session: ident, entries: count))
            effects.append(.subscriptionsChanged(session: ident))
        } catch {
            stop(error, &effects)
        }
    }

    mutating func close() {
        isClosed = true
        store = nil
        subscriptions = nil
    }

    mutating func resume() { isWaiting = false }

    /// Call this when the connection was lost. Unanswered marks are requested again over the next one.
    mutating func disconnected() {
        phase = .unbound
        hasFailed = false
        cannotIntegrate = false
        report = nil
        sentMark = 0
        subscriptions?.disconnected()
    }

    /// Requests a mark, and returns its number. If several are unsent, only the last one is sent.
    mutating func requestMark() -> UInt64 {
        requestedMark += 1
        return requestedMark
    }

    // MARK: Sent messages

    /// Returns a message that unbinds a session. It precedes all other messages of the connection, because another
    /// session may use the same file.
    mutating func nextUnbind() -> ClientMessage? {
        guard mustUnbind else { return nil }
        phase = hasFailed ? .unbound : .unbinding
        sentMark = 0
        hasFailed = false
        cannotIntegrate = false
        report = nil
        subscriptions?.disconnected()
        return .unbind(session: ident)
    }

    /// Returns the next message to send, by the priority of §2.7.
    mutating func nextMessage() -> ClientMessage? {
        switch phase {
        case .unbound: return isClosed || isWaiting ? nil : bind()
        case .waitingForIdent, .unbinding: return nil
        case .bound: return identify()
        case .identified:
            if let report {
                self.report = nil
                // An escape has at most six bytes for one, so the message stays within `Wire.maxText`.
                let text = String(decoding: report.text.utf8.prefix(Wire.maxText / 8), as: UTF8.self)
                return .error(session: ident, code: report.code, ["message": .string(text)])
            }
            if requestedMark > max(answeredMark, sentMark) {
                sentMark = requestedMark
                return .mark(session: ident, request: requestedMark)
            }
            return cannotIntegrate || answeredMark == 0 ? nil : nextQuery() ?? (canUpload ? nextUpload() : nil)
        }
    }

    private var canUpload: Bool { mayUpload && subscriptions?.store.holdsUploads != true }

    /// Returns the next query, or the next upload of the changes committed before it. Changes committed after it follow
    /// the query, and so do reports of progress.
    private mutating func nextQuery() -> ClientMessage? {
        guard let pending = subscriptions?.nextQuery() else { return nil }
        if canUpload, let upload = nextUpload(before: pending) { return upload }
        subscriptions?.didSend(pending.query)
        requestedMark += 1
        return .query(session: ident, pending.query)
    }

    private mutating func bind() -> ClientMessage {
        let needsIdent = store?.state.file == nil
        phase = needsIdent ? .waitingForIdent : .bound
        return .bind(ClientMessage.Bind(session: ident, path: path, needsIdent: needsIdent))
    }

    private mutating func identify() -> ClientMessage? {
        guard let state = store?.state, let file = state.file else { return nil }
        phase = .identified
        sent = state.progress.upload
        scannedVersion = sent.clientVersion
        return .ident(
            ClientMessage.Ident(
                session: ident, file: file, download: state.progress.download, latest: state.progress.latest,
                query: subscriptions?.identify()))
    }

    /// - Parameter query: A query that limits the upload to the changes committed before it.
    private mutating func nextUpload(before query: PendingQuery? = nil) -> ClientMessage? {
        guard let store else { return nil }
        let state = store.state
        let end = min(state.newestVersion, query?.snapshotVersion ?? .max)
        let newest = UploadCursor(
            clientVersion: max(end, sent.clientVersion), serverVersion: state.progress.download.serverVersion)
        if query != nil, newest.clientVersion <= scannedVersion { return nil }
        guard newest.clientVersion > scannedVersion || newest.serverVersion > sent.serverVersion else { return nil }
        let batch = store.uploads(after: sent.clientVersion, limit: Self.uploadLimit)
        // The progress doesn't cover changes committed after `state` was read. They are sent later.
        let entries = batch.entries.filter { $0.clientVersion <= newest.clientVersion }
        scannedVersion = newest.clientVersion
        if batch.isComplete || entries.count < batch.entries.count {
            let isDue = !entries.isEmpty || query == nil && newest.serverVersion > sent.serverVersion
            guard isDue else { return nil }
            sent = newest
            // The changes after the query can be based on earlier versions than the newest one.
            if query != nil, entries.count < batch.entries.count, let last = entries.last {
                sent = UploadCursor(clientVersion: newest.clientVersion, serverVersion: last.serverVersion)
            }
        } else if let last = entries.last {
            sent = UploadCursor(clientVersion: last.clientVersion, serverVersion: last.serverVersion)
            scannedVersion = last.clientVersion
        }
        return .upload(
            ClientMessage.Upload(
                session: ident, progress: sent, lockedServerVersion: sent.serverVersion, entries: entries))
    }

    // MARK: Received messages

    /// - Throws: `ClientViolation` if the server may not send the message now.
    mutating func receive(
        _ message: ServerMessage, _ effects: inout [ClientEffect], _ random: inout any RandomNumberGenerator
    ) throws(ClientViolation) {
        switch message {
        case .unbound:
            guard phase == .unbinding else { throw ClientViolation("'unbound' was not requested") }
            phase = .unbound
        case .jsonError(_, let code, let error): try fail(ClientFailure(code: code, error), &effects, &random)
        case .error(_, let code, let canTryAgain, let text):
            // The message has no action, and never resets a client.
            let error = ServerError(text, .applicationBug, canTryAgain: canTryAgain)
            try fail(ClientFailure(code: code, error), &effects, &random)
        case .log(_, let json): effects.append(.log(session: ident, json))
        case .test: throw ClientViolation("a test was not requested")
        default:
            // The server sent this before it processed the unbinding.
            if phase == .unbinding { return }
            guard !hasFailed else { throw ClientViolation("a message follows the error of its session") }
            try receiveInOrder(message, &effects)
        }
    }

    private mutating func receiveInOrder(
        _ message: ServerMessage, _ effects: inout [ClientEffect]
    ) throws(ClientViolation) {
        switch message {
        case .ident(_, let file):
            guard phase == .waitingForIdent else { throw ClientViolation("an ident was not requested") }
            guard file.ident > 0, file.salt > 0 else { throw ClientViolation("a bad ident") }
            do {
                try store?.assign(file)
                phase = .bound
            } catch {
                phase = .bound
                stop(error, &effects)
            }
        case .download(let download):
            guard phase == .identified else { throw ClientViolation("a download comes before 'ident'") }
            if !cannotIntegrate { try gather(download, &effects) }
        case .mark(_, let request):
            // A server may answer only the newest of several pending marks, which covers the earlier ones (§2.7).
            guard phase == .identified, request > answeredMark, request <= sentMark else {
                throw ClientViolation("mark \(request) was not requested")
            }
            answeredMark = request
            if !cannotIntegrate { didReachMark(request, &effects) }
        case .queryError(_, _, let version, let text):
            guard phase == .identified, subscriptions?.wasSent(version) == true else {
                throw ClientViolation("query \(version) was not sent")
            }
            let isChanged = changeSubscriptions(&effects) { store throws(SessionError) in
                try store.reject(version, text)
            }
            guard isChanged || isClosed else { throw ClientViolation("query \(version) isn't pending") }
        default: throw ClientViolation("a message for flexible synchronisation")
        }
    }

    private mutating func didReachMark(_ request: UInt64, _ effects: inout [ClientEffect]) {
        changeSubscriptions(&effects) { store throws(SessionError) in try store.completeSet() }
        if !isClosed { effects.append(.marked(session: ident, request: request)) }
    }

    /// - Parameter body: Returns whether it changed the sets.
    @discardableResult
    private mutating func changeSubscriptions(
        _ effects: inout [ClientEffect], _ body: (any FlexibleClientStore) throws(SessionError) -> Bool
    ) -> Bool {
        guard let subscriptions else { return false }
        do {
            guard try body(subscriptions.store) else { return false }
            effects.append(.subscriptionsChanged(session: ident))
            return true
        } catch {
            stop(error, &effects)
            return false
        }
    }

    /// Ends the session because of an error of the file, which the server can't fix.
    private mutating func stop(_ error: SessionError, _ effects: inout [ClientEffect]) {
        close()
        effects.append(
            .failed(
                session: ident,
                ClientFailure(
                    code: error.code.rawValue, ServerError(error.message, .applicationBug, canTryAgain: false))))
    }

    /// Gathers a download. It is integrated before any other event of the session.
    private mutating func gather(
        _ download: ServerMessage.Download, _ effects: inout [ClientEffect]
    ) throws(ClientViolation) {
        guard let store else { return }
        let isBootstrap = download.stage.isBootstrap
        if case .flexible(let version, _, _) = download.stage {
            guard let subscriptions, subscriptions.wasSent(version), !isBootstrap || subscriptions.store.hasSet(version)
            else { throw ClientViolation("a download for query \(version), which was not sent") }
        }
        if isBootstrap { integrateGathered(&effects) }
        if cannotIntegrate { return }
        let state = store.state
        var progress = gathered.progress ?? state.progress
        do {
            try progress.take(download, ownIdent: state.file?.ident ?? 0, newestVersion: state.newestVersion)
        } catch {
            throw ClientViolation(error.message)
        }
        if isBootstrap { return bootstrap(download, progress, &effects) }
        do {
            try gathered.append(download, progress)
            if gathered.isFull { integrateGathered(&effects) }
        } catch {
            integrateGathered(&effects)
            if !cannotIntegrate { refuse(error, &effects) }
        }
    }

    private mutating func bootstrap(
        _ download: ServerMessage.Download, _ progress: ClientProgress, _ effects: inout [ClientEffect]
    ) {
        guard case .flexible(let version, let state, _) = download.stage else { return }
        let isLast = state == .lastOfBootstrap
        guard let isFirst = subscriptions?.startsBootstrap(version, isLast: isLast), let subscriptions else { return }
        let part = BootstrapPart(
            queryVersion: version, isFirst: isFirst, entries: download.entries, progress: isLast ? progress : nil)
        do {
            if let count = try subscriptions.store.receive(part) { didIntegrate(progress, entries: count, &effects) }
            effects.append(.subscriptionsChanged(session: ident))
        } catch {
            refuse(error, &effects)
        }
    }

    mutating func integrateGathered(_ effects: inout [ClientEffect]) {
        guard let store, gathered.progress != nil else { return }
        let outcome = gathered.integrate(into: store)
        if let progress = outcome.progress { didIntegrate(progress, entries: outcome.entryCount, &effects) }
        if let failure = outcome.failure { refuse(failure, &effects) }
    }

    private mutating func didIntegrate(
        _ progress: ClientProgress, entries: Int, _ effects: inout [ClientEffect]
    ) {
        backOff.reset()
        // Changes that the server received over an earlier connection aren't sent again.
        if progress.upload.clientVersion > sent.clientVersion {
            sent = progress.upload
            scannedVersion = max(scannedVersion, sent.clientVersion)
        }
        effects.append(.integrated(session: ident, entries: entries))
        for failure in subscriptions?.takeReports(through: progress.download.serverVersion) ?? [] {
            effects.append(.failed(session: ident, failure))
        }
    }

    /// Rejects all further downloads, and reports the reason to the server.
    private mutating func refuse(_ error: SessionError, _ effects: inout [ClientEffect]) {
        cannotIntegrate = true
        report = (error.code.rawValue, error.message)
        let failure = ClientFailure(
            code: error.code.rawValue, ServerError(error.message, .warning, canTryAgain: true))
        effects.append(.failed(session: ident, failure))
    }

    private mutating func fail(
        _ failure: ClientFailure, _ effects: inout [ClientEffect], _ random: inout any RandomNumberGenerator
    ) throws(ClientViolation) {
        guard SessionErrorCode.isForSessions(failure.code) else {
            throw ClientViolation("error \(failure.code) isn't a session error")
        }
        let isWarning =
            failure.code == SessionErrorCode.compensatingWrite.rawValue
            || failure.code == SessionErrorCode.schemaVersionChanged.rawValue
        // If both peers ended the session at once, the error counts as the confirmation.
        if phase == .unbinding, !isWarning {
            phase = .unbound
            return
        }
        guard phase != .unbound, !hasFailed else { throw ClientViolation("an error of a session that is not bound") }
        if try subscriptions?.hold(failure) == true { return }
        effects.append(.failed(session: ident, failure))
        if isWarning { return }
        hasFailed = true
        isWaiting = true
        guard failure.error.canTryAgain else { return }
        effects.append(.setTimer(.resume(session: ident), milliseconds: delay(failure, &random)))
    }

    private mutating func delay(_ failure: ClientFailure, _ random: inout any RandomNumberGenerator) -> UInt64 {
        if let rule = failure.error.backOff, rule != backOffRule {
            backOffRule = rule
            backOff = BackOff(rule)
        } else if failure.error.backOff == nil {
            if backOffRule != nil {
                backOffRule = nil
                backOff = BackOff()
            }
            if failure.code == SessionErrorCode.closed.rawValue { return 1000 }
        }
        return backOff.delay(&random)
    }
}

/// An error for a server that violates the protocol. The connection can't continue.
struct ClientViolation: Error {
    let message: String

    @inline(never) init(_ message: String) { self.message = message }
}

extension DownloadedChange {
    /// - Throws: `SessionError` with `badChangeset`.
    package init(_ entry: ServerMessage.Download.Entry) throws(SessionError) {
        do {
            self.init(
                serverVersion: entry.serverVersion, clientVersion: entry.clientVersion,
                order: ChangeOrder(timestamp: entry.timestamp, fileIdent: entry.origin),
                changeset: try Changeset(decoding: entry.changeset), originalSize: entry.originalSize)
        } catch {
            throw SessionError(.badChangeset, "\(error)")
        }
    }
}
