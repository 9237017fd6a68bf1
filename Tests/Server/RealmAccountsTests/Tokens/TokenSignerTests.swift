// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    @testable import RealmAccounts
    import RealmStorage
    import RealmSyncCore
    import RealmSystem
    import RealmTestSupport
    import Testing

    @Suite struct TokenSignerTests {
        private func part(_ json: JSON) -> String {
            Base64.text(Array(json.description.utf8)).replacing("+", with: "-").replacing("/", with: "_")
                .replacing("=", with: "")
        }

        @Test func aTokenHasTheClaimsThatClientsRead() async throws {
            let server = try await TestServer()
            let ann = try await server.ann()
            for (text, kind, lifetime) in [(ann.access, "access", 1800), (ann.refresh, "refresh", 5_184_000)] {
                let token = try #require(Token(text))
                #expect(token.issuedAt == server.time.seconds)
                #expect(token.expiresAt == server.time.seconds + Int64(lifetime))
                #expect(token.claims["typ"]?.text == kind)
                #expect(token.claims["sub"]?.text == ann.id)
                #expect(token.claims["aud"]?.text == "judge")
                #expect(token.claims["baas_device_id"]?.text == ann.device)
                #expect(token.claims["baas_identity"]?["provider_type"]?.text == "local-userpass")
                #expect(!text.contains("="))
            }
        }

        @Test func aValidTokenIsAGrant() async throws {
            let server = try await TestServer()
            let user = try await server.anonymous()
            let grant = try await server.accounts.verify(accessToken: user.access, app: "judge")
            var expected = AccessGrant(
                app: "judge", user: user.id, session: grant.session, expiry: server.time.seconds + 1800)
            expected.identities = grant.identities
            #expect(grant == expected && grant.identities.map(\.provider) == ["anon-user"])
            server.time.pass(seconds: 1800)
            await #expect(throws: TokenError.expired) {
                try await server.accounts.verify(accessToken: user.access, app: "judge")
            }
        }

        @Test func forgedTokensAreRefused() async throws {
            let server = try await TestServer()
            let user = try await server.anonymous()
            let parts = user.access.split(separator: ".").map { String($0) }
            let claims = try #require(Token(user.access)).claims
            let other = try await TestServer().anonymous()
            let longer = JSON.object(
                (claims.members ?? []).map { $0.name == "exp" ? .init("exp", .int(Int64.max)) : $0 })
            let none = part(["alg": "none", "typ": "JWT"])
            let forged: [(String, TokenError)] = [
                ("\(none).\(parts[1]).", .malformed), ("\(none).\(parts[1]).\(parts[2])", .forged),
                ("\(parts[0]).\(parts[1]).AAAA", .forged), ("\(parts[0]).\(part(longer)).\(parts[2])", .forged),
                (part(["alg": "RS256"]) + ".\(parts[1]).\(parts[2])", .forged),
                (part(["alg": "HS256", "kid": "x"]) + ".\(parts[1]).\(parts[2])", .forged), (other.access, .forged),
                ("", .malformed), ("a.b.c", .malformed), ("..", .malformed), (parts[0], .malformed),
                (String(repeating: "a", count: 20_000), .malformed),
                ("\(parts[0]).\(part(["exp": .int(Int64.max), "iat": .int(0)])).\(parts[2])", .forged),
            ]
            for (token, expected) in forged {
                await #expect(throws: expected, "\(token)") {
                    try await server.accounts.verify(accessToken: token, app: "judge")
                }
                #expect(await server.send("GET", "/auth/profile", token: token).status == 401)
            }
        }

        @Test func signedClaimsAreStillRead() async throws {
            let server = try await TestServer()
            let signer = server.accounts.tokens.signer
            let user = try await server.anonymous()
            let claims = try #require(Token(user.access)).claims.members ?? []
            for name in ["aud", "sub", "baas_id", "typ"] {
                let token = try await signer.sign(.object(claims.map { $0.name == name ? .init(name, .int(5)) : $0 }))
                await #expect(throws: TokenError.malformed, "\(name)") {
                    try await server.accounts.verify(accessToken: token, app: "judge")
                }
            }
            let gone = try await signer.sign(
                .object(claims.map { $0.name == "aud" ? .init("aud", "an-app-that-is-gone") : $0 }))
            await #expect(throws: TokenError.wrongApp) {
                try await server.accounts.verify(accessToken: gone, app: "an-app-that-is-gone")
            }
        }

        @Test func theKeyIsMadeOnceAndForItsOwnerAlone() async throws {
            let folder = try TemporaryFolder()
            let path = folder.path + "/accounts.key"
            let key = try SigningKey(at: path)
            #expect(try SigningKey(at: path).bytes == key.bytes)
            #expect(FileStatus(path).map { FilePermissions(of: $0).mode } == 0o600)
            #expect(try Folder.names(in: folder.path, prefix: "accounts.key") == ["accounts.key"])
            #expect(try SigningKey(at: folder.path + "/other.key").bytes != key.bytes)
        }

        @Test func aTokenOutlivesTheProcess() async throws {
            let folder = try TemporaryFolder()
            let user = try await TestServer(folder: folder).anonymous()
            let grant = try await TestServer(folder: folder).accounts.verify(accessToken: user.access, app: "judge")
            #expect(grant.user == user.id)
        }

        @Test func aKeyThatOthersMayReadIsRefused() throws {
            let folder = try TemporaryFolder()
            let path = folder.path + "/accounts.key"
            _ = try DiskFile.create(path, FilePermissions(mode: 0o644))
            #expect(throws: ConfigurationError.self) { try SigningKey(at: path) }
            let short = folder.path + "/short.key"
            _ = try DiskFile.create(short)
            #expect(throws: ConfigurationError.self) { try SigningKey(at: short) }
        }
    }
#endif
