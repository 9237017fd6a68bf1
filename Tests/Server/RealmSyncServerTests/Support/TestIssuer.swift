// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import NIOConcurrencyHelpers
    import NIOCore
    import NIOHTTP1
    import NIOPosix
    import NIOSSL
    import RealmTestSupport

    /// An issuer of tokens that serves requests over TLS on the loopback address.
    final class TestIssuer: Sendable {
        struct Answer: Sendable, ExpressibleByStringLiteral {
            var text: String
            var status = 200
            var headers: [String: String] = [:]
            var isChunked = false

            init(_ text: String, status: Int = 200, headers: [String: String] = [:], isChunked: Bool = false) {
                (self.text, self.status, self.headers, self.isChunked) = (text, status, headers, isChunked)
            }

            init(stringLiteral text: String) { self.init(text) }
        }

        private let channel: any Channel
        private let asked: NIOLockedValueBox<[String]>

        /// - Parameter answer: returns nil for a path without a response.
        init(
            _ certificate: String = TestCertificate.issued, _ key: String = TestCertificate.issuedKey,
            _ answer: @escaping @Sendable (_ path: String) -> Answer?
        ) async throws {
            let asked = NIOLockedValueBox<[String]>([])
            self.asked = asked
            let configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: [
                    .certificate(try NIOSSLCertificate(bytes: Array(certificate.utf8), format: .pem))
                ],
                privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem)))
            let security = try NIOSSLContext(configuration: configuration)
            channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        try pipeline.addHandler(NIOSSLServerHandler(context: security))
                        try pipeline.configureHTTPServerPipeline()
                        try pipeline.addHandler(
                            Answerer { path in
                                asked.withLockedValue { $0.append(path) }
                                return answer(path)
                            })
                    }
                }
                .bind(host: "127.0.0.1", port: 0).get()
            TestCleanup.add { [channel] in try? await channel.close() }
        }

        var port: Int { channel.localAddress?.port ?? 0 }

        var requests: [String] { asked.withLockedValue { $0 } }

        func stop() async throws { try await channel.close() }
    }

    private final class Answerer: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let answer: (String) -> TestIssuer.Answer?

        init(_ answer: @escaping (String) -> TestIssuer.Answer?) { self.answer = answer }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .head(let request) = unwrapInboundIn(data), let answer = answer(request.uri) else { return }
            var head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: answer.status))
            for (name, value) in answer.headers { head.headers.add(name: name, value: value) }
            if !answer.isChunked { head.headers.add(name: "Content-Length", value: "\(answer.text.utf8.count)") }
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: answer.text)))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }

        /// Clients that don't trust the certificate disconnect.
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
#endif
