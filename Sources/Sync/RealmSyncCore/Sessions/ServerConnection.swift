// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

struct ServerConnection {
    let mode: SyncMode
    /// The negotiated version of the protocol.
    private let version: Int
    private(set) var sessions: [ServerSession] = []
    /// The number of messages that the transport hasn't accepted yet.
    private var unsent = 0
    private var pongs = MessageQueue<UInt64>()
    private var unansweredOfSessions = 0
    /// The partitions to which its sessions are or were bound.
    private(set) var boundStores: Set<ObjectIdentifier> = []
    /// The long work that a session requires. No session is asked for messages until it's taken.
    private var dueIntegration: UploadIntegration?

    init(_ mode: SyncMode, version: Int) { (self.mode, self.version) = (mode, version) }

    mutating func didSend() { unsent = max(0, unsent - 1) }

    /// The number of unanswered pings, marks and tests of the client.
    var unansweredCount: Int { pongs.count + unansweredOfSessions }

    private mutating func change<Result, Failure>(
        _ index: Int, _ body: (inout ServerSession) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unansweredOfSessions -= sessions[index].unansweredCount
        defer {
            unansweredOfSessions += sessions[index].unansweredCount
            if let integration = sessions[index].takeLongIntegration() {
                integration.session.session = sessions[index].ident
                dueIntegration = integration
            }
        }
        return try body(&sessions[index])
    }

    // MARK: Messages

    /// Processes a message for a session. Returns the partition whose sessions may have messages to send.
    ///
    /// - Parameters:
    ///   - user: The user of the connection.
    ///   - find: Returns the partition of a path, and whether the connection may only read it.
    mutating func receive(
        _ message: ClientMessage, _ limits: ServerLimits, user: String,
        _ find: (String) throws(SessionError) -> (store: any PartitionStore, isReadOnly: Bool)
    ) throws(ServerViolation) -> (any PartitionStore)? {
        switch message {
        case .ping(let timestamp, _):
            pongs.append(timestamp)
            return nil
        case .bind(let bind):
            try self.bind(bind, limits, user: user, find)
            return nil
        default:
            guard let index = sessions.firstIndex(where: { $0.ident == message.session }) else {
                throw ServerViolation(.badSession, "there is no session \(message.session)")
            }
            try change(index) { session throws(ServerViolation) in try session.receive(message) }
            if case .ident = message { try requireUnique(sessions[index]) }
            if case .upload = message { return sessions[index].store }
            return nil
        }
    }

    private mutating func bind(
        _ bind: ClientMessage.Bind, _ limits: ServerLimits, user: String,
        _ find: (String) throws(SessionError) -> (store: any PartitionStore, isReadOnly: Bool)
    ) throws(ServerViolation) {
        guard bind.session > 0 else { throw ServerViolation(.badSession, "a session cannot be 0") }
        guard !sessions.contains(where: { $0.ident == bind.session }) else {
            throw ServerViolation(.sessionReused, "session \(bind.session) is bound")
        }
        guard sessions.count < limits.sessionsPerConnection else {
            throw ServerViolation(.other, "a connection cannot have more than \(limits.sessionsPerConnection) sessions")
        }
        do {
            let (store, isReadOnly) = try find(bind.path)
            sessions.append(
                try ServerSession(
                    bind.session, store, mode, version: version, needsIdent: bind.needsIdent, isReadOnly: isReadOnly,
                    user: user, mode == .flexible ? FlexibleBind(path: bind.path) : nil))
        } catch {
            sessions.append(ServerSession(bind.session, NoPartition(), error))
        }
    }

    private func requireUnique(_ session: ServerSession) throws(ServerViolation) {
        guard let file = session.fileIdent else { return }
        let isOther = sessions.contains {
            $0.ident != session.ident && $0.fileIdent == file && $0.store === session.store
        }
        if isOther { throw ServerViolation(.fileAlreadyBound, "client file \(file) is bound by another session") }
    }

    func touchFiles() {
        for session in sessions where !session.store.isBusy {
            if let file = session.fileIdent { _ = session.store.file(file) }
        }
    }

    var stores: some Sequence<ObjectIdentifier> { sessions.lazy.map { ObjectIdentifier($0.store) } }

    var isWaiting: Bool { sessions.contains { $0.store.isBusy } }

    mutating func takeIntegration() -> UploadIntegration? {
        defer { dueIntegration = nil }
        return dueIntegration
    }

    mutating func finish(_ integration: UploadIntegration) {
        guard let index = sessions.firstIndex(where: { $0.ident == integration.session.session }) else { return }
        sessions[index].finish(integration)
    }

    func isBound(_ file: UInt64, _ store: any PartitionStore) -> Bool {
        sessions.contains { $0.fileIdent == file && $0.store === store }
    }

    mutating func noteStore(of session: UInt64) -> ObjectIdentifier? {
        guard let session = sessions.first(where: { $0.ident == session }) else { return nil }
        boundStores.insert(ObjectIdentifier(session.store))
        return ObjectIdentifier(session.store)
    }

    func file(_ session: UInt64) -> (ident: UInt64, store: any PartitionStore)? {
        guard let session = sessions.first(where: { $0.ident == session }), let file = session.fileIdent else {
            return nil
        }
        return (file, session.store)
    }

    mutating func fail(_ session: UInt64, _ code: Int, _ error: ServerError) {
        if let index = sessions.firstIndex(where: { $0.ident == session }) { change(index) { $0.fail(code, error) } }
    }

    mutating func fail(in store: any PartitionStore, _ error: SessionError) {
        for index in sessions.indices where sessions[index].store === store { change(index) { $0.fail(error) } }
    }

    mutating func nextMessage(_ limits: ServerLimits) -> ServerMessage? {
        guard unsent == 0 else { return nil }
        guard let message = nextPong() ?? nextOfSession(limits) else { return nil }
        unsent += 1
        return message
    }

    private mutating func nextPong() -> ServerMessage? {
        pongs.popFirst().map { .pong(timestamp: $0) }
    }

    private mutating func nextOfSession(_ limits: ServerLimits) -> ServerMessage? {
        for index in sessions.indices {
            guard dueIntegration == nil else { return nil }
            guard !sessions[index].store.isBusy, let message = change(index, { $0.nextMessage(limits) }) else {
                continue
            }
            // Move the session to the end, for fairness.
            sessions.append(sessions.remove(at: index))
            sessions.removeAll(where: \.isGone)
            return message
        }
        sessions.removeAll(where: \.isGone)
        return nil
    }
}

/// A placeholder for a session that couldn't be bound.
private final class NoPartition: PartitionStore {
    let newest = SaltedVersion()
    func salt(of version: UInt64) -> UInt64? { nil }
    func file(_ ident: UInt64) -> KnownFile? { nil }
    func addFile() throws(SessionError) -> SaltedIdent { throw SessionError(.illegalPartition, "no partition") }
    func integrate(_ changes: [UploadedChange], from ident: UInt64) throws(SessionError) {
        throw SessionError(.illegalPartition, "no partition")
    }
    func advance(_ ident: UInt64, to cursor: UploadCursor) {}
    func downloads(for ident: UInt64, after version: UInt64, limit: Int) -> DownloadBatch {
        DownloadBatch(entries: [], cursor: DownloadCursor(), remainingBytes: 0)
    }
}
