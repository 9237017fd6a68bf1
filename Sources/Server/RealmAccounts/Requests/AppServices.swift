// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    /// The client HTTP API of App Services (spec §1): accounts, tokens, and the services that use them.
    ///
    /// It has no sockets: a server passes requests to it and sends its responses. Used from any thread.
    package protocol AppServices: Sendable {
        /// Returns the response to a client's request. It never throws: errors become responses, see §1.2.
        func respond(to request: ServiceRequest) async -> ServiceResponse

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

    /// An HTTP request.
    package struct ServiceRequest: Sendable {
        package var method: String
        /// Percent-encoded, without the query.
        package var path: String
        /// Percent-encoded, without the question mark; empty if the request has no query.
        package var query: String
        package var headers: [(name: String, value: String)]
        package var body: [UInt8]
        /// The address of the client, without the port; the unit of rate limits.
        package var peer: String
        /// Whether the server received the request by TLS.
        package var isEncrypted: Bool

        package init(
            method: String, path: String, query: String = "", headers: [(name: String, value: String)] = [],
            body: [UInt8] = [], peer: String, isEncrypted: Bool = false
        ) {
            (self.method, self.path, self.query, self.headers) = (method, path, query, headers)
            (self.body, self.peer, self.isEncrypted) = (body, peer, isEncrypted)
        }
    }

    /// The response to a request.
    package struct ServiceResponse: Sendable {
        package var status: Int
        package var headers: [(name: String, value: String)]
        package var body: [UInt8]
        /// The events sent after the body, until they end or the client disconnects; nil if the response has no events.
        package var events: ServiceEvents?

        package init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
            (self.status, self.headers, self.body) = (status, headers, body)
        }
    }

    /// The pieces of a response sent one by one. Used by one task.
    package struct ServiceEvents: Sendable {
        /// Returns the next piece; nil at the end. Returns early if its task is cancelled.
        package let next: @Sendable () async -> [UInt8]?
        /// Whether the client may still receive the pieces. Check it periodically.
        package let isAllowed: @Sendable () async -> Bool

        package init(
            next: @escaping @Sendable () async -> [UInt8]?, isAllowed: @escaping @Sendable () async -> Bool
        ) {
            (self.next, self.isAllowed) = (next, isAllowed)
        }
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
