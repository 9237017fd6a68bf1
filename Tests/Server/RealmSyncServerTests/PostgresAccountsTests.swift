// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import RealmAccounts
    import RealmPostgres
    import RealmSyncCore
    import RealmSyncServer
    import RealmTestSupport
    import ServerTestSupport
    import TestTraits
    import Testing

    /// Two servers whose accounts are in one database.
    @Suite(
        .serialized, .timeLimited, .scope(TestCleanup.perform),
        .enabled(if: PostgresCluster.isAvailable, "\(PostgresCluster.absence)"))
    struct PostgresAccountsTests {
        private let database: PostgresDatabase

        init() throws { database = try PostgresCluster.shared().makePreparedDatabase() }

        private func start() async throws -> TestServer {
            try await TestServer(accounts: AccountsConfiguration(apps: [AppConfiguration(id: "chat")])) {
                $0.postgres = database.url
            }
        }

        private func logIn(_ server: TestServer) async throws -> (access: String, refresh: String, user: String) {
            let path = "/api/client/v2.0/app/chat/auth/providers/anon-user/login"
            let answer = try await PlainRequest.answer(
                server.port, "POST \(path) HTTP/1.1\r\nContent-Type: application/json",
                body: #"{"provider":"anon-user"}"#)
            let json = try JSON(
                parsing: String(try #require(answer.firstRange(of: "\r\n\r\n").map { answer[$0.upperBound...] })))
            return (
                try #require(json["access_token"]?.text), try #require(json["refresh_token"]?.text),
                try #require(json["user_id"]?.text)
            )
        }

        private func connect(_ server: TestServer, _ token: String) async throws -> MessageClient {
            try await MessageClient(port: server.port, uri: "/api/client/v2.0/app/chat/realm-sync?baas_at=\(token)")
        }

        @Test func eachServerAcceptsTheTokensOfAll() async throws {
            let servers = [try await start(), try await start()]
            for (first, second) in [(servers[0], servers[1]), (servers[1], servers[0])] {
                let client = try await connect(second, try await logIn(first).access)
                #expect(try await client.begin("\"chat\"").ident > 0)
                client.close()
            }
        }

        @Test func revokedTokensCloseTheConnectionsOfAllServers() async throws {
            let servers = [try await start(), try await start()]
            let (leaving, disabled, staying) = (
                try await logIn(servers[0]), try await logIn(servers[1]), try await logIn(servers[0])
            )
            let clients = (
                try await connect(servers[1], leaving.access), try await connect(servers[1], disabled.access),
                try await connect(servers[1], staying.access)
            )
            let answer = try await PlainRequest.answer(
                servers[0].port,
                "DELETE /api/client/v2.0/auth/session HTTP/1.1\r\nAuthorization: Bearer \(leaving.refresh)")
            #expect(answer.hasPrefix("HTTP/1.1 204"))
            #expect(await isClosed(clients.0))
            // The next changes are found by a new connection.
            try PostgresConnection(try database.settings()).execute(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND query LIKE '%account_events WHERE id >%' AND pid <> pg_backend_pid()
                """)
            try await servers[0].server.accounts.disable(disabled.user, in: "chat")
            #expect(await isClosed(clients.1))
            #expect(try await clients.2.begin("\"p\"").ident > 0)
            await #expect(throws: (any Error).self) { _ = try await connect(servers[1], disabled.access) }
        }

        private func isClosed(_ client: MessageClient) async -> Bool {
            if case .closed(4001) = await client.nextEvent() { true } else { false }
        }
    }
#endif
