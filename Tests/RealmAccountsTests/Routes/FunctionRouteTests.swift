// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    @testable import RealmAccounts
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

        /// As in the recording `http-errors`.
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

        @Test func withoutAHookThereIsNoFunction() async throws {
            let server = try await TestServer()
            let user = try await server.anonymous()
            let path = "/app/judge/functions/call"
            #expect(await server.send("POST", path, ["name": "f"], token: user.access).code == "FunctionNotFound")
            #expect(await server.send("POST", path, ["name": "f"]).code == "MissingAuthReq")
            #expect(await server.send("GET", path, token: user.access).status == 405)
        }
    }
#endif
