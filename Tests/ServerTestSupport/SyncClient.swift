// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Dispatch
    import NIOCore
    import RealmSyncCore
    import RealmTestSupport
    import SyncTestSupport

    /// A whole client over a real socket: `ClientConnection` with a file in memory.
    ///
    /// Only its event loop uses what it keeps: hence the unchecked `Sendable`.
    package final class SyncClient: @unchecked Sendable {
        private let loop = WebSocketClient.group.next()
        private let port: @Sendable () -> Int
        private let user: String
        private var connection: ClientConnection
        private var session: UInt64 = 0
        private var file = SimulatedClientFile()
        private var socket: WebSocketClient?
        private var sockets: UInt64 = 0
        private var timers: [ClientTimer: Scheduled<Void>] = [:]
        private var marks: [UInt64: EventLoopPromise<Void>] = [:]
        private var lastTimestamp: UInt64
        private var failures: [ClientFailure] = []
        private var isStopped = false

        /// Opens a file of a partition.
        ///
        /// - Parameter port: that of the server, asked for at each connection.
        package init(port: @escaping @Sendable () -> Int, user: String, path: String, seed: UInt64) {
            (self.port, self.user) = (port, user)
            connection = ClientConnection(random: SeededGenerator(seed: seed))
            lastTimestamp = seed
            loop.execute { [self] in
                session = connection.open(file, path: path)
                perform()
            }
        }

        /// Runs `body` with the file on the event loop.
        package func use<Result: Sendable>(
            _ body: @escaping @Sendable (SimulatedClientFile) throws -> Result
        ) async throws -> Result {
            try await loop.submit { [self] in try body(file) }.get()
        }

        /// Commits a change, which is durable then.
        package func commit(_ make: @escaping @Sendable (SyncModel) -> Changeset) async throws {
            try await loop.submit { [self] in
                lastTimestamp += 10
                try file.commit(make(file.model), timestamp: lastTimestamp)
                file.sync()
                connection.didCommit()
                perform()
            }.get()
        }

        package var model: SyncModel { get async throws { try await use { $0.model } } }

        package func takeFailures() async throws -> [ClientFailure] {
            try await loop.submit { [self] in
                defer { failures = [] }
                return failures
            }.get()
        }

        /// Waits until all that the server has now is here.
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

        /// Waits until the server has acknowledged all that is here.
        package func waitForUpload(seconds: Int = 1200) async throws {
            for _ in 0..<seconds * 100 {
                if try await use({ $0.isUploaded }) { return }
                try await Task.sleep(for: .milliseconds(10))
            }
            throw Failure("the server has not taken all changes")
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

        // MARK: On the event loop

        private func tell(_ body: (inout ClientConnection) -> Void) {
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
                    socket?.send(bytes).hop(to: loop).whenSuccess { self.tell { $0.didSend() } }
                case .setTimer(let timer, let milliseconds):
                    timers[timer]?.cancel()
                    // Tests do not wait for more than a second to connect again.
                    let delay = timer == .reconnect ? min(milliseconds, 200) : milliseconds
                    timers[timer] = loop.scheduleTask(in: .milliseconds(Int64(clamping: delay))) {
                        self.timers[timer] = nil
                        self.tell { $0.fire(timer, now: Self.now) }
                    }
                case .cancelTimer(let timer): timers.removeValue(forKey: timer)?.cancel()
                case .refresh: loop.execute { self.tell { $0.didRefresh() } }
                case .marked(_, let request):
                    for (key, promise) in marks where key <= request {
                        promise.succeed()
                        marks[key] = nil
                    }
                case .failed(_, let failure): failures.append(failure)
                case .integrated, .closed, .log, .test: break
                }
            }
        }

        private func connect() {
            sockets += 1
            let number = sockets
            let (port, user, offers, loop) = (port, user, connection.offers, loop)
            loop.makeFutureWithTask {
                try await WebSocketClient.connect(
                    port: port(), uri: WebSocketClient.uri(user: user), offers: offers, on: loop
                ) { event in self.take(event, of: number) }
            }.hop(to: loop).whenComplete { result in
                guard number == self.sockets, !self.isStopped else {
                    if case .success(let socket) = result { socket.close() }
                    return
                }
                switch result {
                case .success(let socket):
                    self.socket = socket
                    self.tell { $0.didConnect(socket.protocolName) }
                case .failure(let error):
                    let refused = error as? WebSocketClient.Refused
                    self.tell { $0.didDisconnect(refused.map { ClientDisconnection(status: $0.status) } ?? .retry) }
                }
            }
        }

        private func take(_ event: WebSocketClient.Event, of number: UInt64) {
            guard number == sockets else { return }
            switch event {
            case .message(let bytes): tell { $0.receive(bytes, now: Self.now) }
            case .closed(let code):
                socket = nil
                tell { $0.didDisconnect(code.map { ClientDisconnection(closeCode: Int($0)) } ?? .retry) }
            }
        }
    }
#endif
