// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Sync || Server
    import Foundation

    package struct ServerURL: Sendable {
        package let host: String
        package let port: Int
        package let isSecure: Bool
        /// The path and the query.
        package let target: String
        package let user: String?

        /// Returns nil if the text isn't a URL with one of the schemes `secure`, for TLS, and `plain`.
        package init?(_ text: String, secure: String, plain: String? = nil) {
            guard let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty,
                let scheme = parts.scheme?.lowercased(), scheme == secure || scheme == plain
            else { return nil }
            isSecure = scheme == secure
            self.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
            port = parts.port ?? (isSecure ? 443 : 80)
            let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
            target = path + (parts.percentEncodedQuery.map { "?" + $0 } ?? "")
            user = parts.user
        }

        package var authority: String {
            let host = host.contains(":") ? "[\(host)]" : host
            return port == (isSecure ? 443 : 80) ? host : "\(host):\(port)"
        }

        /// The name that a TLS client sends to the server and verifies in its certificate; nil for an IP address, which
        /// isn't sent, and is verified instead.
        package var nameToVerify: String? {
            var address = in6_addr()
            return inet_pton(AF_INET, host, &address) == 1 || inet_pton(AF_INET6, host, &address) == 1 ? nil : host
        }
    }
#endif
