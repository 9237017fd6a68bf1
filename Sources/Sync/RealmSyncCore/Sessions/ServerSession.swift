// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// One client file on a connection, as the server has it. As a client's session it says what it has to send when it is
/// asked.
struct ServerSession {
    private enum Phase {
        /// It has still to be told its ident.
        case identDue(SaltedIdent)
        case waitingForIdent
        case identified
        /// The server has given up on it, and says nothing more until it is unbound.
        case failed
    }

    let ident: UInt64
    let store: any PartitionStore
    private let isReadOnly: Bool
    private var phase: Phase
    private(set) var fileIdent: UInt64?
    private var progress = ServerProgress()
    /// The file has all up to here, or was sent it.
    private var cursor = DownloadCursor()
    /// Whether a download is due though there may be nothing to download: the first one, and acknowledgements.
    private var mustSend = false
    /// Marks with the version that has to be sent before.
    private var marks = MessageQueue<(request: UInt64, version: UInt64)>()
    private var tests = MessageQueue<UInt64>()
    private var error: (code: Int, error: ServerError)?
    private var longIntegration: UploadIntegration?
    private var isPaused = false
    private var isUnbound = false
    private(set) var isGone = false

    init(
        _ ident: UInt64, _ store: any PartitionStore, needsIdent: Bool, isReadOnly: Bool
    ) throws(SessionError) {
        self.ident = ident
        self.store = store
        self.isReadOnly = isReadOnly
        phase = needsIdent ? .identDue(try store.addFile()) : .waitingForIdent
    }

    /// A session that could not be bound.
    init(_ ident: UInt64, _ store: any PartitionStore, _ error: SessionError) {
        self.ident = ident
        self.store = store
        isReadOnly = true
        phase = .waitingForIdent
        fail(error)
    }

    /// Ends it: the client is told, and unbinds.
    mutating func fail(_ error: SessionError) {
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

    /// The marks and tests that the client was not answered yet.
    var unansweredCount: Int { marks.count + tests.count }

    // MARK: What it receives

    /// - Throws: `ServerViolation` if the client may not send this now.
    mutating func receive(_ message: ClientMessage) throws(ServerViolation) {
        if case .unbind = message {
            isUnbound = true
            fileIdent = nil
            marks.removeAll()
            tests.removeAll()
            return
        }
        guard !isUnbound else { throw ServerViolation(.outOfOrder, "a message follows 'unbind'") }
        // What the client sent before it was told.
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
        case (.mark(_, let request), .identified): marks.append((request, store.newest.version))
        // It could not take a download: what it has is not what the server believes.
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
        cursor = ident.download
        mustSend = true
        phase = .identified
    }

    private mutating func take(_ upload: ClientMessage.Upload) throws(SessionError) {
        guard let fileIdent else { return }
        try requireKnown(fileIdent)
        let integration = UploadIntegration(
            try progress.take(upload), of: fileIdent, into: store, isReadOnly: isReadOnly)
        guard !integration.isLong else { return longIntegration = integration }
        integration.run()
        try require(integration)
    }

    /// The integration of the upload that it has just received, which another thread should run; `nil` if there is
    /// none.
    mutating func takeLongIntegration() -> UploadIntegration? {
        defer { longIntegration = nil }
        return longIntegration
    }

    /// Acknowledges an upload that another thread has integrated.
    mutating func finish(_ integration: UploadIntegration) {
        do throws(SessionError) { try require(integration) } catch { fail(error) }
    }

    private mutating func require(_ integration: UploadIntegration) throws(SessionError) {
        guard let fileIdent else { return }
        if let failure = integration.failure { throw failure }
        store.advance(fileIdent, to: progress.upload)
        mustSend = true
    }

    /// It may have been forgotten while it was bound: its connection seemed dead.
    private func requireKnown(_ file: UInt64) throws(SessionError) {
        guard store.file(file)?.isExpired == false else {
            throw SessionError(.fileExpired, "client file \(file) was away for too long")
        }
    }

    /// What the vendor's tests make servers do.
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

    // MARK: What it sends

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
        case .identified: return nextDownload(limits) ?? nextMark()
        }
    }

    private mutating func nextDownload(_ limits: ServerLimits) -> ServerMessage? {
        let newest = store.newest
        guard let fileIdent, mustSend || newest.version > cursor.serverVersion && !isPaused else { return nil }
        do { try requireKnown(fileIdent) } catch {
            fail(error)
            return nextMessage(limits)
        }
        var batch = DownloadBatch(entries: [], cursor: cursor, remainingBytes: 0)
        if !isPaused {
            batch = store.downloads(for: fileIdent, after: cursor.serverVersion, limit: limits.download)
        }
        // Versions of which nothing is left move the cursor too.
        mustSend = false
        cursor.serverVersion = batch.cursor.serverVersion
        cursor.clientVersion = max(cursor.clientVersion, batch.cursor.clientVersion)
        progress.send(through: cursor.serverVersion)
        return .download(
            ServerMessage.Download(
                session: ident, download: cursor, latest: newest, upload: progress.upload,
                stage: .partition(downloadableBytes: batch.remainingBytes), entries: batch.entries))
    }

    private mutating func nextMark() -> ServerMessage? {
        guard let mark = marks.first, cursor.serverVersion >= mark.version else { return nil }
        _ = marks.popFirst()
        return .mark(session: ident, request: mark.request)
    }
}

/// A client breaks the protocol: its connection cannot go on.
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
    /// - Throws: `SessionError` with `badChangeset` if no database could take it.
    package init(_ entry: ClientMessage.Upload.Entry, from fileIdent: UInt64) throws(SessionError) {
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
            originalSize: entry.changeset.count)
    }
}

extension UploadedChange {
    /// Takes the changes of a client that may only read. Each client sends its schema before it knows the server's:
    /// that is no offence, and has no effect.
    ///
    /// - Throws: `SessionError` with `writeNotAllowed` if there is anything else.
    mutating func requireNothingWritten() throws(SessionError) {
        let isSchemaAlone = changeset.instructions.allSatisfy {
            switch $0 {
            case .addTable, .addColumn: true
            default: false
            }
        }
        guard isSchemaAlone else { throw SessionError(.writeNotAllowed, "the user may only read this partition") }
        self = UploadedChange(
            clientVersion: clientVersion, serverVersion: serverVersion, order: order, changeset: Changeset(),
            originalSize: originalSize)
    }
}
