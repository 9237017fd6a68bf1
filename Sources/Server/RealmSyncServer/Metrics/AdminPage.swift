// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import ConnectionGuard
    import NIOCore
    import NIOHTTP1
    import NIOPosix

    /// Serves `/metrics` and `/health` on a separate port, for the operators of the server.
    struct AdminPage: Sendable {
        let metrics: PrometheusMetrics
        let connections: Connections

        init(_ metrics: PrometheusMetrics, connectionCount count: Int) {
            self.metrics = metrics
            connections = Connections(Connections.Limits(all: count, admitted: count, strangersOfPeer: count))
        }

        func listen(host: String, port: Int, on group: any EventLoopGroup) async throws -> any Channel {
            let (metrics, connections) = (metrics, connections)
            return try await ServerBootstrap(group: group)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .serverChannelInitializer(connections.admission { _ in nil })
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        try pipeline.addHandler(RequestClock(channel, connections, patience: .seconds(10)))
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
                let hosts = request.headers["Host"]
                guard hosts.count == 1, LoopbackNames.contains(header: hosts[0]) else {
                    return (.forbidden, "The header Host has to name this machine, as in localhost.\n")
                }
                switch request.uri {
                case "/metrics": return (.ok, metrics.text)
                case "/health": return (.ok, "ok\n")
                default: return (.notFound, "There are /metrics and /health.\n")
                }
            }

            func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
        }
    }
#endif
