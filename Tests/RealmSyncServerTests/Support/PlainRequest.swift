// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import NIOCore
    import NIOPosix
    import ServerTestSupport

    /// A request of HTTP, as bytes.
    enum PlainRequest {
        /// All that the server answers until it ends the connection.
        static func answer(_ port: Int, _ line: String, body: String = "") async throws -> String {
            let text = line + "\r\nHost: x\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body
            let loop = WebSocketClient.group.next()
            let promise = loop.makePromise(of: String.self)
            let channel = try await ClientBootstrap(group: loop)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(Collector(promise))
                    }
                }
                .connect(host: "127.0.0.1", port: port).get()
            channel.writeAndFlush(channel.allocator.buffer(string: text), promise: nil)
            return try await promise.futureResult.get()
        }

        private final class Collector: ChannelInboundHandler {
            typealias InboundIn = ByteBuffer
            private let promise: EventLoopPromise<String>
            private var text = ""

            init(_ promise: EventLoopPromise<String>) { self.promise = promise }

            func channelRead(context: ChannelHandlerContext, data: NIOAny) {
                text += String(buffer: unwrapInboundIn(data))
            }

            func channelInactive(context: ChannelHandlerContext) { promise.succeed(text) }

            func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
        }
    }
#endif
