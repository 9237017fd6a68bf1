// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import HTTPServing
    import RealmAccounts

    /// `/api/client/v2.0/app/APP/realm-sync?baas_at=TOKEN` (§2.1). It has no description, so that tokens can't be
    /// logged.
    struct Endpoint {
        let app: String
        let token: String?

        init?(_ request: HTTPRequest) {
            let names = request.path.split(separator: "/", omittingEmptySubsequences: false)
            guard names.count == 7, names[0].isEmpty, names[1...4] == ["api", "client", "v2.0", "app"],
                names[6] == "realm-sync", let app = percentDecoded(names[5]), !app.isEmpty
            else { return nil }
            self.app = app
            token = request.queryItems["baas_at"]
        }
    }

    /// The reasons for rejecting a connection (§2.3).
    extension HTTPResponse {
        /// The client then requests a new token, or logs its user out.
        static func refusal(_ error: any Error) -> HTTPResponse {
            switch error as? TokenError {
            case .malformed, .forged, .expired: refusal(401, "the access token is not valid", closes: true)
            case .revoked, .wrongApp: refusal(403, "the user may not use this app", closes: true)
            case nil: refusal(503, "the server cannot look at the access token", closes: true)
            }
        }

        static let noToken = refusal(401, "the access token is missing", closes: true)
        static let noProtocol = refusal(400, "the client offers no sub-protocol that the server supports", closes: true)
        static let noUpgrade = refusal(426, "this address is for WebSockets", closes: true)
    }
#endif
