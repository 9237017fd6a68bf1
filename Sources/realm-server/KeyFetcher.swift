// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    /// Fetches the keys of issuers of tokens.
    enum KeyFetcher {
        private static let session: URLSession = {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.timeoutIntervalForRequest = 10
            return URLSession(configuration: configuration)
        }()

        private static let mostBytes = 1 << 20

        /// The text at a URL, which has to be one of HTTPS: what comes from there decides who users are.
        @Sendable static func fetch(_ text: String) async throws -> String {
            guard let url = URL(string: text), url.scheme == "https" else { throw URLError(.unsupportedURL) }
            let (data, response) = try await session.data(from: url)
            guard (response as? HTTPURLResponse)?.statusCode == 200, data.count <= mostBytes,
                let keys = String(data: data, encoding: .utf8)
            else { throw URLError(.badServerResponse) }
            return keys
        }
    }
#endif
