// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Browser
    import HTTPServing

    /// A request from a page of another origin is rejected: it contains another host or origin, and no key.
    package struct Gate: Sendable {
        /// `nil` if requests don't need a key.
        let key: ServerKey?
        let ticket: EntryTicket
        let names: Set<String>
        /// If the server listens on all addresses, any IP address is accepted as a host name.
        let allowsAddresses: Bool

        /// Contains the port, because browsers share cookies among all ports of a host.
        static func cookie(port: Int) -> String { "regnum-\(port)" }

        enum Verdict: Equatable {
            case allowed
            /// The URL contains the key, which is moved to a cookie.
            case enter
            /// The URL contains the key of a ticket, which has been revoked.
            case enterByTicket
            case refused(Int, String)
        }

        func judge(_ request: HTTPRequest) -> Verdict {
            guard isOurs(request.host, request.port) else {
                return .refused(403, "This server does not have that name.")
            }
            guard request.method == "GET" else { return .refused(405, "There is nothing but GET.") }
            guard let key else { return .allowed }
            if request.path == "/", let given = request.queryItems["key"] {
                if key.matches(given) { return .enter }
                if ticket.use(given) { return .enterByTicket }
            }
            if let given = request.cookie(Gate.cookie(port: request.port)), key.matches(given) { return .allowed }
            return .refused(403, "Open the address with the key that the program printed when it started.")
        }

        /// Only the server's own page can open a socket.
        func mayConnect(_ request: HTTPRequest) -> Bool {
            guard request.path == "/socket", judge(request) == .allowed, let host = request.host else { return false }
            return request.onlyValue("origin")?.lowercased() == "http://" + host
        }

        private func isOurs(_ host: String?, _ port: Int) -> Bool {
            guard let host, host.hasSuffix(":\(port)") else { return false }
            let name = host.dropLast("\(port)".count + 1)
            return names.contains(String(name))
                || allowsAddresses && name.allSatisfy { $0.isHexDigit || ".:[]".contains($0) }
        }
    }

    extension HTTPRequest {
        fileprivate var host: String? { onlyValue("host")?.lowercased() }

        fileprivate func cookie(_ name: String) -> String? {
            for pair in values("cookie").flatMap({ $0.split(separator: ";") }) {
                let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                if trimmed(sides[0]) == name { return sides.count > 1 ? String(sides[1]) : "" }
            }
            return nil
        }
    }
#endif
