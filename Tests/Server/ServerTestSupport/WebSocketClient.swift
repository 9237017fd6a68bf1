// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import NIOConcurrencyHelpers
    import NIOCore
    import NIOHTTP1
    import NIOPosix
    import NIOSSL
    import NIOWebSocket

    /// A WebSocket of a client. Any thread may use it.
    package final class WebSocketClient: Sendable {
        package enum Event: Sendable {
            case message([UInt8])
            case closed(code: UInt16?)
        }

        /// The server responded with this status instead of an upgrade.
        package struct Refused: Error { package let status: Int }

        package let channel: any Channel
        package let protocolName: String?

        private init(_ channel: any Channel, _ protocolName: String?) {
            (self.channel, self.protocolName) = (channel, protocolName)
        }

        /// Opens a WebSocket. `handle` receives its events on the event loop.
        package static func connect(
            port: Int, uri: String = uri(user: "ann"), offers: [String], on loop: any EventLoop = group.next(),
            tls: NIOSSLContext? = nil, handle: @escaping @Sendable (Event) -> Void
        ) async throws -> WebSocketClient {
            let answer = loop.makePromise(of: String?.self)
            do {
                return try await open(port, uri, offers, loop, tls, answer, handle)
            } catch {
                answer.fail(error)
                throw error
            }
        }

        private static func open(
            _ port: Int, _ uri: String, _ offers: [String], _ loop: any EventLoop, _ tls: NIOSSLContext?,
            _ answer: EventLoopPromise<String?>, _ handle: @escaping @Sendable (Event) -> Void
        ) async throws -> WebSocketClient {
            let channel = try await ClientBootstrap(group: loop).connectTimeout(.minutes(5))
                .channelOption(.socketOption(.tcp_nodelay), value: 1)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        if let tls { try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: nil)) }
                        let opening = Opening(uri, offers, answer)
                        let upgrader = NIOWebSocketClientUpgrader(
                            maxFrameSize: 64 << 20, automaticErrorHandling: false,
                            upgradePipelineHandler: { channel, head in
                                channel.eventLoop.makeCompletedFuture {
                                    try channel.pipeline.syncOperations.addHandler(Frames(handle))
                                    answer.succeed(head.headers.first(name: "Sec-WebSocket-Protocol"))
                                }
                            })
                        let opener = NIOLoopBound(opening, eventLoop: channel.eventLoop)
                        try pipeline.addHTTPClientHandlers(
                            leftOverBytesStrategy: .forwardBytes,
                            withClientUpgrade: (
                                upgraders: [upgrader],
                                completionHandler: { context in
                                    context.pipeline.syncOperations.removeHandler(opener.value, promise: nil)
                                }
                            ))
                        try pipeline.addHandler(opening)
                    }
                }
                .connect(host: "127.0.0.1", port: port).get()
            do { return WebSocketClient(channel, try await answer.futureResult.get()) } catch {
                channel.close(promise: nil)
                throw error
            }
        }

        package static let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)

        package static func uri(user: String, app: String = "app") -> String {
            "/api/client/v2.0/app/\(app)/realm-sync?baas_at=token-\(user)"
        }

        /// Sends a message, or a frame of one.
        package func send(
            _ bytes: [UInt8], _ opcode: WebSocketOpcode = .binary, isLast: Bool = true, isMasked: Bool = true
        ) -> EventLoopFuture<Void> {
            let frame = WebSocketFrame(
                fin: isLast, opcode: opcode, maskKey: isMasked ? .random() : nil,
                data: channel.allocator.buffer(bytes: bytes))
            return channel.writeAndFlush(frame)
        }

        package func close() { channel.close(promise: nil) }

        private final class Opening: ChannelInboundHandler, RemovableChannelHandler {
            typealias InboundIn = HTTPClientResponsePart
            typealias OutboundOut = HTTPClientRequestPart
            private let uri: String
            private let offers: [String]
            private let answer: EventLoopPromise<String?>

            init(_ uri: String, _ offers: [String], _ answer: EventLoopPromise<String?>) {
                (self.uri, self.offers, self.answer) = (uri, offers, answer)
            }

            func channelActive(context: ChannelHandlerContext) {
                var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: uri)
                head.headers.add(name: "Host", value: "127.0.0.1")
                if !offers.isEmpty {
                    head.headers.add(name: "Sec-WebSocket-Protocol", value: offers.joined(separator: ", "))
                }
                context.write(wrapOutboundOut(.head(head)), promise: nil)
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
                context.fireChannelActive()
            }

            func channelRead(context: ChannelHandlerContext, data: NIOAny) {
                if case .head(let head) = unwrapInboundIn(data) { answer.fail(Refused(status: Int(head.status.code))) }
            }

            func channelInactive(context: ChannelHandlerContext) {
                answer.fail(ChannelError.eof)
                context.fireChannelInactive()
            }

            func errorCaught(context: ChannelHandlerContext, error: any Error) {
                answer.fail(error)
                context.close(promise: nil)
            }
        }

        private final class Frames: ChannelInboundHandler {
            typealias InboundIn = WebSocketFrame
            typealias OutboundOut = WebSocketFrame
            private let handle: @Sendable (Event) -> Void
            private var message: [UInt8] = []
            private var code: UInt16?

            init(_ handle: @escaping @Sendable (Event) -> Void) { self.handle = handle }

            func channelRead(context: ChannelHandlerContext, data: NIOAny) {
                let frame = unwrapInboundIn(data)
                switch frame.opcode {
                case .binary, .continuation:
                    message += Array(frame.data.readableBytesView)
                    guard frame.fin else { return }
                    handle(.message(message))
                    message = []
                case .connectionClose:
                    code = frame.data.getInteger(at: frame.data.readerIndex)
                    context.close(promise: nil)
                default: break
                }
            }

            func channelInactive(context: ChannelHandlerContext) {
                handle(.closed(code: code))
                context.fireChannelInactive()
            }

            func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
        }
    }
#endif
