// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server || Browser
    import HTTPServing

    /// A request from a page of another origin is rejected: it contains another host or origin, and no key.
    package struct Gate: Sendable {
        /// `nil` if requests don't need a key.
        let key: ServerKey?
        let ticket: EntryTicket
        let names: Set<String>
        /// If the server listens on all addresses, any IP address is accepted as a host name.
        let allowsAddresses: Bool
        var openPaths: Set<String> = []
        var allowsChanges = false

        /// Contains the port, because browsers share cookies among all ports of a host.
        static func cookie(port: Int) -> String { "regnum-\(port)" }

        enum Verdict: Equatable {
            case allowed
            /// The path doesn't need the key.
            case open
            /// The URL contains the key, which is moved to a cookie.
            case enter
            /// The URL contains the key of a ticket, which has been revoked.
            case enterByTicket
            case refused(Int, String)
        }

        func judge(_ request: HTTPRequest) -> Verdict {
            if openPaths.contains(request.path), request.method == "GET" {
                return LoopbackNames.contains(header: request.host ?? "")
                    ? .open : .refused(403, "The header Host has to name this machine, as in localhost.")
            }
            guard isOurs(request.host, request.port) else {
                return .refused(403, "This server does not have that name.")
            }
            if allowsChanges, request.method == "POST" || request.method == "DELETE" { return judgeChange(request) }
            guard request.method == "GET" else { return .refused(405, "There is nothing but GET.") }
            guard let key else { return .allowed }
            if key.isBearer(of: request) { return .allowed }
            if request.path == "/", let given = request.queryItems["key"] {
                if key.matches(given) { return .enter }
                if ticket.use(given) { return .enterByTicket }
            }
            return hasCookie(request, key) ? .allowed : .withoutKey
        }

        /// A browser sends the cookie with a form of any page of this machine, and names the page's origin. A program
        /// sends the key itself.
        private func judgeChange(_ request: HTTPRequest) -> Verdict {
            let isProgram = key?.isBearer(of: request) == true && request.values("origin").isEmpty
            guard isProgram || isFromOurPage(request) else {
                return .refused(403, "Only the server's own page, or a program with the key, can change anything.")
            }
            guard let key, !isProgram else { return .allowed }
            return hasCookie(request, key) ? .allowed : .withoutKey
        }

        private func hasCookie(_ request: HTTPRequest, _ key: ServerKey) -> Bool {
            request.cookie(Gate.cookie(port: request.port)).map { key.matches($0) } ?? false
        }

        private func isFromOurPage(_ request: HTTPRequest) -> Bool {
            guard let host = request.host else { return false }
            return request.onlyValue("origin")?.lowercased() == "http://" + host
        }

        /// Only the server's own page can open a socket.
        func mayConnect(_ request: HTTPRequest) -> Bool {
            request.path == "/socket" && judge(request) == .allowed && isFromOurPage(request)
        }

        private func isOurs(_ host: String?, _ port: Int) -> Bool {
            guard let host, host.hasSuffix(":\(port)") else { return false }
            let name = host.dropLast("\(port)".count + 1)
            return names.contains(String(name))
                || allowsAddresses && name.allSatisfy { $0.isHexDigit || ".:[]".contains($0) }
        }
    }

    extension Gate.Verdict {
        fileprivate static let withoutKey = Gate.Verdict.refused(
            403, "Open the address with the key that the program printed when it started.")
    }

    extension ServerKey {
        fileprivate func isBearer(of request: HTTPRequest) -> Bool {
            guard let header = request.onlyValue("authorization"), header.hasPrefix("Bearer ") else { return false }
            return matches(String(header.dropFirst("Bearer ".count)))
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
