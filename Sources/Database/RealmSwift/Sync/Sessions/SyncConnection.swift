// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Foundation
import RealmRuntime
import RealmSyncCore

/// The events of a connection that concern one of its sessions. Called on the connection's queue.
protocol SyncConnectionSession: AnyObject {
    /// All data that the server had when the mark was requested has been integrated.
    func didReachMark(_ request: UInt64)
    func didIntegrate()
    func subscriptionsDidChange()
    func didFail(_ failure: ClientFailure)
    /// `error` is the reason why the connection was lost or couldn't be established. Connecting is retried.
    func connectionDidChange(_ state: SyncSession.ConnectionState, _ error: (any Error)?)
    func didLoseUser(_ error: SyncError)
}

/// The connection of a user's synchronised files to their server: executes the actions of `ClientConnection`.
///
/// Each user that has a session has one connection, which its sessions retain. Mutable state is confined to `queue`.
final class SyncConnection: @unchecked Sendable {
    let user: User
    let queue: DispatchQueue
    let callbacks: DispatchQueue
    private let transport: any WebSocketTransport
    private var machine: ClientConnection
    private var sessions: [UInt64: any SyncConnectionSession] = [:]
    private var socket: (any WebSocket)?
    /// The number of the current socket. Events of earlier sockets are ignored.
    private var attempt: UInt64 = 0
    private var timers: [ClientTimer: DispatchWorkItem] = [:]
    private var refreshBackOff = BackOff()
    /// Whether the server has rejected the user. The connection is retried after the next login.
    private var isSentAway = false
    private(set) var state = SyncSession.ConnectionState.disconnected
    private let hasNews = Locked(false)
    private let arrivals = Locked<[(event: WebSocketEvent, number: UInt64)]>([])

    init(_ user: User, _ transport: any WebSocketTransport, _ mode: SyncMode = .partition) {
        self.user = user
        (queue, callbacks) = (user.sessionQueue, user.callbackQueue)
        self.transport = transport
        machine = ClientConnection(
            mode, limits: ClientTimeLimits(user.app.syncManager.timeoutOptions), random: SystemRandomNumberGenerator())
    }

    deinit { socket?.close() }

    // MARK: Sessions

    /// Returns the session's number.
    func open(
        _ store: any ClientStore, path: String, mayUpload: Bool = true, _ session: any SyncConnectionSession
    ) -> UInt64 {
        dispatchPrecondition(condition: .onQueue(queue))
        let number = machine.open(store, path: path, mayUpload: mayUpload)
        sessions[number] = session
        if isSentAway, user.isLoggedIn {
            isSentAway = false
            machine.retry()
        }
        perform()
        return number
    }

    func close(_ session: UInt64) {
        sessions[session] = nil
        change { $0.close(session) }
    }

    func requestMark(_ session: UInt64) -> UInt64? {
        var request: UInt64?
        change { request = $0.requestMark(session) }
        return request
    }

    func resume(_ session: UInt64) { change { $0.resume(session) } }

    func retry() { change { $0.retry() } }

    /// Wakes the connection after a commit. Call it from any thread; multiple calls are coalesced.
    func didCommit() {
        guard
            !hasNews.withLock({ news in
                defer { news = true }
                return news
            })
        else { return }
        queue.async { [self] in
            hasNews.withLock { $0 = false }
            change { $0.didCommit() }
        }
    }

    private func change(_ body: (inout ClientConnection) -> Void) {
        dispatchPrecondition(condition: .onQueue(queue))
        body(&machine)
        perform()
    }

    // MARK: Effects

    /// Executes pending actions. Sessions are notified in separate queue blocks, so their reactions are processed
    /// later.
    private func perform() {
        for effect in machine.takeEffects() {
            switch effect {
            case .connect: connect()
            case .disconnect: disconnect()
            case .send(let message): send(message)
            case .setTimer(let timer, let milliseconds): set(timer, milliseconds)
            case .cancelTimer(let timer): timers.removeValue(forKey: timer)?.cancel()
            case .refresh(let location): refresh(location: location)
            case .marked(let session, let request): notify(session) { $0.didReachMark(request) }
            case .integrated(let session, _): notify(session) { $0.didIntegrate() }
            case .failed(let session, let failure): fail(session, failure)
            case .subscriptionsChanged(let session): notify(session) { $0.subscriptionsDidChange() }
            case .closed: break
            case .log(_, let json): user.app.syncManager.log(.detail, "Message of the server: \(json)")
            }
        }
    }

