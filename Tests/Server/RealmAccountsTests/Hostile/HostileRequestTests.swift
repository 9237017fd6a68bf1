// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    @testable import RealmAccounts
    import HTTPServing
    import RealmSyncCore
    import RealmTestSupport
    import Testing

    /// Every request gets a response that clients can read, and none ends the process.
    @Suite struct HostileRequestTests {
        private static let paths =
            [
                "/app/judge/auth/providers/anon-user/login", "/app/judge/auth/providers/local-userpass/login",
                "/app/judge/auth/providers/api-key/login", "/app/judge/auth/providers/custom-token/login",
                "/app/judge/auth/providers/custom-function/login", "/app/judge/functions/call", "/auth/api_keys",
            ]
            + ["register", "confirm", "confirm/send", "confirm/call", "reset", "reset/send", "reset/call"].map {
                "/app/judge/auth/providers/local-userpass/" + $0
            }

        private func server() async throws -> TestServer {
            try await TestServer { _, app in
                app.passwords?.confirmation = .byFunction
                app.passwords?.reset = .byFunction
                app.customTokens = .init(keys: [.secret([UInt8](repeating: 7, count: 32))])
                app.hooks.confirm = { _ in .success }
                app.hooks.resetPassword = { _ in .pending }
                app.hooks.authenticate = { .init(id: $0.utf8.count < 1000 ? $0 : "long") }
                app.hooks.call = { $0.arguments }
            }
        }

        private static let odd: [JSON] = [
            .null, true, "", "\u{0}", .number("-0"), .number("1e999999"), .number(String(repeating: "9", count: 4000)),
            .array([]), [:], .string(String(repeating: "\u{1F1E6}", count: 900)),
            .string(String(repeating: "a/", count: 9)),
            (0..<150).reduce(JSON.null) { inner, _ in .array([inner]) },
            (0..<150).reduce(JSON.null) { inner, _ in .object([.init("a", inner)]) },
        ]

        @Test(arguments: paths) func valuesOfOtherTypes(_ path: String) async throws {
            let server = try await server()
            let user = try await server.anonymous()
            let names = [
                "username", "password", "email", "token", "tokenId", "key", "name", "arguments", "service", "options",
                "provider",
            ]
            var tokens = [user.access, user.refresh]
            for value in Self.odd {
                var bodies = [value, .object(names.map { .init($0, value) })]
                bodies += names.map { odd in .object(names.map { .init($0, $0 == odd ? value : "a@b.cdefg") }) }
                for body in bodies {
                    verify(await server.send("POST", path, body, token: tokens[0]), path)
                    tokens.swapAt(0, 1)
                }
            }
        }

        private func verify(_ answer: TestServer.Answer, _ path: String) {
            #expect(answer.status >= 200 && answer.status < 500, "\(path): \(answer.status) \(answer.body)")
            if answer.status >= 400 {
                #expect(answer.text("error") != nil, "\(path): \(answer.body)")
                #expect(answer.header("Content-Type") == "application/json")
            }
        }

        @Test func randomBytes() async throws {
            let server = try await server()
            let user = try await server.anonymous()
            var random = SeededGenerator(for: "HostileRequestTests.randomBytes")
            let pieces = Array(#"{}[]":,\u12e9-.0truefalsnl "#.utf8) + [0, 0x80, 0xC3, 0xFF]
            for _ in 0..<3000 {
                let length = random.below(60)
                let bytes = (0..<length).map { _ in
                    random.chance(80) ? random.pick(pieces) : UInt8(truncatingIfNeeded: random.next())
                }
                let tail = String(decoding: bytes, as: UTF8.self)
                let request = HTTPRequest(
                    method: random.pick(["GET", "POST", "PUT", "DELETE", "OPTIONS", "X", ""]),
                    path: "/api/client/v2.0" + random.pick(Self.paths) + (random.chance(30) ? "/" + tail : ""),
                    query: random.chance(30) ? tail : "link=true",
                    headers: [
                        ("Content-Type", random.chance(90) ? "application/json" : tail),
                        ("Authorization", random.pick(["Bearer " + user.access, "Bearer " + tail, tail])),
                        ("Origin", tail), ("Host", tail),
                    ], body: bytes, peer: tail)
                let answer = await server.answer(to: request)
                #expect(answer.status != 500, "\(request.method) \(request.path) \(tail): \(answer.body)")
            }
        }

        @Test func depthAndLength() async throws {
            let server = try await server()
            let path = "/api/client/v2.0/app/judge/auth/providers/custom-function/login"
            func status(_ body: String) async -> Int {
                let request = HTTPRequest(
                    method: "POST", path: path, headers: [("Content-Type", "application/json")], body: Array(body.utf8),
                    peer: "p")
                return await server.answer(to: request).status
            }
            let deep = String(repeating: "[", count: 100_000)
            #expect(await status(deep) == 400)
            #expect(await status(#"{"a":"# + deep) == 400)
            #expect(await status(#"{"a":""# + String(repeating: "x", count: 2 << 20) + "\"}") == 413)
            let long = "/api/client/v2.0/" + String(repeating: "a/", count: 100_000)
            #expect(await server.answer(to: HTTPRequest(method: "GET", path: long, peer: "p")).status == 404)
        }

        @Test func noSecretIsLoggedOrReturned() async throws {
            let server = try await TestServer { _, app in
                app.passwords?.reset = .byMail
                app.customTokens = .init(keys: [.secret(Array("the-issuers-secret-of-32-bytes--".utf8))])
                app.hooks.call = { _ in throw Leak() }
                app.hooks.authenticate = { _ in throw Leak() }
            }
            let ann = try await server.ann()
            var secrets = [
                ann.access, ann.refresh, "secret1", "secret2", "hidden-key", "hidden.external.token", "leaked",
            ]
            let made = await server.send("POST", "/auth/api_keys", ["name": "robot"], token: ann.refresh)
            let key = try #require(made.text("key"))
            secrets.append(key)
            await server.passwords("reset/send", ["email": "ann@example.org"])
            let mail = await server.mails.next()
            secrets += [mail.token, "the-issuers-secret"]
            var answers = [await server.logInWithPassword("ann@example.org", "secret2")]
            answers.append(await server.logIn("api-key", [.init("key", "hidden-key")]))
            answers.append(await server.logIn("custom-token", [.init("token", "hidden.external.token")]))
            answers.append(await server.logIn("custom-function", [.init("password", "secret2")]))
            answers.append(
                await server.send("POST", "/app/judge/functions/call", ["name": "secret2"], token: ann.access))
            answers.append(await server.send("GET", "/auth/profile", query: "baas_at=\(ann.access)"))
            answers.append(await server.send("GET", "/auth/profile", token: ann.access + "x"))
            answers.append(await server.send("GET", "/\(ann.access)/secret1", token: ann.refresh))
            answers.append(await server.send("secret1", "/auth/profile"))
            answers.append(
                await server.passwords(
                    "reset", ["token": .string(mail.token), "tokenId": .string(mail.tokenId), "password": "x"]))
            answers.append(
                await server.send("POST", "/auth/api_keys", ["name": .string(key + "!")], token: ann.refresh))
            #expect(answers.allSatisfy { $0.status >= 400 })
            let output = server.lines.text + answers.map(\.body).joined(separator: "\n")
            #expect(server.lines.text.contains("POST login 401"))
            #expect(server.lines.text.contains("Leak"), "the kind of an error is logged")
            for secret in secrets { #expect(!output.contains(secret), "\(secret)") }
        }

        private struct Leak: Error, CustomStringConvertible { let description = "leaked" }
    }
#endif
