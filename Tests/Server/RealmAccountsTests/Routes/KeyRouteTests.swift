// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    @testable import RealmAccounts
    import RealmStorage
    import RealmSyncCore
    import Testing

    @Suite struct KeyRouteTests {
        @Test func theLifeOfAKey() async throws {
            let server = try await TestServer()
            let ann = try await server.ann()
            let made = await server.send("POST", "/auth/api_keys", ["name": "robot"], token: ann.refresh)
            #expect(made.status == 201)
            #expect(made.json?.members?.map(\.name) == ["_id", "key", "name", "disabled"])
            let id = try #require(made.text("_id"))
            let key = try #require(made.text("key"))
            #expect(id.count == 24 && Hexadecimal.bytes(id) != nil)

            let described = #"{"_id":"\#(id)","name":"robot","disabled":false}"#
            #expect(await server.send("GET", "/auth/api_keys", token: ann.refresh).body == "[\(described)]")
            #expect(await server.send("GET", "/auth/api_keys/\(id)", token: ann.refresh).body == described)
            #expect(try TestServer.User(await server.logIn("api-key", [.init("key", .string(key))])).id == ann.id)

            #expect(await server.send("PUT", "/auth/api_keys/\(id)/disable", token: ann.refresh).status == 204)
            let disabled = await server.logIn("api-key", [.init("key", .string(key))])
            #expect(disabled.body == #"{"error":"invalid API key","error_code":"AuthError"}"#)
            #expect(disabled.status == 401)
            let shown = await server.send("GET", "/auth/api_keys/\(id)", token: ann.refresh)
            #expect(shown.json?["disabled"]?.bool == true)
            #expect(await server.send("PUT", "/auth/api_keys/\(id)/enable", token: ann.refresh).status == 204)
            #expect(await server.logIn("api-key", [.init("key", .string(key))]).status == 200)

            #expect(await server.send("DELETE", "/auth/api_keys/\(id)", token: ann.refresh).status == 204)
            #expect(await server.logIn("api-key", [.init("key", .string(key))]).status == 401)
            for (method, path) in [("GET", ""), ("DELETE", ""), ("PUT", "/enable"), ("PUT", "/disable")] {
                let answer = await server.send(method, "/auth/api_keys/\(id)\(path)", token: ann.refresh)
                #expect(answer.status == 404)
                #expect(answer.code == "APIKeyNotFound")
            }
        }

        @Test func namesOfKeys() async throws {
            let server = try await TestServer()
            let ann = try await server.ann()
            func make(_ name: JSON) async -> String? {
                await server.send("POST", "/auth/api_keys", ["name": name], token: ann.refresh).code
            }
            #expect(await make("a") == nil)
            #expect(await make("a") == "APIKeyAlreadyExists")
            #expect(await make("a b") == "InvalidParameter")
            #expect(await make("") == "InvalidParameter")
            #expect(await make(.null) == "MissingParameter")
            for number in 1..<20 { #expect(await make(.string("k\(number)")) == nil) }
            #expect(await make("one-more") == "InvalidParameter")
        }

        @Test func aUserDoesNotSeeAnothersKeys() async throws {
            let server = try await TestServer()
            let ann = try await server.ann()
            let other = try await server.anonymous()
            let made = await server.send("POST", "/auth/api_keys", ["name": "robot"], token: ann.refresh)
            let id = try #require(made.text("_id"))
            #expect(await server.send("GET", "/auth/api_keys", token: other.refresh).body == "[]")
            #expect(await server.send("DELETE", "/auth/api_keys/\(id)", token: other.refresh).status == 404)
            #expect(await server.send("GET", "/auth/api_keys/\(id)", token: ann.refresh).status == 200)
        }

        @Test func aServersKeyIsAUserOfItsOwn() async throws {
            let server = try await TestServer()
            let (key, user) = try await server.accounts.makeServerKey(app: "judge", name: "job")
            let first = try TestServer.User(await server.logIn("api-key", [.init("key", .string(key))]))
            #expect(first.id == user)
            let profile = await server.send("GET", "/auth/profile", token: first.access)
            #expect(profile.text("type") == "server")
            #expect(profile.json?["identities"]?.elements?.map { $0["provider_type"]?.text } == ["api-key"])
            #expect(await server.logIn("api-key", [.init("key", "wrong")]).code == "AuthError")
        }
    }
#endif
