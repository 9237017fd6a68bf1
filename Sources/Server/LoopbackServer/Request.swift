// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Browser
    import Foundation
    import NIOHTTP1

    /// A request of a browser.
    package struct Request: Sendable, Equatable {
        package var method = "GET"
        /// The path, not decoded.
        package var path: String
        /// The query items, decoded.
        package var query: [String: String] = [:]
        /// The `Host` header; nil if it's missing or repeated.
        package var host: String?
        /// The origin of the page that opens a socket.
        package var origin: String?
        package var cookies: [String: String] = [:]

        package init(path: String) { self.path = path }

        init(_ head: HTTPRequestHead) {
            method = head.method.rawValue
            let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            path = String(parts[0])
            if parts.count > 1 {
                query = Self.pairs(parts[1], separator: "&").compactMapValues(\.removingPercentEncoding)
            }
            let hosts = head.headers["host"]
            host = hosts.count == 1 ? hosts[0].lowercased() : nil
            let origins = head.headers["origin"]
            origin = origins.count == 1 ? origins[0].lowercased() : nil
            for line in head.headers["cookie"] {
                cookies.merge(Self.pairs(line[...], separator: ";")) { first, _ in first }
            }
        }

        private static func pairs(_ text: Substring, separator: Character) -> [String: String] {
            let pairs = text.split(separator: separator).map { part -> (String, String) in
                let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return (sides[0].trimmingCharacters(in: .whitespaces), sides.count > 1 ? String(sides[1]) : "")
            }
            return Dictionary(pairs) { first, _ in first }
        }
    }

    /// A response of the server.
    package struct Response: Sendable {
        package var status: Int
        package var type: String
        package var body: [UInt8]
        package var headers: [(String, String)] = []

        package init(status: Int = 200, type: String, _ body: [UInt8]) {
            (self.status, self.type, self.body) = (status, type, body)
        }

        /// Returns a page with an error message.
        package static func refusal(_ status: Int, _ text: String) -> Response {
            Response(status: status, type: "text/plain; charset=utf-8", Array((text + "\n").utf8))
        }

        /// Returns the headers of every response. The page runs only its own script and style, loads images, and can't
        /// be framed by other pages.
        static func policy(imageSources: [String]) -> [(String, String)] {
            let images = (["'self'", "data:"] + imageSources).joined(separator: " ")
            return [
                (
                    "Content-Security-Policy",
                    "default-src 'none'; script-src 'self'; style-src 'self'; img-src \(images); "
                        + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
                ),
                ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
                ("Cross-Origin-Opener-Policy", "same-origin"), ("Cache-Control", "no-store"),
            ]
        }
    }
#endif
