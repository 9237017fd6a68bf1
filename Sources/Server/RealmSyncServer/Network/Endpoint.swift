// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import NIOHTTP1
    import RealmAccounts

    /// The address of the sync endpoint: `/api/client/v2.0/app/APP/realm-sync?baas_at=TOKEN` (§2.1).
    ///
    /// It has no description, so that tokens can't be logged.
    struct Endpoint {
        let app: String
        let token: String?

        /// Nil if the request is for another address.
        init?(uri: String) {
            let parts = uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            let names = parts[0].split(separator: "/", omittingEmptySubsequences: false)
            guard names.count == 7, names[0].isEmpty, names[1...4] == ["api", "client", "v2.0", "app"],
                names[6] == "realm-sync", let app = names[5].removingPercentEncoding, !app.isEmpty
            else { return nil }
            self.app = app
            token =
                parts.count < 2
                ? nil
                : parts[1].split(separator: "&").lazy.compactMap { item -> String? in
                    guard item.hasPrefix("baas_at=") else { return nil }
                    return item.dropFirst("baas_at=".count).removingPercentEncoding
                }.first
        }

        /// Returns the sub-protocols that a client offers.
        static func offers(_ headers: HTTPHeaders) -> [String] {
            headers[canonicalForm: "sec-websocket-protocol"].map(String.init)
        }
    }

    /// The reason a connection is rejected (§2.3).
    struct Refusal: Sendable {
        let status: Int
        let text: String

        /// The client requests a new token, or logs its user out.
        init(_ error: any Error) {
            switch error as? TokenError {
            case .malformed, .forged, .expired: (status, text) = (401, "the access token is not valid")
            case .revoked, .wrongApp: (status, text) = (403, "the user may not use this app")
            case nil: (status, text) = (503, "the server cannot look at the access token")
            }
        }

        init(_ status: Int, _ text: String) { (self.status, self.text) = (status, text) }

        static let noToken = Refusal(401, "there is no access token")
        static let noProtocol = Refusal(400, "the client offers no sub-protocol that the server knows")
        static let noUpgrade = Refusal(426, "this address is for WebSockets")
        static let stopping = Refusal(503, "the server goes down")
        static let full = Refusal(503, "the server has no room for a further connection")
    }
#endif
