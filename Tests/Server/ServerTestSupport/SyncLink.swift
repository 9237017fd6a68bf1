// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Dispatch
    import NIOCore
    import RealmSyncCore
    import RealmTestSupport

    /// A session of one file over a real socket: `ClientConnection` and the performer of its effects.
    ///
    /// Unchecked `Sendable`: only its event loop uses its state.
    package final class SyncLink: @unchecked Sendable {
        package let loop = WebSocketClient.group.next()
        private let port: @Sendable () -> Int
        private let uri: String
        private var connection: ClientConnection
        private var session: UInt64 = 0
        private var socket: WebSocketClient?
        private var sockets: UInt64 = 0
        private var timers: [ClientTimer: Scheduled<Void>] = [:]
        private var marks: [UInt64: EventLoopPromise<Void>] = [:]
        private var failures: [ClientFailure] = []
        private var isStopped = false

        /// Opens a file of a partition. Afterwards the store belongs to the event loop.
        ///
        /// - Parameter port: Returns the server's port. Called for each connection.
        package init(
            _ store: any ClientStore, _ mode: SyncMode = .partition, versions: ClosedRange<Int>? = nil,
            port: @escaping @Sendable () -> Int, uri: String, path: String, seed: UInt64
        ) {
            (self.port, self.uri) = (port, uri)
            connection = ClientConnection(mode, versions: versions, random: SeededGenerator(seed: seed))
            session = connection.open(store, path: path)
            loop.execute { [self] in perform() }
            TestCleanup.add { [self] in stop() }
        }

        package func didCommit() {
            connection.didCommit()
            perform()
        }

        package func takeFailures() async throws -> [ClientFailure] {
            try await loop.submit { [self] in
                defer { failures = [] }
                return failures
            }.get()
        }

        package var failureCount: Int {
            get async throws { try await loop.submit { [self] in failures.count }.get() }
        }

        package func waitForDownload() async throws {
            let marked = try await loop.submit { [self] in
                let promise = loop.makePromise(of: Void.self)
                guard let request = connection.requestMark(session) else {
                    promise.fail(Failure("the session is gone"))
                    return promise.futureResult
                }
                marks[request] = promise
                perform()
                return promise.futureResult
            }.get()
            try await marked.get()
        }

        package func stop() {
            loop.execute { [self] in
                isStopped = true
                socket?.close()
                for timer in timers.values { timer.cancel() }
                for mark in marks.values { mark.fail(Failure("the client was stopped")) }
                marks = [:]
            }
        }

        // MARK: Event loop

        private func update(_ body: (inout ClientConnection) -> Void) {
            guard !isStopped else { return }
            body(&connection)
            perform()
        }

        private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds / 1_000_000 }

        private func perform() {
            for effect in connection.takeEffects() {
                switch effect {
                case .connect: connect()
                case .disconnect:
                    sockets += 1
                    socket?.close()
                    socket = nil
                case .send(let bytes):
                    socket?.send(bytes).hop(to: loop).whenSuccess { self.update { $0.didSend() } }
                case .setTimer(let timer, let milliseconds):
                    timers[timer]?.cancel()
                    // Tests reconnect within a second.
                    let delay = timer == .reconnect ? min(milliseconds, 200) : milliseconds
                    timers[timer] = loop.scheduleTask(in: .milliseconds(Int64(clamping: delay))) {
                        self.timers[timer] = nil
                        self.update { $0.fire(timer, now: Self.now) }
                    }
                case .cancelTimer(let timer): timers.removeValue(forKey: timer)?.cancel()
                case .refresh: loop.execute { self.update { $0.didRefresh() } }
                case .marked(_, let request):
                    for (key, promise) in marks where key <= request {
                        promise.succeed()
                        marks[key] = nil
                    }
                case .failed(_, let failure): failures.append(failure)
                case .integrated, .closed, .log, .subscriptionsChanged: break
                }
            }
        }

        private func connect() {
            sockets += 1
            let number = sockets
            let (port, uri, offers, loop) = (port, uri, connection.offers, loop)
            loop.makeFutureWithTask {
                try await WebSocketClient.connect(
                    port: port(), uri: uri, offers: offers, on: loop
                ) { event in self.take(event, of: number) }
            }.hop(to: loop).whenComplete { result in
                guard number == self.sockets, !self.isStopped else {
                    if case .success(let socket) = result { socket.close() }
                    return
                }
                switch result {
                case .success(let socket):
                    self.socket = socket
                    self.update { $0.didConnect(socket.protocolName) }
                case .failure(let error):
                    let refused = error as? WebSocketClient.Refused
                    self.update { $0.didDisconnect(refused.map { ClientDisconnection(status: $0.status) } ?? .retry) }
                }
            }
        }

        private func take(_ event: WebSocketClient.Event, of number: UInt64) {
            guard number == sockets else { return }
            switch event {
            case .message(let bytes): update { $0.receive(bytes, now: Self.now) }
            case .closed(let code):
                socket = nil
                update { $0.didDisconnect(code.map { ClientDisconnection(closeCode: Int($0)) } ?? .retry) }
            }
        }
    }
#endif
