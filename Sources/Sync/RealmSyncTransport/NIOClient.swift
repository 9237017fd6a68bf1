// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if !canImport(Darwin) && Sync
    import NIOCore
    import NIOHTTP1
    import NIOSSL

    extension ServerURL {
        /// Adds TLS if the URL is that of a secure server.
        ///
        /// - Parameter trustRoots: `nil` for those of the system.
        func addTLS(
            to pipeline: ChannelPipeline.SynchronousOperations, trusting trustRoots: [NIOSSLCertificate]?
        ) throws {
            guard isSecure else { return }
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.minimumTLSVersion = .tlsv12
            if let trustRoots { configuration.trustRoots = .certificates(trustRoots) }
            try pipeline.addHandler(
                NIOSSLClientHandler(
                    context: NIOSSLContext(configuration: configuration), serverHostname: nameToVerify))
        }

        /// The head of a GET request.
        func head(_ headers: [(name: String, value: String)]) -> HTTPRequestHead {
            HTTPRequestHead(
                version: .http1_1, method: .GET, uri: target, headers: HTTPHeaders([("Host", authority)] + headers))
        }
    }

    /// Sends a request without a body as soon as the connection is active.
    final class RequestSender: ChannelInboundHandler {
        typealias InboundIn = HTTPClientResponsePart
        typealias OutboundOut = HTTPClientRequestPart
        private let head: HTTPRequestHead
        private var hasSent = false

        init(_ head: HTTPRequestHead) { self.head = head }

        func handlerAdded(context: ChannelHandlerContext) { if context.channel.isActive { send(context) } }

        func channelActive(context: ChannelHandlerContext) {
            send(context)
            context.fireChannelActive()
        }

        private func send(_ context: ChannelHandlerContext) {
            guard !hasSent else { return }
            hasSent = true
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }
#endif
