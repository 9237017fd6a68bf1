// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import NIOCore
    import NIOHTTP1
    import NIOPosix
    import NIOSSL

    /// A request to an HTTP server, on a connection of its own.
    struct HTTPExchange: Sendable {
        let host: String
        let port: Int
        /// The TLS settings, and the host name to verify. `nil` for a connection without TLS.
        var security: (context: NIOSSLContext, name: String?)?
        /// The maximum size of the response's body, in bytes.
        let maxBytes: Int
        let connectTimeout: TimeAmount

        struct Failure: Error {
            let description: String
        }

        /// - Throws: `Failure` if the response is too long or incomplete; an error of the network or of TLS.
        func response(
            _ method: HTTPMethod, _ target: String, _ headers: HTTPHeaders, _ body: [UInt8] = []
        ) async throws -> (head: HTTPResponseHead, body: [UInt8]) {
            let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connectTimeout(connectTimeout)
                .connect(host: host, port: port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        if let (context, name) = security {
                            try pipeline.addHandler(NIOSSLClientHandler(context: context, serverHostname: name))
                        }
                        try pipeline.addHTTPClientHandlers()
                        return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
                            wrappingChannelSynchronously: channel)
                    }
                }
            return try await channel.executeThenClose { parts, outbound in
                var headers = headers
                headers.replaceOrAdd(name: "Connection", value: "close")
                if !body.isEmpty { headers.replaceOrAdd(name: "Content-Length", value: "\(body.count)") }
                let head = HTTPRequestHead(version: .http1_1, method: method, uri: target, headers: headers)
                let content = body.isEmpty ? [] : [HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: body)))]
                try await outbound.write(contentsOf: [.head(head)] + content + [.end(nil)])
                return try await collect(parts)
            }
        }

        private func collect(
            _ parts: NIOAsyncChannelInboundStream<HTTPClientResponsePart>
        ) async throws -> (HTTPResponseHead, [UInt8]) {
            var head: HTTPResponseHead?
            var body: [UInt8] = []
            for try await part in parts {
                switch part {
                case .head(let received): head = received
                case .body(let bytes):
                    guard body.count + bytes.readableBytes <= maxBytes else {
                        throw Failure(description: "the answer has more than \(maxBytes) bytes")
                    }
                    body += bytes.readableBytesView
                case .end: if let head { return (head, body) }
                }
            }
            throw Failure(description: "the answer is not complete")
        }
    }
#endif
