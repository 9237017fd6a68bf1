// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import HTTPServing
    import NIOConcurrencyHelpers
    import RealmAccounts
    import RealmSystem

    /// An HTTP API that trusts its input: the token `token-NAME` belongs to the user NAME, and the tokens of some names
    /// are rejected. A second check finds the token of `late` revoked. The token of `short` lasts two seconds, and that
    /// of `brief` is valid until second 1000. The item `client` of a query is the address of the client.
    package struct TestServices: AppServices {
        private let revocations = EventObservers<Revocation>()
        private let lateLooks = NIOLockedValueBox(0)

        package init() {}

        package func observeRevocations(_ observer: @escaping @Sendable (Revocation) -> Void) {
            revocations.add(observer)
        }

        package func revoke(_ user: String, session: String? = nil) {
            revocations.publish(Revocation(app: "app", user: user, session: session))
        }

        package func client(of request: HTTPRequest) -> String { request.queryItems["client"] ?? request.peer }

        package func respond(to request: HTTPRequest) async -> HTTPResponse {
            guard request.path.hasSuffix("/location") else {
                return HTTPResponse(
                    status: 404, headers: [("Content-Type", "application/json")], body: Array(#"{"error":"none"}"#.utf8)
                )
            }
            return HTTPResponse(
                status: 200, headers: [("Content-Type", "application/json")],
                body: Array("{\"path\":\"\(request.path)\",\"body\":\(request.body.count)}".utf8))
        }

        package func verify(accessToken: String, app: String) async throws -> AccessGrant {
            guard accessToken.hasPrefix("token-") else { throw TokenError.malformed }
            let user = String(accessToken.dropFirst("token-".count))
            switch user {
            case "forged": throw TokenError.forged
            case "expired": throw TokenError.expired
            case "revoked": throw TokenError.revoked
            case "late":
                let looks = lateLooks.withLockedValue { looks in
                    looks += 1
                    return looks
                }
                guard looks % 2 == 1 else { throw TokenError.revoked }
                return AccessGrant(app: app, user: user, session: user, expiry: .max)
            case "short":
                return AccessGrant(
                    app: app, user: user, session: user, expiry: CurrentProcess.time / 1_000_000_000 + 2)
            case "brief": return AccessGrant(app: app, user: user, session: user, expiry: 1000)
            default: return AccessGrant(app: app, user: user, session: user, expiry: .max)
            }
        }
    }
#endif
