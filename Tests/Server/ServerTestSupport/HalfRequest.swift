// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import NIOConcurrencyHelpers
    import NIOCore
    import NIOPosix

    /// A connection whose client sends part of a request, and then byte by byte. Any thread may use it.
    package final class HalfRequest: Sendable {
        private let channel: any Channel
        private let endTime = NIOLockedValueBox<ContinuousClock.Instant?>(nil)
        private let answerText = NIOLockedValueBox("")

        /// - Parameter source: The source address of the connection.
        package init(port: Int, _ text: String, from source: String? = nil) async throws {
            let answer = answerText
            var bootstrap = ClientBootstrap(group: WebSocketClient.group).connectTimeout(.minutes(5))
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(Reader(answer))
                    }
                }
            if let source { bootstrap = bootstrap.bind(to: try SocketAddress(ipAddress: source, port: 0)) }
            channel = try await bootstrap.connect(host: "127.0.0.1", port: port).get()
            channel.closeFuture.whenComplete { [endTime] _ in endTime.withLockedValue { $0 = .now } }
            send(text)
        }

        package func send(_ text: String) {
            channel.writeAndFlush(channel.allocator.buffer(string: text), promise: nil)
        }

        package var ended: ContinuousClock.Instant? { endTime.withLockedValue { $0 } }

        package var isOpen: Bool { ended == nil }

        package var answer: String { answerText.withLockedValue { $0 } }

        package func close() { channel.close(promise: nil) }

        private final class Reader: ChannelInboundHandler {
            typealias InboundIn = ByteBuffer
            private let text: NIOLockedValueBox<String>

            init(_ text: NIOLockedValueBox<String>) { self.text = text }

            func channelRead(context: ChannelHandlerContext, data: NIOAny) {
                text.withLockedValue { $0 += String(buffer: unwrapInboundIn(data)) }
            }

            func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
        }
    }
#endif
