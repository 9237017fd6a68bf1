// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if !canImport(Darwin) && Sync
    import NIOCore
    import NIOHTTP1
    import NIOPosix
    import NIOSSL
    import RealmSyncCore

    /// Receives streams with SwiftNIO, because Foundation's `URLSession` on these platforms occupies a core while it
    /// waits for a response.
    struct NIOStreamTransport: StreamTransport {
        /// The trust roots for TLS connections; nil for those of the system.
        var trustRoots: [NIOSSLCertificate]?

        func open(
            _ request: StreamRequest, _ handle: @escaping @Sendable (StreamEvent) -> Void
        ) -> @Sendable () -> Void {
            guard let address = ServerURL(request.url, secure: "https", plain: "http") else {
                // The URL's query contains a token.
                handle(.end(error: "'\(request.url.prefix { $0 != "?" })' isn't an HTTP URL"))
                return {}
            }
            let connection = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .channelOption(.socketOption(.so_keepalive), value: 1)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        try address.addTLS(to: pipeline, trusting: trustRoots)
                        let silence = TimeAmount.nanoseconds(Int64(request.silence * 1e9))
                        try pipeline.addHandler(IdleStateHandler(readTimeout: silence))
                        try pipeline.addHTTPClientHandlers()
                        try pipeline.addHandlers([
                            RequestSender(address.head(request.headers)), StreamHandler(handle),
                        ])
                    }
                }
                .connect(host: address.host, port: address.port)
            connection.whenFailure { handle(.end(error: "\($0)")) }
            return { connection.whenSuccess { $0.close(promise: nil) } }
        }
    }

    private final class StreamHandler: ChannelInboundHandler {
        typealias InboundIn = HTTPClientResponsePart
        private let handle: @Sendable (StreamEvent) -> Void
        private var hasEnded = false

        init(_ handle: @escaping @Sendable (StreamEvent) -> Void) { self.handle = handle }

        private func end(_ error: String?, _ context: ChannelHandlerContext) {
            guard !hasEnded else { return }
            hasEnded = true
            handle(.end(error: error))
            context.close(promise: nil)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !hasEnded else { return }
            switch unwrapInboundIn(data) {
            case .head(let head):
                handle(.opened(status: Int(head.status.code), headers: head.headers.map { ($0.name, $0.value) }))
            case .body(let bytes): handle(.data(Array(bytes.readableBytesView)))
            case .end: end(nil, context)
            }
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if event is IdleStateHandler.IdleStateEvent { end("the server sends nothing any more", context) }
            context.fireUserInboundEventTriggered(event)
        }

        func channelInactive(context: ChannelHandlerContext) {
            end("the connection was lost", context)
            context.fireChannelInactive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { end("\(error)", context) }
    }
#endif
