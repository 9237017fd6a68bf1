// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmAccounts

    /// An HTTP API that believes what it is told: the token `token-NAME` is that of the user NAME, and of some names it
    /// is refused.
    package struct TestServices: AppServices {
        package init() {}

        package func respond(to request: ServiceRequest) async -> ServiceResponse {
            guard request.path.hasSuffix("/location") else {
                return ServiceResponse(
                    status: 404, headers: [("Content-Type", "application/json")], body: Array(#"{"error":"none"}"#.utf8)
                )
            }
            return ServiceResponse(
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
            default: return AccessGrant(app: app, user: user, expiry: .max)
            }
        }
    }
#endif
