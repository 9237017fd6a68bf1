// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import HTTPServing
    import RealmSyncCore

    /// The client HTTP API of App Services (spec §1): accounts, tokens, and the services that use them.
    ///
    /// It doesn't have sockets: a server passes requests to it and sends its responses. Can be used from any thread.
    package protocol AppServices: Sendable {
        /// Returns the response to a client's request. Errors become responses (§1.2).
        func respond(to request: HTTPRequest) async -> HTTPResponse

        /// - Throws: `TokenError` if the token is forged, expired, revoked, or of another app.
        func verify(accessToken: String, app: String) async throws -> AccessGrant

        /// Calls `observer` from any thread when tokens are revoked before their expiry. `verify` already rejects them
        /// then.
        func observeRevocations(_ observer: @escaping @Sendable (Revocation) -> Void)

        /// Calls `observer` from any thread when the data of a user was changed that `grant(renewing:)` returns.
        func observeUserChanges(_ observer: @escaping @Sendable (UserChange) -> Void)

        /// Returns a verified grant with the current data of its user: the custom data, the profile, and the
        /// identities.
        ///
        /// - Throws: `TokenError` if the user doesn't exist any more.
        func grant(renewing grant: AccessGrant) async throws -> AccessGrant

        /// A trusted proxy forwards the requests of many clients.
        func isTrustedProxy(_ address: String) -> Bool

        /// Returns the IP address of the client, behind trusted proxies.
        func client(of request: HTTPRequest) -> String

        /// Responds to the function calls of a service with its results.
        func serve(_ documents: any DocumentService)

        /// Releases the observers and the service of documents, which refer to a server that has stopped.
        func releaseServer()
    }

    extension AppServices {
        package func serve(_ documents: any DocumentService) {}

        package func releaseServer() {}

        package func observeUserChanges(_ observer: @escaping @Sendable (UserChange) -> Void) {}

        package func grant(renewing grant: AccessGrant) async throws -> AccessGrant { grant }

        package func isTrustedProxy(_ address: String) -> Bool { false }

        package func client(of request: HTTPRequest) -> String { request.peer }
    }

    package struct AccessGrant: Sendable, Equatable {
        package var app: String
        package var user: String
        package var session: String
        /// In seconds since 1970.
        package var expiry: Int64
        /// As JSON. Rules of permissions can depend on it.
        package var customData: [UInt8]?
        /// The members of the user's profile.
        package var profile: [JSON.Member] = []
        package var identities: [Identity] = []
        /// The request with which the client connected. Sessions of a user can have different rights.
        package var request: ClientRequest?

        package struct Identity: Sendable, Equatable {
            package var id: String
            /// The name of the provider, such as `anon-user`.
            package var provider: String

            package init(id: String, provider: String) { (self.id, self.provider) = (id, provider) }
        }

        package init(app: String, user: String, session: String, expiry: Int64, customData: [UInt8]? = nil) {
            (self.app, self.user, self.session, self.expiry, self.customData) = (app, user, session, expiry, customData)
        }
    }

    package enum TokenError: Error, Sendable, Equatable {
        case malformed
        case forged
        case expired
        case revoked
        case wrongApp
    }
#endif
