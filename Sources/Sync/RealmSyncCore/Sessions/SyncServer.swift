// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A server of partitions with its connections, without sockets and clock (§2). Call its functions for events, and
/// execute the effects that `takeEffects` returns.
///
/// A message may acknowledge the integration of changes. So make the partitions durable before you execute the effects,
/// and execute none of them if that fails.
package struct SyncServer {
    private let directory: any PartitionDirectory
    private let limits: ServerLimits
    private var connections: [UInt64: ServerConnection] = [:]
    /// The connections bound to each partition, so that a change is sent without a search of all connections.
    private var bound: [ObjectIdentifier: BoundConnections] = [:]
    private var busyStores: Set<ObjectIdentifier> = []
    /// The connections that may have messages to send, but wait for a busy partition.
    private var waiting: Set<UInt64> = []
    private var rounds = SessionRounds()
    private var effects: [ServerEffect] = []

    /// The supported versions. Of their differences, only that of version 14 matters to the server: clients accept new
    /// bootstraps of their queries.
    package static let versions = 8...14

    package init(_ directory: any PartitionDirectory, _ limits: ServerLimits = ServerLimits()) {
        self.directory = directory
        self.limits = limits
    }

    package mutating func takeEffects() -> [ServerEffect] {
        defer { effects.removeAll(keepingCapacity: true) }
        return effects
    }

    // MARK: Connections

    /// Accepts a connection. Returns the sub-protocol for its upgrade, one of those that the client offers. Returns nil
    /// if none is supported.
    package mutating func accept(_ connection: UInt64, offers: [String]) -> String? {
        guard let (mode, version) = SyncMode.negotiate(offers, versions: SyncServer.versions) else { return nil }
        connections[connection] = ServerConnection(mode, version: version)
        effects.append(.setTimer(connection: connection, milliseconds: limits.silence))
        return "\(mode.protocolName)#\(version)"
    }

    package mutating func didDisconnect(_ connection: UInt64) { forget(connection) }

    private mutating func forget(_ connection: UInt64) {
        waiting.remove(connection)
        for store in connections.removeValue(forKey: connection)?.boundStores ?? [] {
            bound[store]?.connections.remove(connection)
            if bound[store]?.connections.isEmpty == true { bound[store] = nil }
        }
    }

    package mutating func didSend(_ connection: UInt64) {
        connections[connection]?.didSend()
        pump(connection)
    }

    package func unansweredCount(_ connection: UInt64) -> Int { connections[connection]?.unansweredCount ?? 0 }

    package mutating func fireSilence(_ connection: UInt64) {
        if connections[connection] != nil { close(connection) }
    }

    private mutating func close(_ connection: UInt64) {
        forget(connection)
        effects.append(.close(connection: connection))
    }

    package func isConnected(_ connection: UInt64) -> Bool { connections[connection] != nil }

    package var connectionCount: Int { connections.count }

    /// The bound files of all connections, in no order.
    package var reports: [SessionReport] {
        connections.flatMap { connection, state in state.sessions.compactMap { SessionReport($0, of: connection) } }
    }

    // MARK: Messages

    package mutating func receive(_ bytes: [UInt8], from connection: UInt64) {
        guard let mode = connections[connection]?.mode else { return }
        effects.append(.setTimer(connection: connection, milliseconds: limits.silence))
        do {
            guard bytes.count <= limits.message else { throw WireError(.limitsExceeded, "a message is too long") }
            try receive(try ClientMessage(bytes, mode: mode, limit: limits.message), connection)
        } catch let error as WireError {
            violated(ServerViolation(error), connection)
        } catch let error as ServerViolation {
            violated(error, connection)
        } catch {
            preconditionFailure("messages throw nothing else")
        }
    }

    private mutating func receive(_ message: ClientMessage, _ connection: UInt64) throws(ServerViolation) {
        let directory = directory
        var move: SessionError?
        if case .bind(let bind) = message, let mode = connections[connection]?.mode {
            move = directory.move(bind.path, of: mode, connection: connection)
            if move == nil { try requireMode(mode, of: connection) }
        }
        let user = directory.user(of: connection)
        let changed = try connections[connection]?.receive(message, limits, user: user) { path throws(SessionError) in
            if let move { throw move }
            let store = try directory.partition(path, connection: connection)
            return (store, directory.isReadOnly(path, connection: connection))
        }
        if case .bind(let bind) = message { note(bind.session, of: connection) }
        if case .ident(let ident) = message { dropOlder(connection, ident.session) }
        startIntegration(connection)
        if let changed { didChange(changed) }
        pump(connection)
    }

    /// An app has partitions, or it's flexible (§5.7).
    private func requireMode(_ mode: SyncMode, of connection: UInt64) throws(ServerViolation) {
        switch (mode, directory.mode(of: connection)) {
        case (.partition, .flexible): throw ServerViolation(.useFlexible, "this app has flexible sync")
        case (.flexible, .partition): throw ServerViolation(.usePartition, "this app has partitions")
        default: break
        }
    }

    // MARK: Integration on another thread

    /// Marks a partition as busy. It isn't accessed until `setFree` is called.
    package mutating func setBusy(_ store: any PartitionStore) {
        store.isBusy = true
        busyStores.insert(ObjectIdentifier(store))
    }

    package mutating func setFree(_ store: any PartitionStore) {
        store.isBusy = false
        busyStores.remove(ObjectIdentifier(store))
        let due = waiting.intersection(bound[ObjectIdentifier(store)]?.connections ?? [])
        waiting.subtract(due)
        pump(due.sorted(), of: store)
        didChange(store)
    }

    private mutating func startIntegration(_ connection: UInt64) {
        guard let integration = connections[connection]?.takeIntegration() else { return }
        integration.session.connection = connection
        setBusy(integration.store)
        effects.append(.integrate(integration))
    }

    package mutating func finish(_ integration: UploadIntegration) {
        connections[integration.session.connection]?.finish(integration)
        setFree(integration.store)
        pump(integration.session.connection)
    }

    /// Whether the connection's messages have to wait, because another thread is using one of its partitions, or
    /// because sessions of such a partition haven't been asked for the messages of earlier changes.
    package func isWaiting(_ connection: UInt64) -> Bool {
        isBusy(connection)
            || !rounds.isEmpty && connections[connection]?.stores.contains(where: rounds.holds) == true
    }

    private func isBusy(_ connection: UInt64) -> Bool {
        !busyStores.isEmpty && connections[connection]?.isWaiting == true
    }

    // MARK: Rounds

    /// Whether `runRound` has something to do.
    package var isRoundDue: Bool { rounds.isDue(except: busyStores) }

    /// Asks the sessions of a round for messages. So a change that concerns many sessions of one partition doesn't
    /// delay other partitions for long.
    ///
    /// - Returns: Whether messages that had to wait can be received now.
    package mutating func runRound() -> Bool {
        guard let limit = limits.round, isRoundDue else { return false }
        let before = rounds.count
        for connection in rounds.take(limit, except: busyStores) { pump(connection) }
        return rounds.count < before
    }

    /// Asks connections of a partition for messages, in rounds if there are many.
    private mutating func pump(_ connections: [UInt64], of store: any PartitionStore) {
        if let limit = limits.round, connections.count > limit {
            rounds.add(connections, of: ObjectIdentifier(store))
        } else {
            for connection in connections { pump(connection) }
        }
    }

    // MARK: Stores of several nodes

    /// Returns the store of a session.
    package func store(of session: UInt64, of connection: UInt64) -> (any PartitionStore)? {
        connections[connection]?.sessions.first { $0.ident == session }?.store
    }

    /// Closes the connections of a store whose latest changes may not be durable, and discards the messages that may
    /// depend on them.
    ///
    /// - Returns: The closed connections.
    @discardableResult
    package mutating func drop(_ store: any PartitionStore) -> Set<UInt64> {
        let dropped = bound[ObjectIdentifier(store)]?.connections ?? []
        for connection in dropped.sorted() { close(connection) }
        store.isBusy = false
        busyStores.remove(ObjectIdentifier(store))
        rounds.remove(ObjectIdentifier(store))
        effects.removeAll {
            switch $0 {
            // A connection that has ended meanwhile may have used the store.
            case .send(let connection, _): connections[connection] == nil
            case .integrate(let integration): integration.store === store
            default: false
            }
        }
        return dropped
    }

    /// Closes the connections with sessions of files that now have sessions at another node.
    package mutating func closeSessions(of files: Set<UInt64>, in store: any PartitionStore) {
        guard let bound = bound[ObjectIdentifier(store)] else { return }
        for file in files.sorted() {
            if let older = bound.files[file], connections[older]?.isBound(file, store) == true { close(older) }
        }
    }

    private mutating func note(_ session: UInt64, of connection: UInt64) {
        guard let store = connections[connection]?.noteStore(of: session) else { return }
        bound[store, default: BoundConnections()].connections.insert(connection)
    }

    /// A file has one session. The connection of an older one is presumed dead.
    private mutating func dropOlder(_ connection: UInt64, _ session: UInt64) {
        guard let (file, store) = connections[connection]?.file(session) else { return }
        let older = bound[ObjectIdentifier(store)]?.files.updateValue(connection, forKey: file)
        if let older, older != connection, connections[older]?.isBound(file, store) == true { close(older) }
    }

    /// Sends changes to the connections that they concern.
    package mutating func didChange(_ store: any PartitionStore) {
        guard let bound = bound[ObjectIdentifier(store)], !store.isBusy else { return }
        guard let files = store.takeConcernedFiles(), !bound.isRoundDue(store.newest.version) else {
            return pumpAll(store)
        }
        pump(files.sorted().compactMap { bound.files[$0] }, of: store)
    }

    /// Sends whatever the sessions of a partition have to send.
    package mutating func pumpAll(_ store: any PartitionStore) {
        bound[ObjectIdentifier(store)]?.lastRound = store.newest.version
        pump((bound[ObjectIdentifier(store)]?.connections ?? []).sorted(), of: store)
    }

    package func isBound(_ store: any PartitionStore) -> Bool { bound[ObjectIdentifier(store)] != nil }

    /// Marks the files of all connections as active in their partitions, so that silent files don't expire.
    package func touchFiles() {
        for connection in connections.values { connection.touchFiles() }
    }

    package mutating func fail(_ session: UInt64, of connection: UInt64, _ error: SessionError) {
        fail(session, of: connection, code: error.code.rawValue, error.serverError)
    }

    /// - Parameters:
    ///   - code: One of `SessionErrorCode`, or one unknown to clients, which then follow the action.
    package mutating func fail(_ session: UInt64, of connection: UInt64, code: Int, _ error: ServerError) {
        connections[connection]?.fail(session, code, error)
        pump(connection)
    }

    /// Ends the sessions of a user.
    package mutating func fail(sessionsOf user: String, in store: any PartitionStore, _ error: SessionError) {
        for connection in (bound[ObjectIdentifier(store)]?.connections ?? []).sorted() {
            guard Text(directory.user(of: connection)) == Text(user) else { continue }
            connections[connection]?.fail(in: store, error)
            pump(connection)
        }
    }

    private mutating func violated(_ violation: ServerViolation, _ connection: UInt64) {
        effects.append(.log(connection: connection, violation.message))
        let isMode = violation.code == .usePartition || violation.code == .useFlexible
        let error = ServerError(
            violation.message, isMode ? .applicationBug : .protocolViolation, canTryAgain: !isMode)
        let message = ServerMessage.jsonError(session: 0, code: violation.code.rawValue, error)
        effects.append(.send(connection: connection, message.encoded()))
        close(connection)
    }

    private mutating func pump(_ connection: UInt64) {
        let message = connections[connection]?.nextMessage(limits)
        startIntegration(connection)
        guard let message else {
            if isBusy(connection) { waiting.insert(connection) }
            return
        }
        effects.append(.send(connection: connection, message.encoded()))
        if case .jsonError(_, let code, _) = message {
            effects.append(.sessionError(connection: connection, code: code))
        }
    }
}

/// The connections bound to a partition.
private struct BoundConnections {
    var connections: Set<UInt64> = []
    /// The connection that last bound a file, which may be gone.
    var files: [UInt64: UInt64] = [:]
    /// The newest version when all sessions could send. The cursors of files without changes advance then.
    var lastRound: UInt64 = 0

    func isRoundDue(_ newest: UInt64) -> Bool { newest > lastRound + ServerSubscriptions.maxSilentVersions / 2 }
}
