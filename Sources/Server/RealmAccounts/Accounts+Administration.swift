// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSyncCore

    extension Accounts {
        /// Creates an API key, with its own user, for a program. Returns the secret, which isn't stored, and the id of
        /// the user.
        ///
        /// - Throws: `ServiceError` if the app doesn't exist.
        package func makeServerKey(app: String, name: String) async throws -> (key: String, user: String) {
            let app = try self.app(app)
            let now = clock.seconds
            let secret = RandomText.secret()
            let user = try await store.write { accounts in
                var account = Account.new(in: app.id, at: now)
                let key = Account.Key(id: RandomText.identity(at: now), name: name, digest: RandomText.digest(secret))
                account.keys = [key]
                account.add(.key, name: key.id, at: now)
                account.profile = [.init("name", .string(name))]
                try accounts.put(account)
                return account.id.user
            }
            return (secret, user)
        }

        /// The tokens of a disabled user are rejected immediately. Returns whether the user exists.
        @discardableResult
        package func setDisabled(_ isDisabled: Bool, user: String, app: String) async throws -> Bool {
            let isThere = try await change(user, app) { $0.isDisabled = isDisabled }
            if isThere, isDisabled { changed(AccountID(app: app, user: user), session: nil) }
            return isThere
        }

        /// Returns whether the user exists.
        @discardableResult
        package func revokeSessions(user: String, app: String) async throws -> Bool {
            let isThere = try await change(user, app) { $0.sessions.removeAll() }
            if isThere { changed(AccountID(app: app, user: user), session: nil) }
            return isThere
        }

        /// The data is part of the user's next access token, and takes effect in the rules at once. Returns whether the
        /// user exists.
        ///
        /// - Parameter text: An object of Extended JSON; `nil` removes the data.
        /// - Throws: `ServiceError` if the data isn't an object or exceeds 4,096 bytes.
        @discardableResult
        package func setCustomData(_ text: String?, user: String, app: String) async throws -> Bool {
            let data = try text.map { try customData($0) }
            let isThere = try await change(user, app) { $0.customData = data }
            if isThere { changedData(of: AccountID(app: app, user: user)) }
            return isThere
        }

        /// The size is limited because a token is sent in URLs, and the depth because the token contains the data at a
        /// depth of several levels.
        private func customData(_ text: String) throws -> JSON {
            guard text.utf8.count <= 4096, let json = try? JSON(parsing: text), json.members != nil,
                case .document? = ExtendedJSON(json), (try? JSON(parsing: "[[[[\(text)]]]]")) != nil
            else { throw ServiceError.invalid("custom data is an object of Extended JSON of 4096 bytes at most") }
            return json
        }

        /// Removes sessions, mailed tokens, and anonymous users without a session. Call this daily.
        package func removeExpired() async throws {
            for app in configuration.apps {
                let ids = try await store.read { try $0.accounts(of: app.id) }
                for start in stride(from: 0, to: ids.count, by: 500) {
                    try await removeExpired(of: Array(ids[start..<min(start + 500, ids.count)]))
                }
            }
        }

        private func removeExpired(of ids: [AccountID]) async throws {
            let now = clock.seconds
            try await store.write { accounts in
                for id in ids {
                    guard var account = try accounts.account(id) else { continue }
                    let before = account
                    account.removeExpired(at: now)
                    if account.isUnreachable(at: now) {
                        try accounts.remove(id)
                    } else if account != before {
                        try accounts.put(account)
                    }
                }
            }
        }

        private func change(
            _ user: String, _ app: String, _ change: @escaping @Sendable (inout Account) -> Void
        ) async throws -> Bool {
            try await store.write { accounts in
                guard var account = try accounts.account(AccountID(app: app, user: user)) else { return false }
                change(&account)
                try accounts.put(account)
                return true
            }
        }
    }
#endif
