// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import NIOCore
    import NIOHTTP1
    import NIOPosix
    import NIOSSL
    import RealmAccounts
    import RealmSystem

    /// Fetches the keys of token issuers over HTTPS, for `AppHooks.fetchKeys`.
    ///
    /// The fetched keys authenticate users, so the issuer's certificate is verified, by its name and by the authorities
    /// that this machine trusts, and redirects aren't followed.
    public struct KeyFetcher: Sendable {
        private let security: NIOSSLContext
        private let timeLimit: TimeAmount
        private static let maxBytes = 1 << 20

        /// - Parameters:
        ///   - authorities: a PEM file of certificate authorities that are trusted in addition to those of the machine.
        ///   - timeLimit: the number of seconds after which an incomplete response is abandoned.
        /// - Throws: an error if the file can't be read.
        public init(authorities: String? = nil, timeLimit: Int64 = 10) throws {
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.minimumTLSVersion = .tlsv12
            if let authorities { configuration.additionalTrustRoots = [.file(authorities)] }
            security = try NIOSSLContext(configuration: configuration)
            self.timeLimit = .seconds(timeLimit)
        }

        /// The reason a fetch failed.
        public struct Failure: Error, CustomStringConvertible {
            public let description: String
        }

        /// Returns the keys at a URL, which must be an HTTPS URL.
        ///
        /// - Throws: `Failure`, or an error of the network or of TLS.
        public func fetch(_ url: String) async throws -> FetchedKeys {
            guard let place = SecurePlace(url) else { throw Failure(description: "'\(url)' is no address of HTTPS") }
            let promise = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: FetchedKeys.self)
            let (security, timeLimit) = (security, timeLimit)
            ClientBootstrap(group: promise.futureResult.eventLoop)
                .connectTimeout(timeLimit)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        try pipeline.addHandler(
                            NIOSSLClientHandler(context: security, serverHostname: place.nameToVerify))
                        try pipeline.addHTTPClientHandlers()
                        try pipeline.addHandler(
                            KeyRequest(place, promise, maxBytes: Self.maxBytes, timeLimit: timeLimit))
                    }
                }
                .connect(host: place.host, port: place.port)
                .whenFailure { promise.fail($0) }
            return try await promise.futureResult.get()
        }
    }

    /// The parts of an HTTPS URL that a request needs.
    private struct SecurePlace {
        let host: String
        let port: Int
        let target: String

        init?(_ url: String) {
            guard let parts = URLComponents(string: url), let host = parts.host, !host.isEmpty, parts.user == nil,
                parts.scheme?.lowercased() == "https"
            else { return nil }
            self.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
            port = parts.port ?? 443
            let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
            target = path + (parts.percentEncodedQuery.map { "?" + $0 } ?? "")
        }

        /// The value of the header `Host`.
        var authority: String {
            let host = host.contains(":") ? "[\(host)]" : host
            return port == 443 ? host : "\(host):\(port)"
        }

        /// The name to verify in the certificate; nil for an IP address, which is verified instead.
        var nameToVerify: String? { (try? SocketAddress(ipAddress: host, port: port)) == nil ? host : nil }
    }

    /// Requests a document, and closes the connection after the response.
    private final class KeyRequest: ChannelInboundHandler {
        typealias InboundIn = HTTPClientResponsePart
        typealias OutboundOut = HTTPClientRequestPart

        private let place: SecurePlace
        private let maxBytes: Int
        private let timeLimit: TimeAmount
        private var promise: EventLoopPromise<FetchedKeys>?
        private var timer: Scheduled<Void>?
        private var lifetime: Int64?
        private var body: [UInt8] = []

        init(
            _ place: SecurePlace, _ promise: EventLoopPromise<FetchedKeys>, maxBytes: Int, timeLimit: TimeAmount
        ) {
            (self.place, self.promise, self.maxBytes, self.timeLimit) = (place, promise, maxBytes, timeLimit)
        }

        func handlerAdded(context: ChannelHandlerContext) {
            timer = context.eventLoop.assumeIsolated().scheduleTask(in: timeLimit) {
                self.end(context, .failure(KeyFetcher.Failure(description: "the answer takes too long")))
            }
        }

        func channelActive(context: ChannelHandlerContext) {
            var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: place.target)
            head.headers.add(name: "Host", value: place.authority)
            head.headers.add(name: "Accept", value: "application/json")
            head.headers.add(name: "Connection", value: "close")
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head):
                guard head.status == .ok else {
                    return fail(context, "the answer has the status \(head.status.code)")
                }
                lifetime = KeyRequest.lifetime(head.headers)
            case .body(let bytes):
                guard body.count + bytes.readableBytes <= maxBytes else {
                    return fail(context, "the answer has more than \(maxBytes) bytes")
                }
                body += bytes.readableBytesView
            case .end:
                guard let text = String(validatedUTF8: body) else {
                    return fail(context, "the answer is no text")
                }
                end(context, .success(FetchedKeys(text, lifetime: lifetime)))
            }
        }

        func channelInactive(context: ChannelHandlerContext) { fail(context, "the answer is not complete") }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { end(context, .failure(error)) }

        private func fail(_ context: ChannelHandlerContext, _ text: String) {
            end(context, .failure(KeyFetcher.Failure(description: text)))
        }

        private func end(_ context: ChannelHandlerContext, _ result: Result<FetchedKeys, any Error>) {
            timer?.cancel()
            timer = nil
            promise?.completeWith(result)
            promise = nil
            context.close(promise: nil)
        }

        /// Returns the seconds for which the response may be used (RFC 9111): its maximum age minus its current age;
        /// nil if it has no maximum age.
        private static func lifetime(_ headers: HTTPHeaders) -> Int64? {
            let directives = headers[canonicalForm: "Cache-Control"].map { $0.lowercased() }
            if directives.contains("no-store") || directives.contains("no-cache") { return 0 }
            let greatest = directives.compactMap { directive -> Int64? in
                directive.hasPrefix("max-age=") ? Int64(directive.dropFirst("max-age=".count)) : nil
            }.min()
            guard let greatest else { return nil }
            return max(0, greatest - max(0, headers.first(name: "Age").flatMap { Int64($0) } ?? 0))
        }
    }
#endif
