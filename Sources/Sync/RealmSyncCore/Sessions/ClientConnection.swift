// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A client's connection and its sessions, without socket and clock (§2). Call its functions for events, and execute
/// the effects that `takeEffects` returns, in order, before the next event.
///
/// It connects when a session needs it, reconnects after failures, and disconnects some time after the last session was
/// closed.
package struct ClientConnection {
    private enum Phase: Equatable {
        case idle
        case connecting
        case connected
        case waitingToReconnect
        case refreshing
        /// The server permanently rejected this client; waits for `retry()`.
        case ended
    }

    private let mode: SyncMode
    private let versions: ClosedRange<Int>
    private let limits: ClientTimeLimits
    private var random: any RandomNumberGenerator
    private var phase = Phase.idle
    /// The number of messages that the transport hasn't accepted yet.
    private var unsent = 0
    private var sessions: [ClientSession] = []
    private var lastIdent: UInt64 = 0
    private var backOff = BackOff()
    private var sentPing: UInt64?
    private var roundTrip: UInt64 = 0
    private var effects: [ClientEffect] = []

    /// - Parameters:
    ///   - mode: The kind of all sessions.
    ///   - versions: The offered versions of the protocol. Nil for all that are supported.
    package init(
        _ mode: SyncMode = .partition, versions: ClosedRange<Int>? = nil,
        limits: ClientTimeLimits = ClientTimeLimits(), random: any RandomNumberGenerator
    ) {
        self.mode = mode
        self.versions = versions ?? mode.clientVersions
        self.limits = limits
        self.random = random
    }

    package var offers: [String] { mode.offers(versions) }

    package var isConnected: Bool { phase == .connected }

    package mutating func takeEffects() -> [ClientEffect] {
        defer { effects.removeAll(keepingCapacity: true) }
        return effects
    }

    // MARK: Sessions

    /// Opens a session for a file, and returns its number. No other session of this file may be open; a closed one may
    /// still be unbinding.
    ///
    /// - Parameters:
    ///   - store: A `FlexibleClientStore` on a flexible connection.
    ///   - path: The partition value (`PartitionValue.path`), or the purpose of the session (`SessionPurpose.path`).
    ///   - mayUpload: `false` for the copy that a client reset downloads.
    package mutating func open(_ store: any ClientStore, path: String, mayUpload: Bool = true) -> UInt64 {
        lastIdent += 1
        let flexible = mode == .flexible ? store as? any FlexibleClientStore : nil
        precondition(mode == .partition || flexible != nil, "the store has no subscriptions")
        var session = ClientSession(lastIdent, path: path, store, mayUpload: mayUpload, flexible: flexible)
        session.begin(&effects)
        sessions.append(session)
        effects.append(.cancelTimer(.linger))
        wantConnection()
        pump()
        return lastIdent
    }

    /// Closes a session. The effect `closed` follows when the server acknowledges it or the connection is lost.
    package mutating func close(_ session: UInt64) {
        change(session) { $0.close() }
        effects.append(.cancelTimer(.resume(session: session)))
        pump()
    }

    /// Requests a mark. It is reached when all the server's current data is integrated. Returns the number that the
    /// `marked` effect will have or exceed.
    package mutating func requestMark(_ session: UInt64) -> UInt64? {
        let request = change(session) { $0.requestMark() }
        pump()
        return request
    }

    /// Call this when a file has a new durable version.
    package mutating func didCommit() { pump() }

    /// Binds a session that waits after an error, skipping the remaining delay.
    package mutating func resume(_ session: UInt64) {
        effects.append(.cancelTimer(.resume(session: session)))
        change(session) { $0.resume() }
        wantConnection()
        pump()
    }

    /// Connects immediately, for example when the network is available again or a permanent error is fixed.
    package mutating func retry() {
        guard phase == .waitingToReconnect || phase == .ended else { return }
        effects.append(.cancelTimer(.reconnect))
        backOff.reset()
        phase = .idle
        wantConnection()
    }

    @discardableResult
    private mutating func change<Result>(_ session: UInt64, _ body: (inout ClientSession) -> Result) -> Result? {
        sessions.firstIndex { $0.ident == session && !$0.isClosed }.map { body(&sessions[$0]) }
    }

    // MARK: Transport

    package mutating func didConnect(_ name: String?) {
        guard phase == .connecting else { return }
        effects.append(.cancelTimer(.connect))
        guard let name, offers.contains(name) else {
            return end(ServerError("the server chose a sub-protocol that was not offered", .applicationBug))
        }
        phase = .connected
        unsent = 0
        sentPing = nil
        effects.append(.setTimer(.settled, milliseconds: limits.settled))
        effects.append(.setTimer(.ping, milliseconds: UInt64.random(in: 0...limits.ping, using: &random)))
        pump()
    }

    /// Call this when the transport was lost or couldn't be opened.
    package mutating func didDisconnect(_ reason: ClientDisconnection) {
        guard phase == .connecting || phase == .connected else { return }
        leave()
        switch reason {
        case .retry: wait()
        case .refreshUser, .refreshLocation:
            phase = .refreshing
            effects.append(.refresh(location: reason == .refreshLocation))
        case .clientReset:
            report(ServerError("a message was too big for the server", .clientReset))
            wait()
        case .logOut: end(ServerError("the server refused the user", .logOutUser))
        case .fatal(let text): end(ServerError(text, .applicationBug))
        }
    }

    package mutating func didRefresh() {
        guard phase == .refreshing else { return }
        phase = .idle
        wantConnection()
    }

    /// Call this when the transport accepted the last message and can accept another one.
    package mutating func didSend() {
        guard unsent > 0 else { return }
        unsent -= 1
        pump()
    }

    package mutating func fire(_ timer: ClientTimer, now: UInt64) {
        switch timer {
        case .connect, .pong:
            guard phase == .connecting || phase == .connected else { return }
            drop()
        case .reconnect:
            guard phase == .waitingToReconnect else { return }
            phase = .idle
            wantConnection()
        case .settled: backOff.reset()
        case .ping: ping(now)
        case .linger:
            guard phase == .connected, sessions.isEmpty else { return }
            effects.append(.disconnect)
            leave()
        case .resume(let session):
            change(session) { $0.resume() }
            wantConnection()
            pump()
        }
    }

    private mutating func ping(_ now: UInt64) {
        guard phase == .connected, sentPing == nil else { return }
        sentPing = now
        // The ping bypasses the queue, because it has to reach the server in time.
        send(.ping(timestamp: now, roundTrip: roundTrip))
        effects.append(.setTimer(.pong, milliseconds: limits.pong))
    }

    private mutating func wantConnection() {
        guard phase == .idle, sessions.contains(where: \.needsConnection) else { return }
        phase = .connecting
        effects.append(.connect)
        effects.append(.setTimer(.connect, milliseconds: limits.connect))
    }

    private mutating func leave() {
        phase = .idle
        unsent = 0
        for timer in [ClientTimer.connect, .settled, .ping, .pong, .linger] { effects.append(.cancelTimer(timer)) }
        for index in sessions.indices { sessions[index].disconnected() }
        removeGone()
    }

    private mutating func drop(_ rule: ServerError.BackOff? = nil) {
        effects.append(.disconnect)
        leave()
        wait(rule)
    }

    private mutating func wait(_ rule: ServerError.BackOff? = nil) {
        phase = .waitingToReconnect
        var stated = rule.map(BackOff.init)
        let delay = stated?.delay(&random) ?? backOff.delay(&random)
        effects.append(.setTimer(.reconnect, milliseconds: delay))
    }

    private mutating func end(_ error: ServerError) {
        effects.append(.disconnect)
        leave()
        phase = .ended
        report(error)
    }

    private mutating func report(_ error: ServerError, code: Int = ConnectionErrorCode.other.rawValue) {
        effects.append(.failed(session: nil, ClientFailure(code: code, error)))
    }

    // MARK: Messages

    package mutating func receive(_ bytes: [UInt8], now: UInt64) { receive([bytes], now: now) }

    /// Processes messages in the order of arrival. Consecutive downloads become one version of their file.
    package mutating func receive(_ messages: [[UInt8]], now: UInt64) {
        do {
            for bytes in messages where phase == .connected {
                try receive(try ServerMessage(bytes, mode: mode), now)
            }
            integrateGathered()
            guard phase == .connected else { return }
            removeGone()
            pump()
        } catch let error as WireError {
            violated(error.message, error.code.rawValue)
        } catch let error as ClientViolation {
            violated(error.message, ConnectionErrorCode.outOfOrder.rawValue)
        } catch {
            preconditionFailure("messages throw nothing else")
        }
    }

    private mutating func integrateGathered() {
        for index in sessions.indices { sessions[index].integrateGathered(&effects) }
    }

    private mutating func violated(_ text: String, _ code: Int) {
        integrateGathered()
        report(ServerError(text, .protocolViolation, canTryAgain: true), code: code)
        drop()
    }

    private mutating func receive(_ message: ServerMessage, _ now: UInt64) throws(ClientViolation) {
        if case .download = message {} else { integrateGathered() }
        switch message {
        case .pong(let timestamp):
            guard timestamp == sentPing else { throw ClientViolation("an unrequested pong") }
            sentPing = nil
            roundTrip = now - min(now, timestamp)
            effects.append(.cancelTimer(.pong))
            effects.append(
                .setTimer(
                    .ping, milliseconds: limits.ping - UInt64.random(in: 0...(limits.ping / 10), using: &random)))
        case .jsonError(0, let code, let error): try fail(code, error)
        case .error(0, let code, let canTryAgain, let text):
            try fail(code, ServerError(text, .applicationBug, canTryAgain: canTryAgain))
        case .log(0, let json): effects.append(.log(session: nil, json))
        default:
            guard let index = sessions.firstIndex(where: { $0.ident == message.session }) else {
                throw ClientViolation("there is no session \(message.session)")
            }
            try sessions[index].receive(message, &effects, &random)
        }
    }

    private mutating func fail(_ code: Int, _ error: ServerError) throws(ClientViolation) {
        guard ConnectionErrorCode(rawValue: code) != nil else {
            throw ClientViolation("error \(code) isn't a connection error")
        }
        if error.action != .transient { report(error, code: code) }
        if error.canTryAgain {
            drop(error.backOff)
        } else {
            effects.append(.disconnect)
            leave()
            phase = .ended
        }
    }

    private mutating func removeGone() {
        for session in sessions where session.isGone { effects.append(.closed(session: session.ident)) }
        sessions.removeAll(where: \.isGone)
        if phase == .connected, sessions.isEmpty {
            effects.append(.setTimer(.linger, milliseconds: limits.linger))
        }
    }

    private mutating func send(_ message: ClientMessage) {
        unsent += 1
        effects.append(.send(message.encoded()))
    }

    private mutating func pump() {
        guard phase == .connected, unsent == 0 else {
            removeGone()
            return
        }
        var next: ClientMessage?
        for index in sessions.indices where next == nil { next = sessions[index].nextUnbind() }
        for index in sessions.indices where next == nil {
            next = sessions[index].nextMessage()
            // Move the session to the end, for fairness.
            if next != nil { sessions.append(sessions.remove(at: index)) }
        }
        removeGone()
        guard let next else { return }
        send(next)
    }
}

extension ServerError {
    fileprivate init(_ message: String, _ action: Action) { self.init(message, action, canTryAgain: false) }
}
