// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import RealmAccounts
    import RealmSyncCore
    import ServerTestSupport
    import Testing

    /// A server with accounts of its own: a user logs in over HTTP, and its token opens a sync connection.
    @Suite(.serialized, .timeLimit(.minutes(30))) struct AccountsTests {
        private static let base = "/api/client/v2.0/app/chat"

        private static func start(_ folder: TestServer? = nil) async throws -> TestServer {
            try await TestServer(folder?.folder, accounts: AccountsConfiguration(apps: [AppConfiguration(id: "chat")]))
        }

        private static func post(_ server: TestServer, _ path: String, _ body: String) async throws -> String {
            try await PlainRequest.answer(server.port, "POST \(base)\(path) HTTP/1.1\r\nContent-Type: application/json", body: body)
        }

        /// The access token that a log-in gives.
        private static func logIn(_ server: TestServer, _ password: String) async throws -> String? {
            let answer = try await post(
                server, "/auth/providers/local-userpass/login",
                #"{"username": "ann@example.org", "password": "\#(password)"}"#)
            let body = answer.components(separatedBy: "\r\n\r\n").dropFirst().joined()
            return try JSON(parsing: Array(body.utf8))["access_token"]?.text
        }

        private static func uri(_ token: String, app: String = "chat") -> String {
            "/api/client/v2.0/app/\(app)/realm-sync?baas_at=\(token)"
        }

        @Test func theTokenOfAUserOpensAConnection() async throws {
            let server = try await Self.start()
            let body = #"{"email": "ann@example.org", "password": "secret-1"}"#
            let made = try await Self.post(server, "/auth/providers/local-userpass/register", body)
            #expect(made.hasPrefix("HTTP/1.1 201"))
            #expect(try await Self.logIn(server, "secret-2") == nil)
            let token = try #require(try await Self.logIn(server, "secret-1"))
            let client = try await MessageClient(port: server.port, uri: Self.uri(token))
            #expect(try await client.begin("\"chat\"").ident > 0)
            client.close()
            for uri in [Self.uri(token + "x"), Self.uri(token, app: "other"), Self.uri("token-ann")] {
                await #expect(throws: (any Error).self) { _ = try await MessageClient(port: server.port, uri: uri) }
            }
            #expect(!server.log.text.contains(token) && !server.log.text.contains("secret-1"))
            try await server.stop()
            // Users are there when the server runs again.
            let again = try await Self.start(server)
            #expect(try await Self.logIn(again, "secret-1") != nil)
            try await again.stop()
        }
    }
#endif
