// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import NIOCore
    import NIOPosix

    /// A request of HTTP, as bytes.
    package enum PlainRequest {
        /// All that the server answers until it ends the connection.
        package static func answer(_ port: Int, _ line: String, body: String = "") async throws -> String {
            let text = line + "\r\nHost: x\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body
            let loop = WebSocketClient.group.next()
            let promise = loop.makePromise(of: String.self)
            let connecting = ClientBootstrap(group: loop)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(Collector(promise))
                    }
                }
                .connect(host: "127.0.0.1", port: port)
            connecting.whenFailure { promise.fail($0) }
            let channel = try await connecting.get()
            channel.writeAndFlush(channel.allocator.buffer(string: text), promise: nil)
            return try await promise.futureResult.get()
        }

        /// Ends the connection as soon as there is something of an answer.
        package static func hear(_ port: Int, _ line: String) async throws {
            let loop = WebSocketClient.group.next()
            let promise = loop.makePromise(of: Void.self)
            let connecting = ClientBootstrap(group: loop)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(Listener(promise))
                    }
                }
                .connect(host: "127.0.0.1", port: port)
            connecting.whenFailure { promise.fail($0) }
            let channel = try await connecting.get()
            channel.writeAndFlush(channel.allocator.buffer(string: line + "\r\nHost: x\r\n\r\n"), promise: nil)
            try await promise.futureResult.get()
            try await channel.close().get()
        }

        private final class Listener: ChannelInboundHandler {
            typealias InboundIn = ByteBuffer
            private let promise: EventLoopPromise<Void>

            init(_ promise: EventLoopPromise<Void>) { self.promise = promise }

            func channelRead(context: ChannelHandlerContext, data: NIOAny) { promise.succeed() }

            func channelInactive(context: ChannelHandlerContext) { promise.succeed() }
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
