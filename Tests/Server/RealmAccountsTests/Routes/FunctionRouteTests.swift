// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    @testable import RealmAccounts
    import HTTPServing
    import RealmStorage
    import RealmSyncCore
    import Testing

    @Suite struct FunctionRouteTests {
        private struct Unexpected: Error, CustomStringConvertible { let description = "what only the server knows" }

        private func server() async throws -> TestServer {
            try await TestServer { _, app in
                app.hooks.call = { call in
                    switch call.name {
                    case "f": return #"{"$numberLong":"42"}"#
                    case "echo": return #"[\#(call.arguments),"\#(call.user)","\#(call.service ?? "-")"]"#
                    case "refuse": throw HookError("not today")
                    case "fail": throw Unexpected()
                    case "nonsense": return "{"
                    default: throw FunctionNotFound()
                    }
                }
            }
        }

        /// The exchange of the recording `http-errors`.
        @Test func aResultIsTheBody() async throws {
            let server = try await server()
            let user = try await server.anonymous()
            let answer = await server.send(
                "POST", "/app/judge/functions/call", ["arguments": .array([]), "name": "f"], token: user.access)
            #expect(answer.status == 200)
            #expect(answer.body == #"{"$numberLong":"42"}"#)
            let body: JSON = ["arguments": .array([["$numberInt": "1"]]), "name": "echo", "service": "mongodb-atlas"]
            let echo = await server.send("POST", "/app/judge/functions/call", body, token: user.access)
            #expect(echo.body == #"[[{"$numberInt":"1"}],"\#(user.id)","mongodb-atlas"]"#)
        }

        @Test(arguments: [
            ("refuse", 400, "FunctionExecutionError", "not today"),
            ("other", 404, "FunctionNotFound", "function not found"),
            ("fail", 400, "FunctionExecutionError", "the function failed"),
            ("nonsense", 400, "FunctionExecutionError", "the function failed"),
        ]) func errors(_ name: String, status: Int, code: String, text: String) async throws {
            let server = try await server()
            let user = try await server.anonymous()
            let answer = await server.send(
                "POST", "/app/judge/functions/call", ["arguments": .array([]), "name": .string(name)],
                token: user.access)
            #expect(answer.status == status)
            #expect(answer.code == code)
            #expect(answer.text("error") == text)
        }

        @Test func aCallWithoutAHookFails() async throws {
            let server = try await TestServer()
            let user = try await server.anonymous()
            let path = "/app/judge/functions/call"
            #expect(await server.send("POST", path, ["name": "f"], token: user.access).code == "FunctionNotFound")
            #expect(await server.send("POST", path, ["name": "f"]).code == "MissingAuthReq")
            #expect(await server.send("GET", path, query: Self.query("f", user)).code == "FunctionNotFound")
            #expect(await server.send("PUT", path, token: user.access).status == 405)
        }

        // MARK: Streams

        private static func query(_ name: String, _ user: TestServer.User) -> String {
            let request: JSON = ["arguments": .array([["$numberInt": "1"]]), "name": .string(name)]
            return "baas_request=\(Base64.text(Array(request.description.utf8)))&baas_at=\(user.access)"
        }

        private func streams() async throws -> TestServer {
            try await TestServer { _, app in
                app.hooks.stream = { call in
                    guard call.name != "none" else { throw FunctionNotFound() }
                    return AsyncThrowingStream { continuation in
                        continuation.yield(#"{"arguments":\#(call.arguments),"user":"\#(call.user)"}"#)
                        continuation.yield(#""100%\r\n""#)
                        if call.name == "nonsense" { continuation.yield("{") }
                        continuation.finish(throwing: call.name == "refuse" ? HookError("not\ntoday") : nil)
                    }
                }
            }
        }

        private func events(_ server: TestServer, _ query: String) async throws -> (String, EventStream) {
            let response = await server.accounts.respond(
                to: HTTPRequest(
                    method: "GET", path: "/api/client/v2.0/app/judge/functions/call", query: query, peer: "10.0.0.1"))
            #expect(response.status == 200)
            #expect(response.headers.contains { $0.name == "Content-Type" && $0.value == "text/event-stream" })
            let events = try #require(response.events)
            var text = ""
            while let piece = await events.next() { text += String(decoding: piece, as: UTF8.self) }
            return (text, events)
        }

        @Test func aStreamIsEvents() async throws {
            let server = try await streams()
            let user = try await server.anonymous()
            let (text, events) = try await events(server, Self.query("f", user))
            #expect(
                text == "data: {\"arguments\":[{\"$numberInt\":\"1\"}],\"user\":\"\(user.id)\"}\n\n"
                    + #"data: "100%25\r\n""# + "\n\n")
            #expect(await events.isAllowed())
            server.time.pass(seconds: 1800)
            #expect(await !events.isAllowed())
            #expect(!server.lines.text.contains(user.access))
        }

        @Test(arguments: [("refuse", #""error":"not\ntoday""#), ("nonsense", #""error":"the function failed""#)])
        func anErrorIsAnEvent(_ name: String, _ text: String) async throws {
            let server = try await streams()
            let (events, _) = try await events(server, Self.query(name, try await server.anonymous()))
            #expect(
                events.hasSuffix("\n\nevent: error\ndata: {\(text),\"error_code\":\"FunctionExecutionError\"}\n\n"),
                "\(events)")
        }

        @Test func aStreamThatCannotBeginIsAnAnswer() async throws {
            let server = try await streams()
            let user = try await server.anonymous()
            let path = "/app/judge/functions/call"
            #expect(await server.send("GET", path, query: Self.query("none", user)).code == "FunctionNotFound")
            #expect(await server.send("GET", path, query: "baas_request=e30").code == "MissingAuthReq")
            #expect(await server.send("GET", path, query: "baas_request=e30&baas_at=x.y.z").code == "InvalidSession")
            #expect(await server.send("GET", path, query: "baas_at=\(user.access)").code == "MissingParameter")
            #expect(
                await server.send("GET", path, query: "baas_at=\(user.access)&baas_request=W10").code
                    == "MissingParameter")
        }
    }
#endif
