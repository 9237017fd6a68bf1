// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import NIOCore
    import NIOPosix

    package enum PlainRequest {
        /// Returns the whole response, until the server closes the connection.
        package static func answer(
            _ port: Int, _ line: String, host: String = "127.0.0.1", body: String = ""
        ) async throws -> String {
            let length = body.utf8.count
            let text = line + "\r\nHost: \(host)\r\nConnection: close\r\nContent-Length: \(length)\r\n\r\n" + body
            return try await send(text, port) { Collector($0) }.result.get()
        }

        /// Closes the connection as soon as a part of the response has arrived.
        package static func sendAndClose(_ port: Int, _ line: String) async throws {
            let (channel, result) = try await send(line + "\r\nHost: x\r\n\r\n", port) { Listener($0) }
            try await result.get()
            try await channel.close().get()
        }

        private static func send<Result: Sendable>(
            _ text: String, _ port: Int,
            _ makeHandler: @escaping @Sendable (EventLoopPromise<Result>) -> any ChannelInboundHandler
        ) async throws -> (channel: any Channel, result: EventLoopFuture<Result>) {
            let loop = WebSocketClient.group.next()
            let promise = loop.makePromise(of: Result.self)
            let connecting = ClientBootstrap(group: loop).connectTimeout(.minutes(5))
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(makeHandler(promise))
                    }
                }
                .connect(host: "127.0.0.1", port: port)
            connecting.whenFailure { promise.fail($0) }
            let channel = try await connecting.get()
            channel.writeAndFlush(channel.allocator.buffer(string: text), promise: nil)
            return (channel, promise.futureResult)
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
