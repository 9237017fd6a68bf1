// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import HTTPServing
    import RealmSyncCore

    /// Requests of users about their own accounts and sessions (§1.6, 1.7).
    extension Accounts {
        func profile(of user: Live) -> HTTPResponse {
            let account = user.account
            var data = account.profile
            if let address = account.password?.address, !data.contains(where: { $0.name == "email" }) {
                data.append(.init("email", .string(address)))
            }
            let identities = account.identities.map { identity -> JSON in
                ["id": .string(identity.id), "provider_type": .string(identity.provider.rawValue)]
            }
            let isServer = account.identities.contains { $0.provider == .key }
            return HTTPResponse(
                200,
                [
                    "user_id": .string(account.id.user), "type": isServer ? "server" : "normal",
                    "domain_id": .string(domain(of: account.id.app)), "identities": .array(identities),
                    "data": .object(data),
                ])
        }

        func refresh(_ user: Live) async throws -> HTTPResponse {
            let token = try await tokens.accessToken(
                of: user.account, user.session, lifetime: user.app.configuration.accessLifetime.components.seconds)
            return HTTPResponse(201, ["access_token": .string(token)])
        }

        /// Revokes the session's refresh token and access tokens. An anonymous user is deleted.
        func logOut(_ user: Live) async throws -> HTTPResponse {
            let now = clock.seconds
            try await store.write { accounts in
                guard var account = try accounts.account(user.account.id) else { return }
                account.sessions.removeAll { $0.id == user.session.id }
                if account.isUnreachable(at: now) {
                    try accounts.remove(account.id)
                } else {
                    try accounts.put(account)
                }
            }
            changed(user.account.id, session: user.session.id)
            return HTTPResponse(done: 204)
        }

        func delete(_ user: Live) async throws -> HTTPResponse {
            _ = try await remove(user.account.id)
            return HTTPResponse(done: 204)
        }
    }
#endif
