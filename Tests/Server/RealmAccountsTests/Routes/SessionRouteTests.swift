// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    @testable import RealmAccounts
    import RealmSyncCore
    import RealmSystem
    import Testing

    @Suite struct SessionRouteTests {
        /// The exchange of the recording `token-expired`.
        @Test func aRefreshTokenGivesAccessTokens() async throws {
            let server = try await TestServer()
            let user = try await server.anonymous()
            server.time.pass(seconds: 30 * 60)
            let expired = await server.send("GET", "/auth/profile", token: user.access)
            #expect(expired.status == 401)
            #expect(expired.body == #"{"error":"invalid session","error_code":"InvalidSession"}"#)
            let answer = await server.send("POST", "/auth/session", token: user.refresh)
            #expect(answer.status == 201)
            #expect(answer.json?.members?.map(\.name) == ["access_token"])
            let access = try #require(answer.text("access_token"))
            #expect(await server.send("GET", "/auth/profile", token: access).status == 200)
        }

        @Test func aRefreshTokenExpires() async throws {
            let server = try await TestServer()
            let user = try await server.anonymous()
            server.time.pass(seconds: 60 * 24 * 60 * 60 - 60)
            let last = await server.send("POST", "/auth/session", token: user.refresh)
            let access = try #require(last.text("access_token"))
            let token = try #require(Token(access))
            #expect(token.expiresAt == server.time.seconds + 60, "no longer than the refresh token")
            server.time.pass(seconds: 60)
            #expect(await server.send("POST", "/auth/session", token: user.refresh).status == 401)
        }

        @Test func accessAndRefreshTokensAreNotInterchangeable() async throws {
            let server = try await TestServer()
            let user = try await server.anonymous()
            #expect(await server.send("POST", "/auth/session", token: user.access).code == "InvalidSession")
            #expect(await server.send("DELETE", "/auth/session", token: user.access).code == "InvalidSession")
            #expect(await server.send("GET", "/auth/api_keys", token: user.access).code == "InvalidSession")
            #expect(await server.send("GET", "/auth/profile", token: user.refresh).code == "InvalidSession")
            #expect(await server.send("DELETE", "/auth/delete", token: user.refresh).code == "InvalidSession")
            #expect(await server.send("GET", "/auth/profile").code == "MissingAuthReq")
            #expect(await server.send("GET", "/auth/profile", headers: [("Authorization", "Bearer")]).status == 401)
            await #expect(throws: TokenError.malformed) {
                try await server.accounts.verify(accessToken: user.refresh, app: "judge")
            }
        }

        @Test func loggingOutEndsOneSession() async throws {
            let revoked = Revoked()
            let server = try await TestServer { _, app in app.hooks.didRevoke = { revoked.add($0, $1) } }
            let first = try await server.ann()
            let second = try TestServer.User(await server.logInWithPassword("ann@example.org", "secret1"))
            #expect(await server.send("DELETE", "/auth/session", token: first.refresh).status == 204)
            #expect(revoked.users == [first.id])
            #expect(await server.send("POST", "/auth/session", token: first.refresh).status == 401)
            #expect(await server.send("GET", "/auth/profile", token: first.access).status == 401)
            await #expect(throws: TokenError.revoked) {
                try await server.accounts.verify(accessToken: first.access, app: "judge")
            }
            #expect(await server.send("GET", "/auth/profile", token: second.access).status == 200)
        }

        @Test func anAnonymousUserIsDeletedWhenItLogsOut() async throws {
            let server = try await TestServer()
            let user = try await server.anonymous()
            await server.send("DELETE", "/auth/session", token: user.refresh)
            #expect(try await server.accounts.store.read { try $0.accounts(of: "judge").isEmpty })
        }

        @Test func aUserIsDeleted() async throws {
            let server = try await TestServer()
            let ann = try await server.ann()
            #expect(await server.send("DELETE", "/auth/delete", token: ann.access).status == 204)
            #expect(await server.send("GET", "/auth/profile", token: ann.access).status == 401)
            #expect(await server.logInWithPassword("ann@example.org", "secret1").code == "InvalidPassword")
            #expect(await server.register("ann@example.org", "secret2").status == 201)
            #expect(try TestServer.User(await server.logInWithPassword("ann@example.org", "secret2")).id != ann.id)
        }

        @Test func customDataTravelsInTheAccessToken() async throws {
            let server = try await TestServer()
            let ann = try await server.ann()
            #expect(Token(ann.access)?.userData == nil)
            let data = #"{"team":{"$numberInt":"5"},"x":[1.50]}"#
            try #require(await server.accounts.setCustomData(data, user: ann.id, app: "judge"))
            let answer = await server.send("POST", "/auth/session", token: ann.refresh)
            let access = try #require(answer.text("access_token"))
            #expect(Token(access)?.userData?.description == data)
            let grant = try await server.accounts.verify(accessToken: access, app: "judge")
            #expect(grant.customData == Array(data.utf8))
            #expect(grant.user == ann.id && grant.app == "judge" && grant.expiry == server.time.seconds + 1800)
            await #expect(throws: (any Error).self) {
                try await server.accounts.setCustomData("[]", user: ann.id, app: "judge")
            }
            let deep = #"{"a":"# + String(repeating: "[", count: 198) + String(repeating: "]", count: 198) + "}"
            await #expect(throws: (any Error).self) {
                try await server.accounts.setCustomData(deep, user: ann.id, app: "judge")
            }
        }

        @Test func expiredAnonymousUsersAreRemoved() async throws {
            let server = try await TestServer()
            _ = try await server.anonymous()
            let ann = try await server.ann()
            try await server.accounts.removeExpired()
            #expect(try await server.accounts.store.read { try $0.accounts(of: "judge").count } == 2)
            server.time.pass(seconds: 60 * 24 * 60 * 60)
            try await server.accounts.removeExpired()
            #expect(try await server.accounts.store.read { try $0.accounts(of: "judge").map(\.user) } == [ann.id])
            #expect(await server.logInWithPassword("ann@example.org", "secret1").status == 200)
        }

        /// Guarded by its lock.
        private final class Revoked: @unchecked Sendable {
            private let lock = Lock()
            private var found: [String] = []
            var users: [String] { lock.locked { found } }
            func add(_ user: String, _ session: String?) { lock.locked { found.append(user) } }
        }
    }
#endif
