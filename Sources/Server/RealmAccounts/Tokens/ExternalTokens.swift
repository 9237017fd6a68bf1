// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import JWTKit
    import RealmStorage
    import RealmSyncCore
    import RealmSystem

    /// A verifier of the tokens of other issuers (§1.11).
    struct ExternalTokens: Sendable {
        private let app: String
        private let settings: AppConfiguration.CustomTokenSettings
        private let clock: AccountClock
        private let keys: [IssuerKeys]

        /// - Throws: `ConfigurationError` if a key is malformed.
        init(
            _ settings: AppConfiguration.CustomTokenSettings, app: String, clock: AccountClock,
            fetch: (@Sendable (String) async throws -> FetchedKeys)?
        ) async throws {
            (self.settings, self.app, self.clock) = (settings, app, clock)
            var keys: [IssuerKeys] = []
            for key in settings.keys {
                do {
                    keys.append(try await IssuerKeys(key, fetch))
                } catch let error as ConfigurationError {
                    throw ConfigurationError("app '\(app)': \(error.description)")
                } catch {
                    // The description of the error may contain secrets.
                    throw ConfigurationError("app '\(app)': a key of the custom tokens is unusable")
                }
            }
            self.keys = keys
        }

        /// - Throws: `TokenError` if the signature isn't by one of the keys, or a claim isn't acceptable.
        func identity(of token: String) async throws -> ExternalUser {
            guard token.utf8.count <= TokenSigner.longestToken else { throw TokenError.malformed }
            let parts = token.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 3, let header = json(parts[0]), let claims = json(parts[1]),
                let algorithm = header["alg"]?.text
            else { throw TokenError.malformed }
            try await verify(token, algorithm)
            return try user(of: claims)
        }

        private func json(_ part: Substring) -> JSON? { Base64.bytes(part).flatMap { try? JSON(parsing: $0) } }

        private func verify(_ token: String, _ algorithm: String) async throws {
            for key in keys {
                if await key.verifies(token, algorithm, at: clock.seconds) { return }
            }
            throw TokenError.forged
        }

        private func user(of claims: JSON) throws -> ExternalUser {
            guard let expiry = seconds(claims["exp"]), let subject = claims["sub"]?.text,
                (1...1000).contains(subject.utf8.count)
            else { throw TokenError.malformed }
            guard expiry > clock.seconds else { throw TokenError.expired }
            if let start = claims["nbf"], !start.isNull {
                guard let start = seconds(start) else { throw TokenError.malformed }
                // Allows for issuers' clocks that are slightly ahead.
                guard start <= clock.seconds + 60 else { throw TokenError.malformed }
            }
            if let issuers = settings.issuers {
                guard let issuer = claims["iss"]?.text, issuers.contains(issuer) else { throw TokenError.wrongApp }
            }
            try checkAudience(claims["aud"])
            let profile = settings.profile.sorted { $0.value < $1.value }.compactMap { claim, member in
                claims[claim].flatMap { scalar($0) }.map { JSON.Member(member, $0) }
            }
            return ExternalUser(id: subject, profile: profile)
        }

        /// Issuers encode times as integers or as fractions.
        private func seconds(_ json: JSON?) -> Int64? {
            if let whole: Int64 = json?.integer() { return whole }
            return json?.double.flatMap { Int64(exactly: $0.rounded(.down)) }
        }

        /// The length is limited, because the profile contains the claim.
        private func scalar(_ json: JSON) -> JSON? {
            switch json {
            case .string(let text): text.utf8.count <= 1000 ? json : nil
            case .number(let text): text.utf8.count <= 40 ? json : nil
            case .bool: json
            case .null, .array, .object: nil
            }
        }

        private func checkAudience(_ claim: JSON?) throws {
            let wanted = settings.audiences ?? [app]
            if wanted.isEmpty { return }
            let audiences = claim?.elements?.compactMap(\.text) ?? [claim?.text].compactMap(\.self)
            guard audiences.contains(where: { wanted.contains($0) }) else { throw TokenError.wrongApp }
        }
    }

    struct ExternalUser: Sendable {
        var id: String
        var profile: [JSON.Member]
    }

    /// Each kind of key verifies only its own algorithms, so a public key is never used as a secret.
    private final class IssuerKeys: Sendable {
        private let source: Source
        private let cache = KeySetCache()

        private enum Source: Sendable {
            case fixed(JWTKeyCollection, algorithms: Set<String>)
            case fetched(url: String, @Sendable (String) async throws -> FetchedKeys)
        }

        init(
            _ key: AppConfiguration.CustomTokenSettings.Key, _ fetch: (@Sendable (String) async throws -> FetchedKeys)?
        ) async throws {
            switch key {
            case .secret(let bytes):
                let keys = await JWTKeyCollection().add(hmac: HMACKey(from: bytes), digestAlgorithm: .sha256)
                source = .fixed(keys, algorithms: ["HS256"])
            case .publicKey(let pem):
                let keys = await JWTKeyCollection()
                    .add(rsa: try Insecure.RSA.PublicKey(pem: pem), digestAlgorithm: .sha256)
                source = .fixed(keys, algorithms: ["RS256"])
            case .keySet(let text):
                source = .fixed(try await .of(keySet: text), algorithms: KeySetCache.algorithms)
            case .keySetURL(let url):
                guard let fetch else { throw ConfigurationError("the keys of '\(url)' need the hook 'fetchKeys'") }
                source = .fetched(url: url, fetch)
            }
        }

        func verifies(_ token: String, _ algorithm: String, at now: Int64) async -> Bool {
            switch source {
            case .fixed(let keys, let algorithms):
                return algorithms.contains(algorithm) ? await keys.verifies(token) : false
            case .fetched(let url, let fetch):
                guard KeySetCache.algorithms.contains(algorithm) else { return false }
                if let keys = await cache.keys(at: now, { try await fetch(url) }), await keys.verifies(token) {
                    return true
                }
                // The issuer may have published new keys.
                guard let keys = await cache.newerKeys(at: now, { try await fetch(url) }) else { return false }
                return await keys.verifies(token)
            }
        }
    }

    extension JWTKeyCollection {
        fileprivate static func of(keySet text: String) async throws -> JWTKeyCollection {
            try await JWTKeyCollection().add(jwksJSON: text)
        }

        fileprivate func verifies(_ token: String) async -> Bool {
            (try? await verify(token, as: Claims.self, iteratingKeys: true)) != nil
        }
    }

    /// Fetches keys again at the end of their lifetime, and at most once a minute if no key verifies a token.
    private actor KeySetCache {
        static let algorithms: Set = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512"]

        private var keys: JWTKeyCollection?
        private var fetched: Int64?
        private var fetching: Task<(JWTKeyCollection, lifetime: Int64?)?, Never>?
        private var lifetime = KeySetCache.usualLifetime
        private static let usualLifetime: Int64 = 3600
        private static let lifetimes: ClosedRange<Int64> = 60...24 * 3600

        typealias Fetch = @Sendable () async throws -> FetchedKeys

        func keys(at now: Int64, _ fetch: @escaping Fetch) async -> JWTKeyCollection? {
            if let fetched, now - fetched < lifetime { return keys }
            return await refresh(at: now, fetch)
        }

        /// Returns `nil` if the keys were fetched less than a minute ago.
        func newerKeys(at now: Int64, _ fetch: @escaping Fetch) async -> JWTKeyCollection? {
            if let fetched, now - fetched < KeySetCache.lifetimes.lowerBound { return nil }
            return await refresh(at: now, fetch)
        }

        /// Concurrent callers wait for the same fetch. If it fails, the previous keys are retained, and the next fetch
        /// is a minute later.
        private func refresh(at now: Int64, _ fetch: @escaping Fetch) async -> JWTKeyCollection? {
            if let fetching { return await fetching.value?.0 ?? keys }
            let fetching = Task<(JWTKeyCollection, lifetime: Int64?)?, Never> {
                guard let answer = try? await fetch(), let keys = try? await JWTKeyCollection.of(keySet: answer.text)
                else { return nil }
                return (keys, answer.lifetime?.components.seconds)
            }
            self.fetching = fetching
            let found = await fetching.value
            let (shortest, longest) = (KeySetCache.lifetimes.lowerBound, KeySetCache.lifetimes.upperBound)
            keys = found?.0 ?? keys
            lifetime = found.map { min(max($0.lifetime ?? KeySetCache.usualLifetime, shortest), longest) } ?? shortest
            fetched = now
            self.fetching = nil
            return keys
        }
    }
#endif
