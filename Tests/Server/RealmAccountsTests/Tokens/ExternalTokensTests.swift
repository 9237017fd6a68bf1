// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import JWTKit
    import RealmStorage
    import RealmSyncCore
    import RealmSystem
    import Testing
    import _CryptoExtras

    @testable import RealmAccounts

    @Suite struct ExternalTokensTests {
        private static let secret = Array("a secret of thirty-two bytes or more".utf8)
        private static let rsa = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }

        private func sign(_ claims: JSON, with keys: JWTKeyCollection, kid: String? = nil) async throws -> String {
            try await keys.sign(Claims(text: claims.description), kid: kid.map { JWKIdentifier(string: $0) })
        }

        private func secretKeys(_ secret: [UInt8] = Self.secret) async -> JWTKeyCollection {
            await JWTKeyCollection().add(
                hmac: HMACKey(from: secret), digestAlgorithm: .sha256,
                serializer: DefaultJWTSerializer(jsonEncoder: ClaimsEncoder()))
        }

        private func privateKeys(kid: String? = nil) async throws -> JWTKeyCollection {
            await JWTKeyCollection().add(
                rsa: try Insecure.RSA.PrivateKey(backing: Self.rsa.get()), digestAlgorithm: .sha256,
                kid: kid.map { JWKIdentifier(string: $0) },
                serializer: DefaultJWTSerializer(jsonEncoder: ClaimsEncoder()))
        }

        private func keySet(kid: String) throws -> String {
            let primitives = try Insecure.RSA.PublicKey(backing: Self.rsa.get().publicKey).getKeyPrimitives()
            func text(_ data: Data) -> String {
                Base64.text(Array(data)).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
            }
            let (n, e) = (text(primitives.modulus), text(primitives.publicExponent))
            return #"{"keys":[{"kty":"RSA","alg":"RS256","use":"sig","kid":"\#(kid)","n":"\#(n)","e":"\#(e)"}]}"#
        }

        private func claims(_ members: JSON.Member..., time: TestTime = TestTime()) -> JSON {
            let usual: [JSON.Member] = [
                .init("sub", "ann"), .init("aud", "judge"), .init("exp", .int(time.seconds + 60)),
            ]
            return .object(usual.filter { known in !members.contains { $0.name == known.name } } + members)
        }

        private func server(
            _ keys: AppConfiguration.CustomTokenSettings.Key...,
            configure: @escaping (inout AppConfiguration) -> Void = { _ in }
        ) async throws -> TestServer {
            try await TestServer { _, app in
                app.customTokens = .init(keys: keys)
                configure(&app)
            }
        }

        private func logIn(_ token: String, _ server: TestServer) async -> TestServer.Answer {
            await server.logIn("custom-token", [.init("token", .string(token))])
        }

        @Test func aTokenOfASharedSecret() async throws {
            let server = try await server(.secret(Self.secret)) {
                $0.customTokens?.profile = ["full": "name", "list": "l"]
            }
            let token = try await sign(
                claims(.init("full", "Ann"), .init("list", .array([]))), with: await secretKeys())
            let first = try TestServer.User(await logIn(token, server))
            #expect(try TestServer.User(await logIn(token, server)).id == first.id)
            let profile = await server.send("GET", "/auth/profile", token: first.access)
            #expect(profile.json?["data"]?.description == #"{"name":"Ann"}"#)
            #expect(profile.json?["identities"]?.elements?.map { $0["provider_type"]?.text } == ["custom-token"])
        }

        @Test func aTokenOfAPublicKey() async throws {
            let server = try await server(.publicKey(pem: try Self.rsa.get().publicKey.pemRepresentation))
            let token = try await sign(claims(), with: try await privateKeys())
            #expect(await logIn(token, server).status == 200)
        }

        @Test func aTokenOfAKeySet() async throws {
            let server = try await server(.keySet(try keySet(kid: "one")))
            let keys = try await privateKeys(kid: "one")
            #expect(await logIn(try await sign(claims(), with: keys, kid: "one"), server).status == 200)
            #expect(await logIn(try await sign(claims(), with: await secretKeys()), server).status == 401)
        }

        /// The issuer has a new key, so the set is fetched again, but not for each token without a matching key.
        @Test func aKeySetIsFetched() async throws {
            let fetches = Fetches(try keySet(kid: "one"))
            let server = try await server(.keySetURL("https://issuer.example/keys")) { app in
                app.hooks.fetchKeys = { url in
                    #expect(url == "https://issuer.example/keys")
                    return fetches.next()
                }
            }
            let good = try await sign(claims(), with: try await privateKeys(kid: "one"), kid: "one")
            #expect(await logIn(good, server).status == 200)
            #expect(await logIn(good, server).status == 200)
            #expect(fetches.count == 1)
            let bad = try await sign(claims(), with: await secretKeys())
            for _ in 0..<5 { #expect(await logIn(bad, server).status == 401) }
            let forged = good.dropLast(10) + "AAAAAAAAAA"
            for _ in 0..<5 { #expect(await logIn(String(forged), server).status == 401) }
            #expect(fetches.count == 1)
            server.time.pass(seconds: 60)
            #expect(await logIn(String(forged), server).status == 401)
            #expect(fetches.count == 2)
        }

        @Test(arguments: [(nil, 3600), (120, 120), (0, 60), (-5, 60), (10_000_000, 24 * 3600)] as [(Int64?, Int)])
        func aKeySetHasAnAge(_ lifetime: Int64?, _ seconds: Int) async throws {
            let fetches = Fetches(try keySet(kid: "one"), lifetime: lifetime)
            let server = try await server(.keySetURL("https://issuer.example/keys")) { app in
                app.hooks.fetchKeys = { _ in fetches.next() }
            }
            let keys = try await privateKeys(kid: "one")
            func logIn() async throws -> Int {
                let token = try await sign(claims(time: server.time), with: keys, kid: "one")
                return await self.logIn(token, server).status
            }
            #expect(try await logIn() == 200)
            server.time.pass(seconds: Int64(seconds) - 1)
            #expect(try await logIn() == 200)
            #expect(fetches.count == 1)
            server.time.pass(seconds: 1)
            #expect(try await logIn() == 200)
            #expect(fetches.count == 2)
        }

        @Test func tokensOfAppleAndGoogle() async throws {
            let keySet = try keySet(kid: "one")
            let server = try await TestServer { configuration, app in
                (app.appleClients, app.googleClients) = (["ios"], ["web", "android"])
                app.hooks.fetchKeys = { url in
                    let known = ["https://appleid.apple.com/auth/keys", "https://www.googleapis.com/oauth2/v3/certs"]
                    return known.contains(url) ? FetchedKeys(keySet) : "{}"
                }
                configuration.apps.append(AppConfiguration(id: "plain"))
            }
            let keys = try await privateKeys(kid: "one")
            func logIn(_ provider: String, _ audience: JSON, _ issuer: JSON) async throws -> TestServer.Answer {
                let claims = claims(.init("aud", audience), .init("iss", issuer), .init("given_name", "Ann"))
                let token = try await sign(claims, with: keys, kid: "one")
                return await server.logIn(provider, [.init("id_token", .string(token))])
            }
            let google = try TestServer.User(await logIn("oauth2-google", "android", "https://accounts.google.com"))
            let apple = try TestServer.User(await logIn("oauth2-apple", "ios", "https://appleid.apple.com"))
            #expect(google.id != apple.id)
            #expect(try TestServer.User(await logIn("oauth2-google", "web", "accounts.google.com")).id == google.id)
            let profile = await server.send("GET", "/auth/profile", token: google.access)
            #expect(profile.json?["data"]?.description == #"{"first_name":"Ann"}"#)
            #expect(profile.json?["identities"]?.elements?.map { $0["provider_type"]?.text } == ["oauth2-google"])
            for (provider, audience, issuer) in [
                ("oauth2-google", "ios", "https://accounts.google.com"),
                ("oauth2-google", "web", "https://evil.example"),
                ("oauth2-apple", "ios", "https://accounts.google.com"),
                ("oauth2-apple", "judge", "https://appleid.apple.com"),
            ] {
                #expect(
                    try await logIn(provider, .string(audience), .string(issuer)).code == "AuthError",
                    "\(provider) \(audience) \(issuer)")
            }
            #expect(await server.logIn("oauth2-google", [.init("authCode", "x")]).code == "MissingParameter")
            #expect(await server.logIn("oauth2-google", app: "plain").code == "AuthProviderNotFound")
            #expect(await server.logIn("oauth2-facebook").code == "AuthProviderNotFound")
        }

        @Test func tokensThatAreRefused() async throws {
            let pem = try Self.rsa.get().publicKey.pemRepresentation
            let server = try await server(.publicKey(pem: pem), .secret(Self.secret))
            let keys = await secretKeys()
            let now = server.time.seconds
            #expect(await logIn(try await sign(claims(), with: keys), server).status == 200)
            for refused in [
                claims(.init("exp", .int(now))), claims(.init("exp", .null)), claims(.init("exp", "1")),
                claims(.init("exp", .number("1e400"))), claims(.init("sub", .null)), claims(.init("sub", "")),
                claims(.init("sub", .string(String(repeating: "a", count: 1001)))), claims(.init("aud", "other")),
                claims(.init("aud", .null)), claims(.init("aud", .array(["x", "y"]))),
                claims(.init("nbf", .int(now + 61))),
            ] {
                let answer = await logIn(try await sign(refused, with: keys), server)
                #expect(answer.status == 401, "\(refused)")
                #expect(answer.code == "AuthError", "\(refused)")
            }
            #expect(
                await logIn(try await sign(claims(.init("aud", .array(["x", "judge"]))), with: keys), server).status
                    == 200)
            // A public key must not be accepted as a secret.
            let confused = try await sign(claims(), with: await secretKeys(Array(pem.utf8)))
            let other = try await sign(
                claims(), with: await secretKeys(Array("another secret of thirty-two bytes".utf8)))
            let good = try await sign(claims(), with: keys)
            let unsigned = Base64.text(Array(#"{"alg":"none"}"#.utf8)) + "." + good.split(separator: ".")[1] + "."
            for token in [confused, other, unsigned, "", "a.b.c", "..", good + ".x", String(repeating: ".", count: 9)] {
                #expect(await logIn(token, server).status == 401, "\(token)")
            }
        }

        @Test func invalidKeysAreConfigurationErrors() async throws {
            for key in [
                AppConfiguration.CustomTokenSettings.Key.secret(Array("short".utf8)), .publicKey(pem: "PEM"),
                .keySet("{"), .keySetURL("https://issuer.example"),
            ] {
                await #expect(throws: ConfigurationError.self) { _ = try await self.server(key) }
            }
        }

        /// Guarded by its lock.
        private final class Fetches: @unchecked Sendable {
            private let lock = Lock()
            private let keys: FetchedKeys
            private var done = 0
            var count: Int { lock.locked { done } }

            init(_ text: String, lifetime: Int64? = nil) {
                keys = FetchedKeys(text, lifetime: lifetime.map { .seconds($0) })
            }

            func next() -> FetchedKeys {
                lock.locked { done += 1 }
                return keys
            }
        }
    }
#endif
