// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSyncCore

    /// The access and refresh tokens of users (§1.5).
    struct AccountTokens: Sendable {
        let signer: TokenSigner
        let clock: AccountClock

        enum Kind: String, Sendable { case access, refresh }

        struct Bearer: Sendable {
            let account: AccountID
            let session: String
            let expiry: Int64
        }

        func refreshToken(of account: Account, _ session: Account.Session) async throws -> String {
            try await signer.sign(claims(.refresh, of: account, session, expiry: session.expiry))
        }

        /// Expires no later than its session.
        func accessToken(of account: Account, _ session: Account.Session, lifetime: Int64) async throws -> String {
            let expiry = min(clock.seconds + lifetime, session.expiry)
            return try await signer.sign(claims(.access, of: account, session, expiry: expiry))
        }

        /// The claims of the hosted service's tokens, with the app as `aud`.
        private func claims(_ kind: Kind, of account: Account, _ session: Account.Session, expiry: Int64) -> JSON {
            let identity = account.identities.first { $0.provider == session.provider }
            var members: [JSON.Member] = [
                .init("aud", .string(account.id.app)),
                .init("baas_device_id", .string(session.device)),
                .init("baas_domain_id", .string(domain(of: account.id.app))),
                .init("baas_id", .string(session.id)),
                .init(
                    "baas_identity",
                    [
                        "id": .string(identity?.id ?? account.id.user),
                        "provider_type": .string(session.provider.rawValue),
                    ]),
                .init("exp", .int(expiry)),
                .init("iat", .int(clock.seconds)),
                .init("iss", .string(session.id)),
                .init("jti", .string(RandomText.identity(at: clock.seconds))),
                .init("sub", .string(account.id.user)),
                .init("typ", .string(kind.rawValue)),
            ]
            if kind == .access, let customData = account.customData { members.append(.init("user_data", customData)) }
            return .object(members)
        }

        /// The caller must check that the token isn't revoked.
        ///
        /// - Throws: `TokenError` if the signature isn't ours, or the token is expired or of another kind.
        func bearer(of token: String, _ kind: Kind) async throws(TokenError) -> Bearer {
            let claims = try await signer.claims(of: token)
            guard let app = claims["aud"]?.text, let user = claims["sub"]?.text, let session = claims["baas_id"]?.text,
                let expiry: Int64 = claims["exp"]?.integer(), claims["typ"]?.text == kind.rawValue
            else { throw .malformed }
            guard expiry > clock.seconds else { throw .expired }
            return Bearer(account: AccountID(app: app, user: user), session: session, expiry: expiry)
        }
    }

    /// Represents an app in claims of 24 hexadecimal digits.
    func domain(of app: String) -> String { String(RandomText.digest(app).prefix(24)) }
#endif
