// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import NIOCore
    import NIOHTTP1
    import NIOSSL
    import RealmAccounts
    import RealmSyncTransport
    import RealmSystem

    /// A client that fetches the keys of token issuers over HTTPS, for the hook `fetchKeys`.
    ///
    /// Because the fetched keys authenticate users, the issuer's certificate is verified, both its name and its
    /// authority, and redirects aren't followed.
    public struct KeyFetcher: Sendable {
        private let security: NIOSSLContext
        private let timeLimit: Duration
        private static let maxBytes = 1 << 20

        /// Creates a fetcher.
        ///
        /// - Parameters:
        ///   - authorities: The path of a PEM file with certificate authorities to trust in addition to those of the
        ///     machine.
        ///   - timeLimit: The time limit for a response.
        /// - Throws: An error if the file can't be read.
        public init(authorities: String? = nil, timeLimit: Duration = .seconds(10)) throws {
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.minimumTLSVersion = .tlsv12
            if let authorities { configuration.additionalTrustRoots = [.file(authorities)] }
            security = try NIOSSLContext(configuration: configuration)
            self.timeLimit = timeLimit
        }

        /// An error in a response, or a URL that isn't an HTTPS URL.
        public struct Failure: Error, CustomStringConvertible {
            /// The cause of the error.
            public let description: String
        }

        /// Returns the keys at an HTTPS URL.
        ///
        /// - Throws: `Failure`, or an error of the network or of TLS.
        public func fetch(_ url: String) async throws -> FetchedKeys {
            guard let address = ServerURL(url, secure: "https"), address.user == nil else {
                throw Failure(description: "'\(url)' isn't an HTTPS URL")
            }
            do {
                return try await TimeLimit.run(timeLimit) { [self] in try await request(address) }
            } catch is TimeLimit.Exceeded {
                throw Failure(description: "the answer takes too long")
            }
        }

        private func request(_ address: ServerURL) async throws -> FetchedKeys {
            let exchange = HTTPExchange(
                host: address.host, port: address.port, security: (security, address.nameToVerify),
                maxBytes: KeyFetcher.maxBytes, connectTimeout: TimeAmount(timeLimit))
            let (head, body): (HTTPResponseHead, [UInt8])
            do {
                (head, body) = try await exchange.response(
                    .GET, address.target, ["Host": address.authority, "Accept": "application/json"])
            } catch let error as HTTPExchange.Failure {
                throw Failure(description: error.description)
            }
            guard head.status == .ok else {
                throw Failure(description: "the answer has the status \(head.status.code)")
            }
            guard let text = String(validatedUTF8: body) else {
                throw Failure(description: "the response isn't UTF-8 text")
            }
            return FetchedKeys(text, lifetime: KeyFetcher.lifetime(head.headers).map { .seconds($0) })
        }

        /// Returns the maximum age minus the current age (RFC 9111) in seconds, or `nil` without a maximum age.
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
