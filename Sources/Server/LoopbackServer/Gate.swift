// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Browser
    /// Decides which requests the server responds to.
    ///
    /// Requests from a page of another origin are rejected: they name another host or origin, and have no key.
    package struct Gate: Sendable {
        /// nil if no key is needed.
        let key: ServerKey?
        let ticket: EntryTicket
        /// The host names of the server, with its port.
        let hosts: Set<String>
        /// Whether the server listens on all addresses: then any address is accepted as a host name.
        let allowsAddresses: Bool
        let port: Int

        /// The name of the cookie. It contains the port, because browsers share cookies among all ports of a host.
        var cookie: String { "regnum-\(port)" }

        enum Verdict: Equatable {
            case allowed
            /// The address has the key, which is moved to a cookie.
            case enter
            /// The address has the key of a ticket, which is then used up.
            case enterByTicket
            case refused(Int, String)
        }

        func judge(_ request: Request) -> Verdict {
            guard isOurs(request.host) else { return .refused(403, "This server does not have that name.") }
            guard request.method == "GET" else { return .refused(405, "There is nothing but GET.") }
            guard let key else { return .allowed }
            if request.path == "/", let given = request.query["key"] {
                if key.matches(given) { return .enter }
                if ticket.use(given) { return .enterByTicket }
            }
            if let given = request.cookies[cookie], key.matches(given) { return .allowed }
            return .refused(403, "Open the address with the key that the program printed when it started.")
        }

        /// Whether a socket may be opened: only the server's own page may open one.
        func mayConnect(_ request: Request) -> Bool {
            guard request.path == "/socket", judge(request) == .allowed, let host = request.host else { return false }
            return request.origin == "http://" + host
        }

        private func isOurs(_ host: String?) -> Bool {
            guard let host else { return false }
            if hosts.contains(host) { return true }
            guard allowsAddresses, host.hasSuffix(":\(port)") else { return false }
            return host.dropLast("\(port)".count + 1).allSatisfy { $0.isHexDigit || ".:[]".contains($0) }
        }
    }
#endif
