// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import NIOCore
    import NIOHTTP1
    import NIOPosix

    /// Serves `/metrics` and `/health` on a port of its own, to those who run the server.
    struct AdminPage: Sendable {
        let metrics: PrometheusMetrics

        func listen(host: String, port: Int, on group: any EventLoopGroup) async throws -> any Channel {
            let metrics = metrics
            return try await ServerBootstrap(group: group)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        try pipeline.addHandler(IdleStateHandler(readTimeout: .seconds(30)))
                        try pipeline.configureHTTPServerPipeline()
                        try pipeline.addHandler(Handler(metrics))
                    }
                }
                .bind(host: host, port: port).get()
        }

        private final class Handler: ChannelInboundHandler {
            typealias InboundIn = HTTPServerRequestPart
            typealias OutboundOut = HTTPServerResponsePart

            private let metrics: PrometheusMetrics

            init(_ metrics: PrometheusMetrics) { self.metrics = metrics }

            func channelRead(context: ChannelHandlerContext, data: NIOAny) {
                guard case .head(let request) = unwrapInboundIn(data) else { return }
                let (status, text) = answer(request)
                let headers: HTTPHeaders = [
                    "Content-Type": "text/plain; version=0.0.4; charset=utf-8", "Content-Length": "\(text.utf8.count)",
                    "Connection": "close",
                ]
                context.write(
                    wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers))),
                    promise: nil)
                context.write(
                    wrapOutboundOut(.body(.byteBuffer(context.channel.allocator.buffer(string: text)))), promise: nil)
                let channel = context.channel
                context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
            }

            private func answer(_ request: HTTPRequestHead) -> (HTTPResponseStatus, String) {
                switch request.uri {
                case "/metrics": (.ok, metrics.text)
                case "/health": (.ok, "ok\n")
                default: (.notFound, "There are /metrics and /health.\n")
                }
            }

            func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
                if event is IdleStateHandler.IdleStateEvent { context.close(promise: nil) }
            }

            func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
        }
    }
#endif
