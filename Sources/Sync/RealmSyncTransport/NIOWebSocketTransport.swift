// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if !canImport(Darwin) && Sync
    import NIOConcurrencyHelpers
    import NIOCore
    import NIOHTTP1
    import NIOPosix
    import NIOSSL
    import NIOWebSocket
    import RealmSyncCore

    /// Opens WebSockets with SwiftNIO, on event loops shared by the whole process.
    struct NIOWebSocketTransport: WebSocketTransport {
        /// The trust roots for TLS connections; nil for those of the system.
        var trustRoots: [NIOSSLCertificate]?

        func open(
            _ request: WebSocketRequest, _ handle: @escaping @Sendable (WebSocketEvent) -> Void
        ) -> any WebSocket {
            let socket = NIOWebSocket(handle)
            if let address = ServerURL(request.url, secure: "wss", plain: "ws") {
                socket.connect(request, address, trustRoots)
            } else {
                // The URL's query contains a token.
                socket.end(.lost(reason: "'\(request.url.prefix { $0 != "?" })' isn't a WebSocket URL"))
            }
            return socket
        }
    }

    /// One WebSocket. `state` is guarded by its lock; all else is immutable.
    private final class NIOWebSocket: WebSocket {
        private struct State {
            var channel: (any Channel)?
            var isClosed = false
            var hasEnded = false
        }

        private let state = NIOLockedValueBox(State())
        private let handle: @Sendable (WebSocketEvent) -> Void

        init(_ handle: @escaping @Sendable (WebSocketEvent) -> Void) { self.handle = handle }

        func send(_ message: [UInt8], _ completion: @escaping @Sendable () -> Void) {
            guard let channel = state.withLockedValue({ $0.channel }) else { return }
            let frame = WebSocketFrame(
                fin: true, opcode: .binary, maskKey: .random(), data: channel.allocator.buffer(bytes: message))
            channel.writeAndFlush(frame).whenSuccess(completion)
        }

        func close() {
            let channel = state.withLockedValue { state in
                state.isClosed = true
                return state.channel
            }
            channel?.close(promise: nil)
        }

        /// Reports the end, once.
        func end(_ reason: WebSocketEnd) {
            let isFirst = state.withLockedValue { state in
                defer { state.hasEnded = true }
                return !state.hasEnded
            }
            if isFirst { handle(.closed(reason)) }
        }

        func receive(_ message: [UInt8]) { handle(.message(message)) }

        // MARK: Opening

        func connect(
            _ request: WebSocketRequest, _ address: ServerURL, _ trustRoots: [NIOSSLCertificate]?
        ) {
            ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .channelOption(.socketOption(.tcp_nodelay), value: 1)
                .channelOption(.socketOption(.so_keepalive), value: 1)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try self.prepare(channel, request, address, trustRoots) }
                }
                .connect(host: address.host, port: address.port)
                .whenComplete { result in
                    switch result {
                    case .success(let channel): self.didConnect(channel)
                    case .failure(let error): self.end(WebSocketEnd(error))
                    }
                }
        }

        private func didConnect(_ channel: any Channel) {
            let isClosed = state.withLockedValue { state in
                state.channel = channel
                return state.isClosed
            }
            if isClosed { channel.close(promise: nil) }
        }

        private func prepare(
            _ channel: any Channel, _ request: WebSocketRequest, _ address: ServerURL,
            _ trustRoots: [NIOSSLCertificate]?
        ) throws {
            let pipeline = channel.pipeline.syncOperations
            try address.addTLS(to: pipeline, trusting: trustRoots)
            var head = address.head(request.headers)
            if !request.protocols.isEmpty {
                head.headers.add(name: "Sec-WebSocket-Protocol", value: request.protocols.joined(separator: ", "))
            }
            let opening = OpeningHandler(self)
            let opener = NIOLoopBound(opening, eventLoop: channel.eventLoop)
            let upgrader = NIOWebSocketClientUpgrader(
                maxFrameSize: FrameHandler.maxMessage, automaticErrorHandling: false,
                upgradePipelineHandler: { channel, head in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(FrameHandler(self))
                        // Messages can't be sent before the upgrade.
                        self.state.withLockedValue { $0.channel = channel }
                        self.handle(.opened(protocolName: head.headers.first(name: "Sec-WebSocket-Protocol")))
                    }
                })
            try pipeline.addHTTPClientHandlers(
                leftOverBytesStrategy: .forwardBytes,
                withClientUpgrade: (
                    upgraders: [upgrader],
                    completionHandler: { $0.pipeline.syncOperations.removeHandler(opener.value, promise: nil) }
                ))
            try pipeline.addHandlers([RequestSender(head), opening])
        }
    }

    private final class OpeningHandler: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPClientResponsePart
        private let socket: NIOWebSocket

        init(_ socket: NIOWebSocket) { self.socket = socket }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .head(let head) = unwrapInboundIn(data) else { return }
            socket.end(.refused(status: Int(head.status.code)))
            context.close(promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            socket.end(.lost(reason: "the server closed the connection in place of an answer"))
            context.fireChannelInactive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            socket.end(WebSocketEnd(error))
            context.close(promise: nil)
        }
    }

    private final class FrameHandler: ChannelInboundHandler {
        typealias InboundIn = WebSocketFrame
        typealias OutboundOut = WebSocketFrame
        static let maxMessage = Wire.maxBody
        private let socket: NIOWebSocket
        private var message: [UInt8] = []
        private var code: Int?
        private var failure: WebSocketEnd?

        init(_ socket: NIOWebSocket) { self.socket = socket }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let frame = unwrapInboundIn(data)
            switch frame.opcode {
            case .binary, .continuation: append(frame, context)
            case .ping:
                let pong = WebSocketFrame(fin: true, opcode: .pong, maskKey: .random(), data: frame.unmaskedData)
                context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
            case .connectionClose:
                let data = frame.unmaskedData
                code = data.getInteger(at: data.readerIndex, as: UInt16.self).map(Int.init)
                context.close(promise: nil)
            default: break
            }
        }

        private func append(_ frame: WebSocketFrame, _ context: ChannelHandlerContext) {
            message.append(contentsOf: frame.unmaskedData.readableBytesView)
            guard message.count <= Self.maxMessage else {
                failure = .lost(reason: "a message of more than \(Self.maxMessage) bytes")
                return context.close(promise: nil)
            }
            guard frame.fin else { return }
            socket.receive(message)
            message = []
        }

        func channelInactive(context: ChannelHandlerContext) {
            socket.end(code.map { .closed(code: $0) } ?? failure ?? .lost(reason: "the connection was lost"))
            context.fireChannelInactive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            failure = WebSocketEnd(error)
            context.close(promise: nil)
        }
    }

    extension WebSocketEnd {
        fileprivate init(_ error: any Error) {
            switch error {
            case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError: self = .untrusted(reason: "\(error)")
            default: self = .lost(reason: "\(error)")
            }
        }
    }
#endif
