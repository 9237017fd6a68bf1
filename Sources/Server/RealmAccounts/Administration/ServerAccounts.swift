// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    /// The administration of a server's users.
    ///
    /// Changes are durable when a function returns, and take effect at once: the connections of a user whose tokens
    /// were revoked are closed. Can be used from any thread.
    public struct ServerAccounts: Sendable {
        let accounts: Accounts

        package init(_ accounts: Accounts) { self.accounts = accounts }

        /// The ids of the server's apps.
        public var apps: [String] { accounts.configuration.apps.map(\.id) }

        /// Returns a part of an app's users.
        ///
        /// The order is arbitrary but stable: no user appears twice, and a user created meanwhile may be missing.
        ///
        /// - Parameters:
        ///   - app: The id of the app.
        ///   - text: A part of the id, the e-mail address, or the name of a key. Case is ignored.
        ///   - position: The member `next` of the previous part, or `nil` for the first one.
        ///   - limit: The maximum number of users. A search examines at most 5,000 users for a part, so the part can
        ///     have fewer users, or none, before the end.
        /// - Throws: `AccountError` if the app doesn't exist or the position is invalid; an error if the accounts can't
        ///   be read.
        public func users(
            of app: String, matching text: String = "", after position: String? = nil, limit: Int = 100
        ) async throws -> UserPage {
            try await checked {
                try await accounts.users(of: app, matching: text.lowercased(), after: position, limit: limit)
            }
        }

        /// Creates a user with a confirmed e-mail address and a password.
        ///
        /// - Throws: `AccountError` if the app doesn't exist or has no passwords, the address or the password is
        ///   invalid, or another user has the address.
        public func createUser(email: String, password: String, in app: String) async throws -> ServerUser {
            try await checked { try await accounts.createUser(email: email, password: password, in: app) }
        }

        /// Creates an API key for a program, with its own user.
        ///
        /// - Throws: `AccountError` if the app doesn't exist or has no API keys, or the name is invalid.
        public func createKey(named name: String, in app: String) async throws -> ServerKey {
            try await checked {
                guard try accounts.app(app).configuration.allowsKeys else { throw ServiceError.providerNotFound }
                guard Account.Key.isName(name) else { throw ServiceError.invalidKeyName }
                let (key, user) = try await accounts.makeServerKey(app: app, name: name)
                return ServerKey(key: key, user: user)
            }
        }

        /// Rejects a user until `enable(_:in:)` is called. The user's connections are closed.
        ///
        /// - Throws: `AccountError` if the app or the user doesn't exist.
        public func disable(_ user: String, in app: String) async throws {
            try await change(user, app) { try await accounts.setDisabled(true, user: user, app: app) }
        }

        /// Accepts a disabled user again.
        ///
        /// - Throws: `AccountError` if the app or the user doesn't exist.
        public func enable(_ user: String, in app: String) async throws {
            try await change(user, app) { try await accounts.setDisabled(false, user: user, app: app) }
        }

        /// Ends all log-ins of a user and closes the user's connections. The user can log in again.
        ///
        /// - Throws: `AccountError` if the app or the user doesn't exist.
        public func revokeSessions(of user: String, in app: String) async throws {
            try await change(user, app) { try await accounts.revokeSessions(user: user, app: app) }
        }

        /// Deletes a user and closes the user's connections. The user's data in partitions remains.
        ///
        /// - Throws: `AccountError` if the app or the user doesn't exist.
        public func delete(_ user: String, in app: String) async throws {
            try await change(user, app) { try await accounts.remove(AccountID(app: app, user: user)) }
        }

        /// Sets the custom data of a user, which is part of the user's next access token.
        ///
        /// In apps with flexible sync, the rules are evaluated again for the user's open sessions, whose files then
        /// follow the new rights. Partitions evaluate theirs when a connection begins.
        ///
        /// - Parameter json: An object of Extended JSON; `nil` removes the data.
        /// - Throws: `AccountError` if the app or the user doesn't exist, or the data isn't an object of at most 4,096
        ///   bytes.
        public func setCustomData(_ json: String?, of user: String, in app: String) async throws {
            try await change(user, app) { try await accounts.setCustomData(json, user: user, app: app) }
        }

        /// Returns the tokens of the devices that a user has registered for push messages, which a program sends.
        ///
        /// - Parameter service: The name with which the client registers, such as `gcm`.
        /// - Throws: `AccountError` if the app or the user doesn't exist.
        public func pushTokens(of user: String, service: String, in app: String) async throws -> [String] {
            let id = AccountID(app: app, user: user)
            return try await checked {
                _ = try accounts.app(app)
                guard let account = try await accounts.store.read({ try $0.account(id) }) else {
                    throw ServerAccounts.unknownUser(user, app)
                }
                return account.pushRegistrations.filter { $0.service.isIdentical(to: service) }.map(\.token)
            }
        }

        package func userCount(of app: String) async throws -> Int { try await accounts.userCount(of: app) }

        private func change(_ user: String, _ app: String, _ change: () async throws -> Bool) async throws {
            try await checked {
                _ = try accounts.app(app)
                guard try await change() else { throw ServerAccounts.unknownUser(user, app) }
            }
        }

        private static func unknownUser(_ user: String, _ app: String) -> AccountError {
            AccountError(.unknownUser, "the app '\(app)' has no user '\(user)'")
        }

        /// Converts the errors of requests.
        private func checked<Result>(_ body: () async throws -> Result) async throws -> Result {
            do { return try await body() } catch let error as ServiceError {
                switch error {
                case .unknownApp: throw AccountError(.unknownApp, error.text)
                case .addressInUse: throw AccountError(.nameInUse, "another user has this e-mail address")
                case .providerNotFound: throw AccountError(.invalid, "the app doesn't accept log-ins of this kind")
                default: throw AccountError(.invalid, error.text)
                }
            }
        }
    }
#endif
