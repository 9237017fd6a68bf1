// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import HTTPServing
    import RealmStorage
    import RealmSyncCore

    /// Log-in, and linking of identities (§1.4).
    extension Accounts {
        func logIn(_ request: HTTPRequest, to app: App, by name: String) async throws -> HTTPResponse {
            guard let provider = Provider(rawValue: name) else { throw ServiceError.providerNotFound }
            let body = try request.document()
            if request.queryItems["link"] == "true" {
                let user = try await user(of: request, .access, app: app.id)
                return try await link(try await credential(provider, body, of: app), to: user)
            }
            let credential = try await credential(provider, body, of: app)
            let (account, session) = try await begin(
                newSession(credential.provider, device(in: body), of: app), by: credential, in: app.id)
            // The log-in updates the profile.
            if case .external = credential { changedData(of: account.id) }
            return try await answer(account, session, of: app)
        }

        private func answer(_ account: Account, _ session: Account.Session, of app: App) async throws -> HTTPResponse {
            let access = try await tokens.accessToken(
                of: account, session, lifetime: app.configuration.accessLifetime.components.seconds)
            let refresh = try await tokens.refreshToken(of: account, session)
            return HTTPResponse(
                200,
                [
                    "user_id": .string(account.id.user), "access_token": .string(access),
                    "refresh_token": .string(refresh),
                    "device_id": .string(session.device),
                ])
        }

        // MARK: Sessions

        /// Beyond it, the oldest session ends.
        private static let maxSessions = 100

        private func newSession(_ provider: Provider, _ device: String?, of app: App) -> Account.Session {
            let now = clock.seconds
            return Account.Session(
                id: RandomText.identity(at: now), device: device ?? RandomText.identity(at: now), provider: provider,
                expiry: now + app.configuration.refreshLifetime.components.seconds)
        }

        /// Returns `nil` unless the id is 12 bytes, not all zero.
        private func device(in body: HTTPRequest.Document) -> String? {
            guard let text = body.json["options"]?["device"]?["deviceId"]?.text,
                Hexadecimal.bytes(text)?.count == 12, text.contains(where: { $0 != "0" })
            else { return nil }
            return text
        }

        private func begin(
            _ session: Account.Session, by credential: Credential, in app: String
        ) async throws -> (Account, Account.Session) {
            let now = clock.seconds
            return try await store.write { accounts in
                var account = try credential.account(in: accounts, app, at: now)
                guard !account.isDisabled else { throw ServiceError.userDisabled }
                account.wasUsed = true
                account.removeExpired(at: now)
                account.sessions.append(session)
                if account.sessions.count > Accounts.maxSessions { account.sessions.removeFirst() }
                try accounts.put(account)
                return (account, session)
            }
        }

        // MARK: Linking

        private func link(_ credential: Credential, to user: Live) async throws -> HTTPResponse {
            let now = clock.seconds
            let account = try await store.write { accounts in
                guard var account = try accounts.account(user.account.id) else { throw ServiceError.invalidSession }
                try credential.link(to: &account, in: accounts, at: now)
                try accounts.put(account)
                return account
            }
            changedData(of: account.id)
            return try await answer(account, user.session, of: user.app)
        }
    }
#endif