    /// Reports an error to one session, or to all of them if `session` is nil. Logs the user out if the server requires
    /// it (§2.3, §2.9).
    private func fail(_ session: UInt64?, _ failure: ClientFailure) {
        if let session { notify(session) { $0.didFail(failure) } } else { notifyAll { $0.didFail(failure) } }
        guard failure.action == .logOutUser else { return }
        isSentAway = true
        // The sessions are notified of the log-out after the error that caused it.
        if user.isLoggedIn { user.endLocally() }
    }

    private func notify(_ session: UInt64, _ body: @escaping @Sendable (any SyncConnectionSession) -> Void) {
        queue.async { [self] in
            if let session = sessions[session] { body(session) }
        }
    }

    private func notifyAll(_ body: @escaping @Sendable (any SyncConnectionSession) -> Void) {
        for session in sessions.keys { notify(session, body) }
    }

    private func set(_ timer: ClientTimer, _ milliseconds: UInt64) {
        timers[timer]?.cancel()
        let item = DispatchWorkItem { [self] in
            timers[timer] = nil
            change { $0.fire(timer, now: Self.now) }
        }
        timers[timer] = item
        queue.asyncAfter(deadline: .now() + .milliseconds(Int(clamping: milliseconds)), execute: item)
    }

    private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds / 1_000_000 }

    private func setState(_ state: SyncSession.ConnectionState, _ error: (any Error)? = nil) {
        guard state != self.state || error != nil else { return }
        self.state = state
        notifyAll { $0.connectionDidChange(state, error) }
    }

    // MARK: Socket

    private func connect() {
        attempt += 1
        let number = attempt
        setState(.connecting)
        Task { [self] in
            do {
                let location = try await user.app.client.location()
                let token = user.accessToken ?? ""
                queue.async { [self] in open(location, token, number) }
            } catch {
                post(.closed(.lost(reason: "\(error)")), of: number)
            }
        }
    }

    private func open(_ location: AppLocation, _ token: String, _ number: UInt64) {
        guard number == attempt else { return }
        let manager = user.app.syncManager
        var headers = (manager.customRequestHeaders ?? [:]).sorted { $0.key < $1.key }.map {
            (name: $0.key, value: $0.value)
        }
        headers.append(("User-Agent", DeviceInformation.userAgent(manager.userAgent)))
        if let name = manager.authorizationHeaderName { headers.append((name, "Bearer " + token)) }
        let separator = location.syncRoute.contains("?") ? "&" : "?"
        let request = WebSocketRequest(
            url: location.syncRoute + separator + "baas_at=" + token.escapedForPath, protocols: machine.offers,
            headers: headers)
        socket = transport.open(request) { [weak self] event in self?.post(event, of: number) }
    }

    /// Called from any thread. Events that arrive while the queue is busy are processed together.
    private func post(_ event: WebSocketEvent, of number: UInt64) {
        let isFirst = arrivals.withLock { arrivals in
            arrivals.append((event, number))
            return arrivals.count == 1
        }
        if isFirst { queue.async { [weak self] in self?.takeArrivals() } }
    }

    /// The maximum number of message bytes per queue block. A limit lets other blocks run.
    private static let maxArrivals = 1 << 20

    private func takeArrivals() {
        let (events, isMore) = arrivals.withLock { arrivals in
            var size = 0
            let end = arrivals.firstIndex { event, _ in
                defer { if case .message(let bytes) = event { size += bytes.count } }
                return size >= Self.maxArrivals
            }
            let events = arrivals[..<(end ?? arrivals.endIndex)]
            arrivals.removeFirst(events.count)
            return (events, end != nil)
        }
        if isMore { queue.async { [weak self] in self?.takeArrivals() } }
        var messages: [[UInt8]] = []
        for (event, number) in events where number == attempt { take(event, &messages) }
        receive(&messages)
    }

    /// Messages are accumulated until another kind of event arrives.
    private func take(_ event: WebSocketEvent, _ messages: inout [[UInt8]]) {
        switch event {
        case .message(let message): messages.append(message)
        case .opened(let name):
            receive(&messages)
            setState(.connected)
            refreshBackOff.reset()
            change { $0.didConnect(name) }
        case .closed(let end):
            receive(&messages)
            attempt += 1
            socket = nil
            let error = SyncError(end)
            user.app.syncManager.log(.info, "The connection to the server ended: \(error)")
            setState(.disconnected, error)
            change { $0.didDisconnect(ClientDisconnection(end)) }
        }
    }

    private func receive(_ messages: inout [[UInt8]]) {
        guard !messages.isEmpty else { return }
        change { $0.receive(messages, now: Self.now) }
        messages = []
    }

    private func send(_ message: [UInt8]) {
        let number = attempt
        socket?.send(message) { [weak self] in
            self?.queue.async { [weak self] in
                guard let self, number == attempt else { return }
                change { $0.didSend() }
            }
        }
    }

    private func disconnect() {
        attempt += 1
        socket?.close()
        socket = nil
        // While connecting, disconnecting means that the attempt timed out.
        setState(.disconnected, state == .connecting ? SyncConnection.timeout : nil)
    }

    private static var timeout: NSError {
        NSError(
            domain: NSPOSIXErrorDomain, code: Int(ETIMEDOUT),
            userInfo: [NSLocalizedDescriptionKey: "The server could not be reached in time."])
    }

    // MARK: User

    /// Renews the access token, and fetches the server's location if necessary. Network failures are retried. If the
    /// server rejects the request, the user is logged out.
    private func refresh(location: Bool) {
        Task { [self] in
            do {
                if location { try await user.app.client.renewLocation() }
                try await user.renewAccessToken()
                queue.async { [self] in change { $0.didRefresh() } }
            } catch {
                queue.async { [self] in refreshFailed(error, location: location) }
            }
        }
    }

    private func refreshFailed(_ error: any Error, location: Bool) {
        guard user.isLoggedIn else {
            let lost = SyncError(.clientUserError, text: "The user is no longer logged in: \(error)")
            notifyAll { $0.didLoseUser(lost) }
            // This is queued after the notifications, which end the sessions, so a connection is made only for later
            // sessions.
            return queue.async { [self] in change { $0.didRefresh() } }
        }
        var random = SystemRandomNumberGenerator() as any RandomNumberGenerator
        let delay = refreshBackOff.delay(&random)
        queue.asyncAfter(deadline: .now() + .milliseconds(Int(clamping: delay))) { [weak self] in
            self?.refresh(location: location)
        }
    }
}

