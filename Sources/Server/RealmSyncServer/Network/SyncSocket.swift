// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import HTTPServing
    import NIOCore
    import NIOWebSocket
    import RealmSyncCore

    /// Reads messages only as fast as the engine processes them. Its state is confined to the channel's event loop,
    /// except for `channel` and `engine`, which are constants: hence the unchecked `Sendable`.
    final class SyncSocket: WebSocketReceiver, EngineTransport, @unchecked Sendable {
        /// The maximum cost of the messages that wait for the engine, beyond which reading is suspended.
        private static let maxInbox = 4 << 20
        /// Requires the client to get a new token (§2.3).
        private static let unauthorized = WebSocketErrorCode(codeNumber: 4001)

        private let channel: any Channel
        private let engine: SyncEngine
        private var connection: UInt64 = 0
        /// `nil` before the WebSocket is open and after it's closed.
        private var handler: WebSocketHandler?
        private var waiting = 0
        private var silence = NIODeadline.distantFuture
        private var silenceTask: Scheduled<Void>?
        private var expiryTask: Scheduled<Void>?

        init(_ channel: any Channel, _ engine: SyncEngine) { (self.channel, self.engine) = (channel, engine) }

        /// Called on the event loop, before the first message.
        func begin(_ connection: UInt64) {
            self.connection = connection
            channel.closeFuture.whenComplete { _ in
                self.silenceTask?.cancel()
                self.expiryTask?.cancel()
                self.engine.didDisconnect(connection)
            }
        }

        // MARK: Client

        func didOpen(_ handler: WebSocketHandler) { self.handler = handler }

        func didClose() { handler = nil }

        func receive(_ message: ByteBuffer) {
            let bytes = Array(message.readableBytesView)
            setWaiting(waiting + SyncEngine.cost(of: bytes))
            if !engine.receive(bytes, from: connection) { handler?.close(.normalClosure) }
        }

        private func setWaiting(_ cost: Int) {
            waiting = cost
            handler?.isPaused = waiting >= SyncSocket.maxInbox
        }

        // MARK: Engine

        func send(_ message: [UInt8]) {
            channel.eventLoop.execute { [self] in
                handler?.send(channel.allocator.buffer(bytes: message)) { [engine, connection] in
                    engine.didSend(connection)
                }
            }
        }

        func didConsume(_ cost: Int) {
            channel.eventLoop.execute { [self] in setWaiting(waiting - cost) }
        }

        func close(_ reason: TransportEnd) {
            channel.eventLoop.execute { [self] in
                guard let handler else { return channel.close(promise: nil) }
                switch reason {
                case .normal: handler.close(.normalClosure)
                case .unauthorized: handler.close(SyncSocket.unauthorized)
                }
            }
        }

        // MARK: Timers

        func setSilence(milliseconds: UInt64) {
            channel.eventLoop.execute { [self] in
                silence = .now() + .milliseconds(Int64(clamping: milliseconds))
                if silenceTask == nil { waitForSilence() }
            }
        }

        func setExpiry(seconds: Int64) {
            channel.eventLoop.execute { [self] in
                expiryTask?.cancel()
                expiryTask = channel.eventLoop.scheduleTask(in: .seconds(seconds)) { [engine, connection] in
                    engine.checkExpiry(connection)
                }
            }
        }

        /// The deadline moves with each message, so the task checks it at the deadline for which it was scheduled.
        private func waitForSilence() {
            silenceTask = channel.eventLoop.scheduleTask(deadline: silence) { [self] in
                silenceTask = nil
                if silence <= .now() { return engine.fireSilence(connection) }
                waitForSilence()
            }
        }
    }
#endif
