// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import HTTPServing
    import Logging
    #if PostgreSQL
        import RealmPostgres
    #endif
    import RealmStorage
    import RealmSyncCore
    import RealmSystem

    /// The accounts of a server: the client HTTP API of App Services (spec §1) with a store of accounts.
    ///
    /// It responds to requests and doesn't have sockets. Can be used from any thread. It never logs a token, password,
    /// key, query, or body.
    package final class Accounts: AppServices {
        let configuration: AccountsConfiguration
        let store: any AccountStore
        let tokens: AccountTokens
        let hasher: PasswordHasher
        let limiter: RateLimiter
        let clock: AccountClock
        let log: Logger
        private let apps: [ByteText: App]
        private let revocations = EventObservers<Revocation>()
        private let userChanges = EventObservers<UserChange>()
        let documents = DocumentServiceSlot()

        struct App: Sendable {
            let configuration: AppConfiguration
            /// The verifiers of other issuers' tokens.
            let externalTokens: [Provider: ExternalTokens]

            var id: String { configuration.id }
            var hooks: AppHooks { configuration.hooks }
        }

        /// Opens the accounts in `folder`, which must exist. Creates `accounts.realm` and `accounts.key` if they don't
        /// exist.
        ///
        /// - Throws: `ConfigurationError`, `StorageError`, `SystemError`.
        package convenience init(
            in folder: String, _ configuration: AccountsConfiguration, clock: AccountClock = .system, log: Logger
        ) async throws {
            try configuration.validate()
            let key = try SigningKey(at: folder + "/accounts.key")
            let store = try DatabaseAccountStore(at: folder + "/accounts.realm")
            try await self.init(configuration, store: store, key: key, clock: clock, log: log)
        }

        #if PostgreSQL
            /// Opens the accounts in a database of PostgreSQL, and creates their tables if they don't exist.
            ///
            /// - Throws: `ConfigurationError`, `PostgresError`.
            package convenience init(
                on settings: PostgresSettings, _ configuration: AccountsConfiguration, clock: AccountClock = .system,
                log: Logger
            ) async throws {
                try configuration.validate()
                let changes = EventObservers<AccountChange>()
                let store = try await PostgresAccountStore.open(settings, observers: changes, log: log)
                let key = try await store.signingKey()
                try await self.init(configuration, store: store, key: key, clock: clock, log: log)
                changes.add { [revocations, userChanges] change in
                    let (app, user) = (change.account.app, change.account.user)
                    switch change.event {
                    case .revocation(let session):
                        revocations.publish(Revocation(app: app, user: user, session: session))
                    case .userChange: userChanges.publish(UserChange(app: app, user: user))
                    }
                }
            }
        #endif

        init(
            _ configuration: AccountsConfiguration, store: any AccountStore, key: SigningKey, clock: AccountClock,
            log: Logger
        ) async throws {
            try configuration.validate()
            self.configuration = configuration
            self.store = store
            self.clock = clock
            self.log = log
            tokens = AccountTokens(signer: await TokenSigner(key), clock: clock)
            hasher = PasswordHasher(configuration.passwordCost)
            limiter = RateLimiter(configuration.limits, clock)
            var apps: [ByteText: App] = [:]
            for app in configuration.apps {
                var externalTokens: [Provider: ExternalTokens] = [:]
                let fetch = Accounts.limited(app.hooks.fetchKeys, app)
                for (provider, settings) in app.tokenSettings {
                    externalTokens[provider] = try await ExternalTokens(
                        settings, app: app.id, clock: clock, fetch: fetch)
                }
                apps[ByteText(app.id)] = App(configuration: app, externalTokens: externalTokens)
            }
            self.apps = apps
        }

        func app(_ id: String) throws(ServiceError) -> App {
            guard let app = apps[ByteText(id)] else { throw .unknownApp }
            return app
        }

        // MARK: Tokens of users

        struct Live: Sendable {
            let app: App
            let account: Account
            let session: Account.Session
            /// The expiry of the token, in seconds since 1970.
            let expiry: Int64
        }

        package func verify(accessToken: String, app: String) async throws -> AccessGrant {
            let live = try await live(accessToken, .access)
            guard live.app.id.isIdentical(to: app) else { throw TokenError.wrongApp }
            guard !live.account.isDisabled else { throw TokenError.revoked }
            return AccessGrant(live)
        }

        package func grant(renewing grant: AccessGrant) async throws -> AccessGrant {
            let id = AccountID(app: grant.app, user: grant.user)
            guard let account = try await store.read({ try $0.account(id) }), !account.isDisabled else {
                throw TokenError.revoked
            }
            var grant = grant
            grant.renew(account)
            return grant
        }

        /// The caller must reject disabled users.
        ///
        /// - Throws: `TokenError`.
        private func live(_ token: String, _ kind: AccountTokens.Kind) async throws -> Live {
            let bearer = try await tokens.bearer(of: token, kind)
            guard let app = apps[ByteText(bearer.account.app)] else { throw TokenError.wrongApp }
            let now = clock.seconds
            guard let account = try await store.read({ try $0.account(bearer.account) }),
                let session = account.session(bearer.session), session.expiry > now
            else { throw TokenError.revoked }
            return Live(app: app, account: account, session: session, expiry: bearer.expiry)
        }

        /// - Parameter app: The app to which the token must belong, or `nil` for any app.
        func user(of request: HTTPRequest, _ kind: AccountTokens.Kind, app: String?) async throws -> Live {
            try await user(of: try request.bearerToken(), kind, app: app)
        }

        func user(of token: String, _ kind: AccountTokens.Kind, app: String?) async throws -> Live {
            let live: Live
            do { live = try await self.live(token, kind) } catch is TokenError { throw ServiceError.invalidSession }
            guard app?.isIdentical(to: live.app.id) != false else { throw ServiceError.wrongApp }
            guard !live.account.isDisabled else { throw ServiceError.userDisabled }
            return live
        }

        package func isTrustedProxy(_ address: String) -> Bool {
            configuration.trustedProxies.contains { $0.contains(address) }
        }

        package func client(of request: HTTPRequest) -> String { request.client(behind: configuration.trustedProxies) }

        package func serve(_ documents: any DocumentService) { self.documents.set(documents) }

        package func observeRevocations(_ observer: @escaping @Sendable (Revocation) -> Void) {
            revocations.add(observer)
        }

        package func observeUserChanges(_ observer: @escaping @Sendable (UserChange) -> Void) {
            userChanges.add(observer)
        }

        package func releaseServer() {
            revocations.removeAll()
            userChanges.removeAll()
            documents.set(nil)
        }

        /// Reports changed custom data, or a changed profile or identities.
        func changedData(of account: AccountID) {
            userChanges.publish(UserChange(app: account.app, user: account.user))
        }

        /// Reports revoked tokens: those of a session, or all tokens of the user.
        func changed(_ account: AccountID, session: String?) {
            revocations.publish(Revocation(app: account.app, user: account.user, session: session))
            apps[ByteText(account.app)]?.hooks.didRevoke?(account.user, session)
        }
    }

    extension AccessGrant {
        init(_ live: Accounts.Live) {
            self.init(
                app: live.app.id, user: live.account.id.user, session: live.session.id, expiry: live.expiry)
            renew(live.account)
        }

        fileprivate mutating func renew(_ account: Account) {
            customData = account.customData.map { Array($0.description.utf8) }
            profile = account.profile
            identities = account.identities.map { Identity(id: $0.id, provider: $0.provider.rawValue) }
        }
    }
#endif
