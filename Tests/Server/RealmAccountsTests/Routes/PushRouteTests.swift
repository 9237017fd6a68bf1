// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    @testable import RealmAccounts
    import RealmSyncCore
    import Testing

    @Suite struct PushRouteTests {
        private let path = "/app/judge/push/providers/gcm/registration"

        @Test func theLastTokenOfADeviceIsStored() async throws {
            let server = try await TestServer()
            let user = try await server.anonymous()
            let accounts = ServerAccounts(server.accounts)
            func tokens(_ service: String = "gcm") async throws -> [String] {
                try await accounts.pushTokens(of: user.id, service: service, in: "judge")
            }
            for token in ["first", "second"] {
                let body: JSON = ["registrationToken": .string(token)]
                #expect(await server.send("PUT", path, body, token: user.access).status == 204)
            }
            #expect(try await tokens() == ["second"])
            #expect(try await tokens("other").isEmpty)
            #expect(await server.send("DELETE", path, token: user.access).status == 204)
            #expect(try await tokens().isEmpty)
            await #expect(throws: AccountError.self) {
                try await accounts.pushTokens(of: "nobody", service: "gcm", in: "judge")
            }
        }

        @Test func aRegistrationNeedsATokenAndAUser() async throws {
            let server = try await TestServer()
            let user = try await server.anonymous()
            let answer = await server.send("PUT", path, ["other": "x"], token: user.access)
            #expect(answer.status == 400 && answer.code == "MissingParameter")
            #expect(await server.send("PUT", path, ["registrationToken": "x"]).status == 401)
        }
    }
#endif
