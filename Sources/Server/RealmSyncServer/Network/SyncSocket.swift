// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import NIOCore
    import NIOWebSocket
    import RealmSyncCore

    /// A connection of a client: converts between messages and frames (RFC 6455), and reads no more than the engine
    /// processes and the client reads responses for.
    ///
    /// Its state is used only by the channel's event loop, except `channel` and `engine`, which never change: hence the
    /// unchecked `Sendable`.
    final class SyncSocket: ChannelInboundHandler, EngineTransport, @unchecked Sendable {
        typealias InboundIn = WebSocketFrame
        typealias OutboundOut = WebSocketFrame

        /// The maximum cost of the messages that wait for the engine. Beyond it, no more are read.
        private static let maxInbox = 4 << 20
        /// The close code for "get a new token" (§2.3).
        private static let unauthorized = WebSocketErrorCode(codeNumber: 4001)
        /// The time that a client has to read the messages sent before the connection closes.
        private static let lastWords = TimeAmount.seconds(10)

        private let channel: any Channel
        private let engine: SyncEngine
        private let longestMessage: Int
        private var connection: UInt64 = 0
        private var context: ChannelHandlerContext?
        /// The frames of an incomplete message.
        private var message: ByteBuffer?
        private var waiting = 0
        private var isReading = true
        private var isClosing = false
        private var silence = NIODeadline.distantFuture
        private var silenceTask: Scheduled<Void>?
        private var expiryTask: Scheduled<Void>?

        init(_ channel: any Channel, _ engine: SyncEngine, _ longestMessage: Int) {
            (self.channel, self.engine, self.longestMessage) = (channel, engine, longestMessage)
        }

        /// Sets the number assigned by the engine. Called on the event loop, before the first message.
        func begin(_ connection: UInt64) {
            self.connection = connection
            channel.closeFuture.whenComplete { _ in
                self.silenceTask?.cancel()
                self.expiryTask?.cancel()
                self.engine.didDisconnect(connection)
            }
        }

        // MARK: Frames

        func handlerAdded(context: ChannelHandlerContext) { self.context = context }

        func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !isClosing else { return }
            let frame = unwrapInboundIn(data)
            // Clients mask their frames, so that intermediaries can't misinterpret them.
            guard frame.maskKey != nil, !frame.rsv1, !frame.rsv2, !frame.rsv3 else { return end(.protocolError) }
            switch frame.opcode {
            case .binary where message == nil, .continuation where message != nil: take(frame)
            case .text where message == nil: end(.unacceptableData)
            case .ping: write(.pong, frame.unmaskedData)
            case .pong: break
            case .connectionClose: end(.normalClosure)
            default: end(.protocolError)
            }
        }

        private func take(_ frame: WebSocketFrame) {
            var data = frame.unmaskedData
            guard (message?.readableBytes ?? 0) + data.readableBytes <= longestMessage else {
                return end(.messageTooLarge)
            }
            if frame.fin, message == nil { return deliver(data) }
            if message == nil { message = channel.allocator.buffer(capacity: data.readableBytes) }
            message?.writeBuffer(&data)
            guard frame.fin, let whole = message else { return }
            message = nil
            deliver(whole)
        }

        private func deliver(_ message: ByteBuffer) {
            let bytes = Array(message.readableBytesView)
            waiting += SyncEngine.cost(of: bytes)
            updateReading()
            if !engine.receive(bytes, from: connection) { end(.normalClosure) }
        }

        func channelWritabilityChanged(context: ChannelHandlerContext) {
            updateReading()
            context.fireChannelWritabilityChanged()
        }

        /// Messages of a client lead to responses. Messages of a client that doesn't read them aren't read.
        private func updateReading() {
            let reads = waiting < SyncSocket.maxInbox && channel.isWritable
            guard reads != isReading else { return }
            isReading = reads
            channel.setOption(.autoRead, value: reads).whenFailure { _ in }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            guard let error = error as? NIOWebSocketError else { return abort() }
            end(error == .invalidFrameLength ? .messageTooLarge : .protocolError)
        }

        // MARK: The engine

        func send(_ message: [UInt8]) {
            channel.eventLoop.execute { [self] in
                guard !isClosing, let context else { return }
                let data = channel.allocator.buffer(bytes: message)
                let frame = WebSocketFrame(fin: true, opcode: .binary, data: data)
                context.writeAndFlush(wrapOutboundOut(frame)).whenSuccess { [engine, connection] in
                    engine.didSend(connection)
                }
            }
        }

        func didConsume(_ cost: Int) {
            channel.eventLoop.execute { [self] in
                waiting -= cost
                updateReading()
            }
        }

        func close(_ reason: TransportEnd) {
            channel.eventLoop.execute { [self] in
                switch reason {
                case .normal: end(.normalClosure)
                case .unauthorized: end(SyncSocket.unauthorized)
                }
            }
        }

        // MARK: The end

        private func write(_ opcode: WebSocketOpcode, _ data: ByteBuffer) {
            context?.writeAndFlush(wrapOutboundOut(WebSocketFrame(fin: true, opcode: opcode, data: data)), promise: nil)
        }

        private func end(_ code: WebSocketErrorCode) {
            guard !isClosing else { return }
            guard let context else { return abort() }
            isClosing = true
            var data = channel.allocator.buffer(capacity: 2)
            data.write(webSocketErrorCode: code)
            let frame = WebSocketFrame(fin: true, opcode: .connectionClose, data: data)
            context.writeAndFlush(wrapOutboundOut(frame)).whenComplete { [channel] _ in channel.close(promise: nil) }
            channel.eventLoop.scheduleTask(in: SyncSocket.lastWords) { [channel] in channel.close(promise: nil) }
        }

        private func abort() {
            isClosing = true
            channel.close(promise: nil)
        }

        // MARK: Silence

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

        /// The deadline moves with each message; the task checks it only when it has passed.
        private func waitForSilence() {
            silenceTask = channel.eventLoop.scheduleTask(deadline: silence) { [self] in
                silenceTask = nil
                if silence <= .now() { return engine.fireSilence(connection) }
                waitForSilence()
            }
        }
    }
#endif
