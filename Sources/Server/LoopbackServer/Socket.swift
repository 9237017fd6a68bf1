// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Browser
    import NIOCore
    import NIOWebSocket

    /// An event of a socket.
    package enum SocketEvent: Sendable, Equatable {
        case message(String)
        /// The last event.
        case closed
    }

    /// A socket of a page. Any thread may use it.
    package final class Socket: Sendable {
        private let handler: NIOLoopBound<SocketHandler>

        fileprivate init(_ handler: NIOLoopBound<SocketHandler>) { self.handler = handler }

        /// Sends a message. Messages of one thread arrive in order; messages sent after the end are discarded.
        package func send(_ text: String) {
            handler.eventLoop.execute { [handler] in handler.value.send(text) }
        }

        /// Closes the socket after the messages sent before.
        package func close() {
            handler.eventLoop.execute { [handler] in handler.value.close(.normalClosure) }
        }
    }

    /// Converts between the frames of a connection and messages.
    final class SocketHandler: ChannelInboundHandler {
        typealias InboundIn = WebSocketFrame
        typealias OutboundOut = WebSocketFrame

        private let options: LoopbackServer.Options
        private let connect: LoopbackServer.Connector
        private var receive: (@Sendable (SocketEvent) -> Void)?
        private var context: ChannelHandlerContext?
        /// The frames of an incomplete message.
        private var message: ByteBuffer?
        /// Messages that exceed the rate limit.
        private var waiting: [String] = []
        private var budget: Int
        private var isBudgetRunning = false
        private var backlog = 0
        private var isClosing = false
        private var isIdle = false

        init(_ options: LoopbackServer.Options, _ connect: @escaping LoopbackServer.Connector) {
            (self.options, self.connect, budget) = (options, connect, options.messagesPerSecond)
        }

        func handlerAdded(context: ChannelHandlerContext) {
            self.context = context
            receive = connect(Socket(NIOLoopBound(self, eventLoop: context.eventLoop)))
        }

        func channelInactive(context: ChannelHandlerContext) {
            end()
            context.fireChannelInactive()
        }

        func handlerRemoved(context: ChannelHandlerContext) {
            end()
            self.context = nil
        }

        private func end() {
            isClosing = true
            receive?(.closed)
            receive = nil
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            isIdle = false
            guard !isClosing else { return }
            let frame = unwrapInboundIn(data)
            // Browsers mask their frames, so that intermediaries can't misinterpret them.
            guard frame.maskKey != nil else { return close(.protocolError) }
            switch frame.opcode {
            case .text where message == nil, .continuation where message != nil: take(frame)
            case .ping: send(.pong, frame.unmaskedData)
            case .pong: break
            case .connectionClose: close(.normalClosure)
            default: close(.protocolError)
            }
        }

        private func take(_ frame: WebSocketFrame) {
            var data = frame.unmaskedData
            var whole = message ?? ByteBuffer()
            guard whole.readableBytes + data.readableBytes <= options.longestMessage else {
                return close(.messageTooLarge)
            }
            whole.writeBuffer(&data)
            message = frame.fin ? nil : whole
            guard frame.fin else { return }
            let text = String(buffer: whole)
            // A repaired text differs from its bytes. `String(validating:as:)` needs macOS 15.
            guard text.utf8.elementsEqual(whole.readableBytesView) else { return close(.dataInconsistentWithMessage) }
            deliver(text)
        }

        /// Passes a message on, or holds it until the next second, and reads no more until then.
        private func deliver(_ text: String) {
            startBudget()
            guard budget > 0, waiting.isEmpty else {
                waiting.append(text)
                setReading(false)
                return
            }
            budget -= 1
            receive?(.message(text))
        }

        private func startBudget() {
            guard !isBudgetRunning, let context else { return }
            isBudgetRunning = true
            let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
            context.eventLoop.scheduleTask(in: .seconds(1)) { bound.value.renewBudget() }
        }

        private func renewBudget() {
            isBudgetRunning = false
            budget = options.messagesPerSecond
            let count = min(budget, waiting.count)
            if count > 0 { startBudget() }
            budget -= count
            for text in waiting.prefix(count) { receive?(.message(text)) }
            waiting.removeFirst(count)
            if waiting.isEmpty { setReading(true) }
        }

        private func setReading(_ reads: Bool) {
            context?.channel.setOption(.autoRead, value: reads).whenFailure { _ in }
        }

        func send(_ text: String) {
            guard let context else { return }
            send(.text, context.channel.allocator.buffer(string: text))
        }

        /// The overhead of a frame, in bytes, while it waits to be read.
        private static let frameCost = 64

        private func send(_ opcode: WebSocketOpcode, _ data: ByteBuffer) {
            guard !isClosing, let context else { return }
            let count = data.readableBytes + SocketHandler.frameCost
            backlog += count
            // The page hasn't read for a long time: it requests the missed data after it reconnects.
            guard backlog <= options.longestBacklog else { return abort() }
            let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
            let frame = WebSocketFrame(fin: true, opcode: opcode, data: data)
            context.writeAndFlush(wrapOutboundOut(frame)).whenComplete { _ in bound.value.backlog -= count }
        }

        private func abort() {
            isClosing = true
            context?.close(promise: nil)
        }

        func close(_ code: WebSocketErrorCode) {
            guard !isClosing, let context else { return }
            isClosing = true
            var data = context.channel.allocator.buffer(capacity: 2)
            data.write(webSocketErrorCode: code)
            let channel = context.channel
            let frame = WebSocketFrame(fin: true, opcode: .connectionClose, data: data)
            context.writeAndFlush(wrapOutboundOut(frame)).whenComplete { _ in channel.close(promise: nil) }
        }

        /// A silent page is pinged; if it stays silent, it's considered disconnected.
        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            guard event is IdleStateHandler.IdleStateEvent else { return context.fireUserInboundEventTriggered(event) }
            if isIdle { return abort() }
            isIdle = true
            send(.ping, ByteBuffer())
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            close((error as? NIOWebSocketError) == .invalidFrameLength ? .messageTooLarge : .protocolError)
        }
    }
#endif
