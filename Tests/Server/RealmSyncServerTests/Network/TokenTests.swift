// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import NIOConcurrencyHelpers
    import RealmAccounts
    import RealmSyncCore
    import RealmSyncServer
    import RealmTestSupport
    import ServerTestSupport
    import SyncTestSupport
    import TestTraits
    import Testing

    /// Connections end with the tokens that opened them (§2.3).
    @Suite(.serialized, .timeLimited, .scope(TestCleanup.perform)) struct TokenTests {
        private static func client(_ server: TestServer, _ user: String) async throws -> MessageClient {
            let client = try await MessageClient(port: server.port, uri: WebSocketClient.uri(user: user))
            _ = try await client.begin("\"p\"")
            _ = try await client.download()
            return client
        }

        /// A connection whose token expires soon. Under load it may have expired before the connection is established.
        private static func short(_ server: TestServer) async throws -> MessageClient {
            for _ in 0..<100 {
                let uri = WebSocketClient.uri(user: "short")
                if let client = try? await MessageClient(port: server.port, uri: uri) { return client }
            }
            throw Failure("no connection is open before its token expires")
        }

        private static func isOpen(_ client: MessageClient) async throws -> Bool {
            try await client.send(.ping(timestamp: 7, roundTrip: 0))
            guard case .pong(7) = try await client.next() else { return false }
            return true
        }

        @Test func aConnectionEndsWithItsToken() async throws {
            let server = try await TestServer()
            let ann = try await Self.client(server, "ann")
            #expect(try await Self.short(server).closeCode() == 4001)
            #expect(try await Self.isOpen(ann))
        }

        @Test func tokensExpireByTheServersClock() async throws {
            let now = NIOLockedValueBox<Int64>(0)
            let server = try await TestServer { $0.clock = { now.withLockedValue { $0 } } }
            let (ann, brief) = (try await Self.client(server, "ann"), try await Self.client(server, "brief"))
            now.withLockedValue { $0 = 999 }
            server.server.tick()
            #expect(try await Self.isOpen(brief))
            now.withLockedValue { $0 = 1000 }
            server.server.tick()
            #expect(await brief.closeCode() == 4001)
            #expect(try await Self.isOpen(ann))
        }

        @Test func aRevokedTokenEndsItsConnections() async throws {
            let server = try await TestServer()
            var clients: [MessageClient] = []
            for user in ["ann", "ann", "ben"] { clients.append(try await Self.client(server, user)) }
            server.services.revoke("ann", session: "another")
            for client in clients { #expect(try await Self.isOpen(client)) }
            server.services.revoke("ann")
            for client in clients[..<2] { #expect(await client.closeCode() == 4001) }
            #expect(try await Self.isOpen(clients[2]))
            server.services.revoke("ben", session: "ben")
            #expect(await clients[2].closeCode() == 4001)
        }

        @Test func aTokenIsCheckedAgainOnceItsConnectionIsRegistered() async throws {
            let server = try await TestServer()
            await #expect(throws: WebSocketClient.Refused.self) {
                _ = try await MessageClient(port: server.port, uri: WebSocketClient.uri(user: "late"))
            }
        }

        @Test func aClientRefreshesItsToken() async throws {
            let server = try await TestServer()
            let port = server.port
            let client = SyncClient(port: { port }, user: "ann", path: "\"p\"", seed: 1)
            try await client.commit { _ in SimpleChanges.schema }
            try await client.waitForUpload()
            server.services.revoke("ann")
            try await client.commit { _ in SimpleChanges.create(1) }
            try await client.waitForUpload()
            #expect(try await client.takeFailures().isEmpty)
        }
    }

    /// The hook that decides about the permissions of users.
    @Suite(.serialized, .timeLimited) struct PermissionHookTests {
        private struct Broken: Error {}

        private static func bind(_ client: MessageClient, _ session: UInt64, _ name: String) async throws {
            try await client.send(
                .bind(ClientMessage.Bind(session: session, path: "\"\(name)\"", needsIdent: true)))
        }

        /// One file waits for its decision. Others don't, and messages of the connection keep their order.
        @Test func onlyItsConnectionWaitsForADecision() async throws {
            let (decision, decide) = AsyncStream<Void>.makeStream()
            let server = try await TestServer {
                $0.permissions = { request in
                    guard request.partition == "slow" else { return .write }
                    for await _ in decision { return .write }
                    return .none
                }
            }
            let slow = try await MessageClient(port: server.port)
            try await Self.bind(slow, 1, "slow")
            try await Self.bind(slow, 2, "other")
            let quick = try await MessageClient(port: server.port, uri: WebSocketClient.uri(user: "ben"))
            _ = try await quick.begin("\"other\"")
            _ = try await quick.download()
            decide.yield()
            for session: UInt64 in 1...2 {
                guard case .ident(session, _) = try await slow.next() else {
                    Issue.record("an ident of session \(session) was expected")
                    return
                }
            }
        }

        @Test func aHookThatDecidesNothingIsAnError() async throws {
            let server = try await TestServer {
                $0.permissionTimeLimit = .milliseconds(50)
                $0.permissions = { request in
                    if request.partition == "broken" { throw Broken() }
                    // Ignores cancellation.
                    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
                    return .write
                }
            }
            let client = try await MessageClient(port: server.port)
            for (session, name) in [(UInt64(1), "broken"), (2, "endless")] {
                try await Self.bind(client, session, name)
                guard case .jsonError(session, 201, let error) = try await client.next() else {
                    Issue.record("201 was expected")
                    return
                }
                #expect(error.action == .transient && error.canTryAgain)
            }
            #expect(server.log.text.contains("decided nothing"))
        }
    }
#endif
