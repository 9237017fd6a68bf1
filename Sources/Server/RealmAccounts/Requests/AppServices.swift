// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import HTTPServing

    /// The client HTTP API of App Services (spec §1): accounts, tokens, and the services that use them.
    ///
    /// It has no sockets: a server passes requests to it and sends its responses. Used from any thread.
    package protocol AppServices: Sendable {
        /// Returns the response to a client's request. It never throws: errors become responses, see §1.2.
        func respond(to request: HTTPRequest) async -> HTTPResponse

        /// Returns the user of an access token that was sent when a sync connection was opened or in a `bind`.
        ///
        /// - Throws: `TokenError` if the token is forged, expired, revoked, or of another app.
        func verify(accessToken: String, app: String) async throws -> AccessGrant

        /// Registers `observer` to be called, from any thread, when tokens are revoked before their expiry. A later
        /// verification already rejects them.
        func observeRevocations(_ observer: @escaping @Sendable (Revocation) -> Void)

        /// Whether an address belongs to a trusted proxy, which forwards the requests of many clients.
        func isTrustedProxy(_ address: String) -> Bool
    }

    extension AppServices {
        package func isTrustedProxy(_ address: String) -> Bool { false }
    }

    /// The content of a valid access token.
    package struct AccessGrant: Sendable, Equatable {
        package var app: String
        package var user: String
        /// The session of the token.
        package var session: String
        /// Seconds since 1970.
        package var expiry: Int64
        /// The custom data of the user as JSON, for rules that use it; nil if the user has no custom data.
        package var customData: [UInt8]?

        package init(app: String, user: String, session: String, expiry: Int64, customData: [UInt8]? = nil) {
            (self.app, self.user, self.session, self.expiry, self.customData) = (app, user, session, expiry, customData)
        }
    }

    /// The reason an access token is rejected.
    package enum TokenError: Error, Sendable, Equatable {
        case malformed
        case forged
        case expired
        case revoked
        case wrongApp
    }
#endif
