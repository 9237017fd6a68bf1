// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server || Browser
    import NIOCore
    import NIOWebSocket

    /// The receiver of a WebSocket's messages. Called on the event loop.
    package protocol WebSocketReceiver: AnyObject, Sendable {
        func didOpen(_ socket: WebSocketHandler)
        func receive(_ message: ByteBuffer)
        /// Called last, once.
        func didClose()
    }

    /// Converts between the frames of a connection (RFC 6455) and messages. Used on the event loop.
    package final class WebSocketHandler: ChannelInboundHandler {
        package typealias InboundIn = WebSocketFrame
        package typealias OutboundOut = WebSocketFrame

        package struct Options: Sendable {
            package var kind: WebSocketOpcode
            /// The close code for a message of the other kind.
            package var wrongKind: WebSocketErrorCode
            /// In bytes.
            package var longestMessage: Int
            /// The maximum number of unsent bytes, beyond which the connection is closed. If `nil`, messages aren't
            /// read while the client doesn't read its own.
            package var longestBacklog: Int?
            /// The time of silence after which a client is pinged; after the same time again, the connection is closed.
            /// `nil` for no limit.
            package var patience: TimeAmount?

            package init(kind: WebSocketOpcode, wrongKind: WebSocketErrorCode, longestMessage: Int) {
                (self.kind, self.wrongKind, self.longestMessage) = (kind, wrongKind, longestMessage)
            }
        }

        /// The assumed overhead of an unsent frame, in bytes.
        private static let frameCost = 64
        /// The time in which a client can read the last messages before the connection is closed.
        private static let lastWords = TimeAmount.seconds(10)

        package let channel: any Channel
        private let options: Options
        private var receiver: (any WebSocketReceiver)?
        private var context: ChannelHandlerContext?
        /// The frames of an incomplete message.
        private var message: ByteBuffer?
        private var backlog = 0
        private var isReading = true
        private var isClosing = false
        private var isIdle = false

        init(_ channel: any Channel, _ options: Options, _ receiver: any WebSocketReceiver) {
            (self.channel, self.options, self.receiver) = (channel, options, receiver)
        }

        package func handlerAdded(context: ChannelHandlerContext) {
            self.context = context
            receiver?.didOpen(self)
        }

        package func handlerRemoved(context: ChannelHandlerContext) {
            isClosing = true
            receiver?.didClose()
            (self.context, receiver) = (nil, nil)
        }

        // MARK: Receiving

        package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            isIdle = false
            guard !isClosing else { return }
            let frame = unwrapInboundIn(data)
            // Clients mask their frames, so that intermediaries can't misinterpret them.
            guard frame.maskKey != nil, !frame.rsv1, !frame.rsv2, !frame.rsv3 else { return close(.protocolError) }
            switch frame.opcode {
            case options.kind where message == nil, .continuation where message != nil: append(frame)
            case .text where message == nil, .binary where message == nil: close(options.wrongKind)
            case .ping: write(.pong, frame.unmaskedData)
            case .pong: break
            case .connectionClose: close(.normalClosure)
            default: close(.protocolError)
            }
        }

        private func append(_ frame: WebSocketFrame) {
            var data = frame.unmaskedData
            guard (message?.readableBytes ?? 0) + data.readableBytes <= options.longestMessage else {
                return close(.messageTooLarge)
            }
            if frame.fin, message == nil { return receiver?.receive(data) ?? () }
            if message == nil { message = channel.allocator.buffer(capacity: data.readableBytes) }
            message?.writeBuffer(&data)
            guard frame.fin, let whole = message else { return }
            message = nil
            receiver?.receive(whole)
        }

        package var isPaused = false {
            didSet { updateReading() }
        }

        package func channelWritabilityChanged(context: ChannelHandlerContext) {
            updateReading()
            context.fireChannelWritabilityChanged()
        }

        private func updateReading() {
            let reads = !isPaused && (options.longestBacklog != nil || channel.isWritable)
            guard reads != isReading else { return }
            isReading = reads
            channel.setOption(.autoRead, value: reads).whenFailure { _ in }
        }

        package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            guard event is IdleStateHandler.IdleStateEvent else { return context.fireUserInboundEventTriggered(event) }
            if isIdle { return abort() }
            isIdle = true
            write(.ping, ByteBuffer())
        }

        package func errorCaught(context: ChannelHandlerContext, error: any Error) {
            guard let error = error as? NIOWebSocketError else { return abort() }
            close(error == .invalidFrameLength ? .messageTooLarge : .protocolError)
        }

        // MARK: Sending

        /// Messages sent after `close` are discarded.
        package func send(_ message: ByteBuffer, didSend: (@Sendable () -> Void)? = nil) {
            write(options.kind, message, didSend)
        }

        private func write(_ opcode: WebSocketOpcode, _ data: ByteBuffer, _ didSend: (@Sendable () -> Void)? = nil) {
            guard !isClosing, let context else { return }
            let cost = data.readableBytes + WebSocketHandler.frameCost
            backlog += cost
            if let longest = options.longestBacklog, backlog > longest { return abort() }
            let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
            let frame = WebSocketFrame(fin: true, opcode: opcode, data: data)
            context.writeAndFlush(wrapOutboundOut(frame)).whenComplete { result in
                bound.value.backlog -= cost
                if case .success = result { didSend?() }
            }
        }

        /// Closes the connection after the messages sent before.
        package func close(_ code: WebSocketErrorCode) {
            guard !isClosing, let context else { return }
            isClosing = true
            var data = channel.allocator.buffer(capacity: 2)
            data.write(webSocketErrorCode: code)
            let frame = WebSocketFrame(fin: true, opcode: .connectionClose, data: data)
            context.writeAndFlush(wrapOutboundOut(frame)).whenComplete { [channel] _ in channel.close(promise: nil) }
            channel.eventLoop.scheduleTask(in: WebSocketHandler.lastWords) { [channel] in channel.close(promise: nil) }
        }

        private func abort() {
            isClosing = true
            channel.close(promise: nil)
        }
    }
#endif