extension ClientDisconnection {
    fileprivate init(_ end: WebSocketEnd) {
        switch end {
        case .refused(let status): self.init(status: status)
        case .closed(let code): self.init(closeCode: code)
        case .lost, .untrusted: self = .retry
        }
    }
}

extension SyncError {
    fileprivate init(_ end: WebSocketEnd) {
        switch end {
        case .refused(let status):
            self.init(.connectionFailed, text: "The server responded to the upgrade with status \(status).")
        case .closed(let code):
            self.init(.connectionFailed, text: "The server closed the connection with code \(code).")
        case .lost(let reason):
            self.init(.connectionFailed, text: "There is no connection to the server: \(reason).")
        case .untrusted(let reason):
            self.init(.tlsHandshakeFailed, text: "The server's certificate was not accepted: \(reason).")
        }
    }
}

extension ClientTimeLimits {
    fileprivate init(_ options: SyncTimeoutOptions?) {
        self.init()
        guard let options else { return }
        connect = UInt64(options.connectTimeout)
        linger = UInt64(options.connectionLingerTime)
        ping = UInt64(options.pingKeepalivePeriod)
        pong = UInt64(options.pongKeepaliveTimeout)
        settled = UInt64(options.fastReconnectLimit)
    }
}

/// Implemented as `platformTransport` of the module `RealmSyncTransport`, which is linked but not imported.
@_silgen_name("regnum_platform_transport")
func linkedTransport() -> any WebSocketTransport
