// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    @testable import RealmAccounts
    import RealmStorage
    import RealmSyncCore
    import TestTraits
    import Testing

    /// Hooks that never return.
    @Suite(.timeLimited) struct HookLimitTests {
        private static func never() async {
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }

        private func server() async throws -> TestServer {
            try await TestServer { _, app in
                app.hookTimeLimit = .milliseconds(50)
                app.passwords?.confirmation = .byFunction
                app.passwords?.reset = .byFunction
                app.hooks.confirm = { _ in
                    await Self.never()
                    return .success
                }
                app.hooks.resetPassword = { _ in
                    await Self.never()
                    return .success
                }
                app.hooks.authenticate = { _ in
                    await Self.never()
                    return AppHooks.ExternalIdentity(id: "x")
                }
                app.hooks.call = { _ in
                    await Self.never()
                    return "null"
                }
                app.hooks.fetchKeys = { _ in
                    await Self.never()
                    return "{}"
                }
                app.customTokens = .init(keys: [.keySetURL("https://issuer.example")])
            }
        }

        @Test func theClientGetsAnError() async throws {
            let server = try await server()
            let user = try await server.anonymous()
            let answers = [
                await server.register("ann@example.org", "secret1"),
                await server.passwords("reset/call", ["email": "ann@example.org", "password": "secret2"]),
                await server.logIn("custom-function"),
                await server.send("POST", "/app/judge/functions/call", ["name": "f"], token: user.access),
            ]
            for answer in answers {
                #expect(answer.status == 400 && answer.code == "ExecutionTimeLimitExceeded", "\(answer.body)")
            }
            #expect(server.lines.text.contains("took too long"))
            // Keys that can't be fetched count as absent.
            let header = Base64.text(Array(#"{"alg":"RS256"}"#.utf8)), claims = Base64.text(Array(#"{"sub":"x"}"#.utf8))
            let token = JSON.Member("token", .string("\(header).\(claims).AAAA"))
            #expect(await server.logIn("custom-token", [token]).code == "AuthError")
        }

        @Test func operationsWithinTheLimitReturnTheirResult() async throws {
            #expect(try await TimeLimit.run(.seconds(3600)) { 7 } == 7)
            struct Own: Error {}
            await #expect(throws: Own.self) { try await TimeLimit.run(.seconds(3600)) { throw Own() } }
            let waiting = Task { try await TimeLimit.run(.seconds(3600)) { await Self.never() } }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
        }
    }
#endif
