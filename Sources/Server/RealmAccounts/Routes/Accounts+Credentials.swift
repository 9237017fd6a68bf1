// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import HTTPServing
    import RealmSyncCore

    extension Accounts {
        func credential(_ provider: Provider, _ body: HTTPRequest.Document, of app: App) async throws -> Credential {
            switch provider {
            case .anonymous:
                guard app.configuration.allowsAnonymousUsers else { throw ServiceError.providerNotFound }
                return .anonymous
            case .password: return try await passwordCredential(body, of: app)
            case .key: return try await keyCredential(body, of: app)
            case .customToken: return try await tokenCredential(body, "token", of: app, provider)
            case .apple, .google: return try await tokenCredential(body, "id_token", of: app, provider)
            case .customFunction: return try await functionCredential(body, of: app)
            case .facebook: return try await facebookCredential(body, of: app)
            }
        }

        /// The response and its timing don't reveal whether the user is unknown or the password is wrong.
        private func passwordCredential(_ body: HTTPRequest.Document, of app: App) async throws -> Credential {
            guard app.configuration.passwords != nil else { throw ServiceError.providerNotFound }
            let address = try EmailAddress(try body.text("username"))
            let password = try body.text("password", longest: PasswordRule.longest)
            let name = address.name(in: app.id)
            try limiter.admitAccount(name)
            let account = try await store.read { try $0.account(named: name) }
            guard try await hasher.verify(password, account?.password?.hash), let account, let known = account.password
            else { throw ServiceError.invalidPassword }
            guard known.isConfirmed else { throw ServiceError.unconfirmed }
            let newHash = hasher.isOutdated(known.hash) ? try await hasher.hash(password) : nil
            return .password(account.id, address: address.folded, hash: known.hash, newHash: newHash)
        }

        private func keyCredential(_ body: HTTPRequest.Document, of app: App) async throws -> Credential {
            guard app.configuration.allowsKeys else { throw ServiceError.providerNotFound }
            let digest = RandomText.digest(try body.text("key"))
            let name = LoginName.key(app.id, digest: digest)
            // Checks first in a snapshot, so that most wrong keys don't wait for the disk.
            guard try await store.read({ try $0.account(named: name) }) != nil else { throw ServiceError.invalidKey }
            return .key(name, digest: digest)
        }

        private func tokenCredential(
            _ body: HTTPRequest.Document, _ member: String, of app: App, _ provider: Provider
        ) async throws -> Credential {
            guard let tokens = app.externalTokens[provider] else { throw ServiceError.providerNotFound }
            let token = try body.text(member, longest: TokenSigner.longestToken)
            do {
                return .external(provider, try await tokens.identity(of: token))
            } catch let error as TokenError {
                throw ServiceError(401, "AuthError", "the token is not accepted: \(error)")
            }
        }

        private func functionCredential(_ body: HTTPRequest.Document, of app: App) async throws -> Credential {
            guard let authenticate = app.hooks.authenticate else { throw ServiceError.providerNotFound }
            let members = body.json.members?.filter { $0.name != "options" } ?? []
            return try await credential(.customFunction, of: app) {
                try await authenticate(JSON.object(members).description)
            }
        }

        private func facebookCredential(_ body: HTTPRequest.Document, of app: App) async throws -> Credential {
            guard let authenticate = app.hooks.authenticateFacebook else { throw ServiceError.providerNotFound }
            let token = try body.text("accessToken", longest: TokenSigner.longestToken)
            return try await credential(.facebook, of: app) { try await authenticate(token) }
        }

        private func credential(
            _ provider: Provider, of app: App,
            _ authenticate: @escaping @Sendable () async throws -> AppHooks.ExternalIdentity
        ) async throws -> Credential {
            let identity = try await asHook(of: app, authenticate)
            guard (1...1000).contains(identity.id.utf8.count) else {
                log.error("a hook gave an id that is empty or longer than 1000 bytes")
                throw ServiceError.internalError
            }
            let profile = identity.profile.sorted { $0.key < $1.key }.map { JSON.Member($0.key, .string($0.value)) }
            return .external(provider, ExternalUser(id: identity.id, profile: profile))
        }
    }
#endif
