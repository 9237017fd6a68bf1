// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Browser
    import HTTPServing

    /// Decides which requests the server responds to.
    ///
    /// Requests from a page of another origin are rejected: they name another host or origin, and have no key.
    package struct Gate: Sendable {
        /// nil if no key is needed.
        let key: ServerKey?
        let ticket: EntryTicket
        /// The host names of the server.
        let names: Set<String>
        /// Whether the server listens on all addresses: then any address is accepted as a host name.
        let allowsAddresses: Bool

        /// The name of the cookie. It contains the port, because browsers share cookies among all ports of a host.
        static func cookie(port: Int) -> String { "regnum-\(port)" }

        enum Verdict: Equatable {
            case allowed
            /// The address has the key, which is moved to a cookie.
            case enter
            /// The address has the key of a ticket, which is then used up.
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

        /// Whether a socket may be opened: only the server's own page may open one.
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

        /// Returns the value of the first cookie with a name.
        fileprivate func cookie(_ name: String) -> String? {
            for pair in values("cookie").flatMap({ $0.split(separator: ";") }) {
                let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                if trimmed(sides[0]) == name { return sides.count > 1 ? String(sides[1]) : "" }
            }
            return nil
        }
    }
#endif
