// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    @testable import RealmAccounts
    import HTTPServing
    import RealmSyncCore
    import Testing

    @Suite struct LocationTests {
        @Test func theLocationUsesTheHostOfTheRequest() async throws {
            let server = try await TestServer()
            let answer = await server.send("GET", "/app/judge/location", headers: [("Host", "127.0.0.1:9090")])
            #expect(answer.status == 200)
            #expect(answer.header("Content-Type") == "application/json")
            #expect(answer.text("deployment_model") == "GLOBAL")
            #expect(answer.text("location") == "IE")
            #expect(answer.text("hostname") == "http://127.0.0.1:9090")
            #expect(answer.text("ws_hostname") == "ws://127.0.0.1:9090")
            #expect(answer.text("sync_route") == "ws://127.0.0.1:9090/api/client/v2.0/app/judge/realm-sync")
        }

        /// The server used to give such clients a URL without TLS, which it rejects.
        @Test func aClientConnectedByTLSGetsATLSLocation() async throws {
            let server = try await TestServer()
            let request = HTTPRequest(
                method: "GET", path: "/api/client/v2.0/app/judge/location", headers: [("Host", "127.0.0.1:9090")],
                peer: "p", isEncrypted: true)
            let answer = await server.answer(to: request)
            #expect(answer.status == 200)
            #expect(answer.text("hostname") == "https://127.0.0.1:9090")
            #expect(answer.text("sync_route") == "wss://127.0.0.1:9090/api/client/v2.0/app/judge/realm-sync")
        }

        @Test func theConfiguredURLCounts() async throws {
            let server = try await TestServer { configuration, _ in
                configuration.publicURL = "https://sync.example.org/"
            }
            let answer = await server.send("GET", "/app/judge/location", headers: [("Host", "other")])
            #expect(answer.text("hostname") == "https://sync.example.org")
            #expect(answer.text("ws_hostname") == "wss://sync.example.org")
        }

        @Test(arguments: ["", "a b", "a\"b", "a/b", "a\r\nX: y"]) func malformedHostNamesAreRejected(_ host: String)
            async throws
        {
            let server = try await TestServer()
            #expect(await server.send("GET", "/app/judge/location", headers: [("Host", host)]).status == 400)
        }

        @Test func unknownAppsRoutesAndMethodsAreErrors() async throws {
            let server = try await TestServer()
            let unknownApp = await server.send("GET", "/app/other/location", headers: [("Host", "h")])
            #expect(unknownApp.status == 404)
            #expect(unknownApp.text("error") == "cannot find an app with this id")
            #expect(unknownApp.header("Content-Type") == "application/json")
            for path in [
                "/app/judge", "/app/judge/push/providers", "/auth", "/auth/providers", "", "/%zz",
            ] {
                let answer = await server.send("GET", path)
                #expect(answer.status == 404, "\(path)")
                #expect(answer.text("error") != nil)
            }
            let method = await server.send("POST", "/app/judge/location")
            #expect(method.status == 405)
            #expect(method.header("Allow") == "GET, OPTIONS")
            let admin = HTTPRequest(method: "GET", path: "/api/admin/v3.0/groups", peer: "p")
            #expect(await server.answer(to: admin).status == 404)
        }

        // MARK: Pages of other origins

        @Test func anyPageIsLetInByDefault() async throws {
            let server = try await TestServer()
            let preflight = await server.send(
                "OPTIONS", "/app/judge/auth/providers/anon-user/login", headers: [("Origin", "https://a.example")])
            #expect(preflight.status == 204)
            #expect(preflight.header("Access-Control-Allow-Origin") == "*")
            #expect(preflight.header("Access-Control-Allow-Methods") == "GET, POST, PUT, DELETE")
            #expect(preflight.header("Access-Control-Allow-Headers") == "Accept, Authorization, Content-Type")
            #expect(preflight.header("Access-Control-Allow-Credentials") == nil)
            let error = await server.send("GET", "/auth/profile", headers: [("Origin", "https://a.example")])
            #expect(error.status == 401)
            #expect(error.header("Access-Control-Allow-Origin") == "*")
        }

        @Test func otherOriginsAreRefusedWhereSomeAreNamed() async throws {
            let server = try await TestServer { configuration, _ in configuration.allowedOrigins = ["https://a.example"]
            }
            let host = (name: "Host", value: "h")
            let good = await server.send(
                "GET", "/app/judge/location", headers: [host, ("Origin", "https://a.example")])
            #expect(good.status == 200)
            #expect(good.header("Access-Control-Allow-Origin") == "https://a.example")
            #expect(good.header("Vary") == "Origin")
            let bad = await server.send("GET", "/app/judge/location", headers: [host, ("Origin", "https://b.example")])
            #expect(bad.status == 403)
            #expect(bad.code == "DomainNotAllowed")
            #expect(bad.header("Access-Control-Allow-Origin") == nil)
            #expect(await server.send("GET", "/app/judge/location", headers: [host]).status == 200)
        }
    }
#endif
