// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    /// The client HTTP API of App Services (spec §1): accounts, tokens and what rides on them.
    ///
    /// It has no sockets: a server gives it requests and sends what it answers. It is used from any thread.
    package protocol AppServices: Sendable {
        /// Answers a request of a client. It never fails: what goes wrong is an answer as §1.2 says.
        func respond(to request: ServiceRequest) async -> ServiceResponse

        /// The user whose access token is shown at the opening of a sync connection or in a `bind`.
        ///
        /// - Throws: `TokenError` if the token is forged, expired, revoked, or of another app.
        func verify(accessToken: String, app: String) async throws -> AccessGrant

        /// Has `observer` told, from any thread, of tokens that cease to be valid before their time. A token that is
        /// verified afterwards is refused already.
        func observeRevocations(_ observer: @escaping @Sendable (Revocation) -> Void)

        /// Whether an address is that of a proxy, which brings the requests of many clients.
        func isTrustedProxy(_ address: String) -> Bool
    }

    extension AppServices {
        package func isTrustedProxy(_ address: String) -> Bool { false }
    }

    /// A request of HTTP.
    package struct ServiceRequest: Sendable {
        package var method: String
        /// Percent-encoded, without the query.
        package var path: String
        /// Percent-encoded, without the question mark; empty if there is none.
        package var query: String
        package var headers: [(name: String, value: String)]
        package var body: [UInt8]
        /// The address of the client, without the port; the unit of rate limits.
        package var peer: String

        package init(
            method: String, path: String, query: String = "", headers: [(name: String, value: String)] = [],
            body: [UInt8] = [], peer: String
        ) {
            (self.method, self.path, self.query, self.headers) = (method, path, query, headers)
            (self.body, self.peer) = (body, peer)
        }
    }

    /// The answer to a request.
    package struct ServiceResponse: Sendable {
        package var status: Int
        package var headers: [(name: String, value: String)]
        package var body: [UInt8]
        /// What follows the body, until it ends or the client goes; nil if nothing does.
        package var events: ServiceEvents?

        package init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
            (self.status, self.headers, self.body) = (status, headers, body)
        }
    }

    /// The pieces of a response that come one by one. One task uses it.
    package struct ServiceEvents: Sendable {
        /// The next piece; nil if there is none any more. It heeds that its task is cancelled.
        package let next: @Sendable () async -> [UInt8]?
        /// Whether the client may still have them. To be asked now and then.
        package let isAllowed: @Sendable () async -> Bool

        package init(
            next: @escaping @Sendable () async -> [UInt8]?, isAllowed: @escaping @Sendable () async -> Bool
        ) {
            (self.next, self.isAllowed) = (next, isAllowed)
        }
    }

    /// What a valid access token says.
    package struct AccessGrant: Sendable, Equatable {
        package var app: String
        package var user: String
        /// The session whose token it is.
        package var session: String
        /// Seconds since 1970.
        package var expiry: Int64
        /// The custom data of the user as JSON, for rules that look at it; nil if there is none.
        package var customData: [UInt8]?

        package init(app: String, user: String, session: String, expiry: Int64, customData: [UInt8]? = nil) {
            (self.app, self.user, self.session, self.expiry, self.customData) = (app, user, session, expiry, customData)
        }
    }

    /// Why an access token is refused.
    package enum TokenError: Error, Sendable, Equatable {
        case malformed
        case forged
        case expired
        case revoked
        case wrongApp
    }
#endif
