// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import RealmAccounts
    import RealmStorage
    import RealmSyncCore
    import RealmTestSupport
    import ServerTestSupport
    import TestTraits
    import Testing

    @testable import RealmSyncServer

    /// A server with accounts. A user logs in over HTTP, and its token opens a sync connection.
    @Suite(.serialized, .timeLimited, .scope(TestCleanup.perform)) struct AccountsTests {
        private static let base = "/api/client/v2.0/app/chat"

        private static func start(_ folder: TestServer? = nil) async throws -> TestServer {
            try await TestServer(folder?.folder, accounts: AccountsConfiguration(apps: [AppConfiguration(id: "chat")]))
        }

        private static func post(_ server: TestServer, _ path: String, _ body: String) async throws -> String {
            try await PlainRequest.answer(
                server.port, "POST \(base)\(path) HTTP/1.1\r\nContent-Type: application/json", body: body)
        }

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
            let again = try await Self.start(server)
            #expect(try await Self.logIn(again, "secret-1") != nil)
        }

        /// Otherwise a program that has stopped a server keeps its memory, and its session with PostgreSQL.
        @Test func aStoppedServerIsDeallocated() async throws {
            let reference = WeakEngine()
            try await TestCleanup.perform {
                let server = try await Self.start()
                let client = try await MessageClient(
                    port: server.port, uri: Self.uri(try await Self.anonymous(server).0))
                _ = try await client.begin("\"p\"")
                _ = try await client.download()
                client.close()
                reference.engine = server.server.engine
            }
            while reference.engine != nil { try await Task.sleep(for: .milliseconds(10)) }
        }

        /// Unchecked `Sendable`: only one task uses it.
        private final class WeakEngine: @unchecked Sendable { weak var engine: SyncEngine? }

        @Test func aLogOutEndsTheConnection() async throws {
            let server = try await Self.start()
            let (access, refresh) = try await Self.anonymous(server)
            let (client, other) = (
                try await MessageClient(port: server.port, uri: Self.uri(access)),
                try await MessageClient(port: server.port, uri: Self.uri(try await Self.anonymous(server).access))
            )
            let answer = try await PlainRequest.answer(
                server.port, "DELETE /api/client/v2.0/auth/session HTTP/1.1\r\nAuthorization: Bearer \(refresh)")
            #expect(answer.hasPrefix("HTTP/1.1 204"))
            guard case .closed(4001) = await client.nextEvent() else {
                Issue.record("the connection goes on")
                return
            }
            #expect(try await other.begin("\"p\"").ident > 0)
        }

        private static func anonymous(_ server: TestServer) async throws -> (access: String, refresh: String) {
            let answer = try await post(server, "/auth/providers/anon-user/login", #"{"provider":"anon-user"}"#)
            let json = try JSON(parsing: answer.components(separatedBy: "\r\n\r\n").dropFirst().joined())
            return (try #require(json["access_token"]?.text), try #require(json["refresh_token"]?.text))
        }

        // MARK: Streams

        private static func streams(
            _ make: @escaping @Sendable () -> AsyncThrowingStream<String, any Error>
        ) async throws -> TestServer {
            var app = AppConfiguration(id: "chat")
            app.hooks.stream = { _ in make() }
            return try await TestServer(accounts: AccountsConfiguration(apps: [app]))
        }

        private static func streamRequest(_ server: TestServer) async throws -> String {
            let call = Base64.text(Array(#"{"name":"watch","arguments":[]}"#.utf8))
            let query = "baas_request=\(call)&baas_at=\(try await anonymous(server).access)"
            return "GET \(base)/functions/call?\(query) HTTP/1.1\r\nAccept: text/event-stream"
        }

        @Test func aStreamIsSentPieceByPiece() async throws {
            let server = try await Self.streams {
                AsyncThrowingStream { continuation in
                    for number in 0..<3 { continuation.yield("\(number)") }
                    continuation.finish()
                }
            }
            let answer = try await PlainRequest.answer(server.port, try await Self.streamRequest(server))
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n") && answer.contains("text/event-stream"))
            #expect(answer.contains("data: 0\n\n") && answer.contains("data: 2\n\n") && answer.hasSuffix("0\r\n\r\n"))
        }

        @Test func aStreamEndsWhenItsClientDisconnects() async throws {
            let (ends, end) = AsyncStream<Void>.makeStream()
            let server = try await Self.streams {
                let (results, continuation) = AsyncThrowingStream<String, any Error>.makeStream(
                    bufferingPolicy: .bufferingNewest(1))
                let filling = Task {
                    while !Task.isCancelled {
                        continuation.yield("1")
                        try await Task.sleep(for: .milliseconds(5))
                    }
                }
                continuation.onTermination = { _ in
                    filling.cancel()
                    end.yield()
                }
                return results
            }
            let request = try await Self.streamRequest(server)
            try await PlainRequest.sendAndClose(server.port, request)
            for await _ in ends { break }
        }
    }
#endif
