// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import InMemoryTracing
    import RealmAccounts
    #if PostgreSQL
        import RealmPostgres
    #endif
    import RealmSyncCore
    import RealmSystem
    import RealmTestSupport
    import ServerTestSupport
    import SyncTestSupport
    import TestTraits
    import Testing
    import Tracing

    @testable import RealmSyncServer

    /// Traces with a tracer in memory. Other tests add spans to it too.
    @Suite(.serialized, .timeLimited, .scope(TestCleanup.perform)) struct ServerSpanTests {
        private static let tracer: InMemoryTracer = {
            let tracer = InMemoryTracer()
            InstrumentationSystem.bootstrap(tracer)
            return tracer
        }()

        /// Returns the spans that end inside the function.
        private func spans(_ body: () throws -> Void) rethrows -> [FinishedInMemorySpan] {
            let id = try Self.tracer.withSpan("test") { span in
                try body()
                return span.spanID
            }
            return Self.tracer.finishedSpans.filter { $0.parentSpanID == id }
        }

        private static func hasNoData(_ span: FinishedInMemorySpan) -> Bool {
            span.attributes.isEmpty && span.errors.isEmpty && span.events.isEmpty && span.status?.message == nil
        }

        @Test func anUploadAndABootstrapHaveSpans() throws {
            let folder = try TemporaryFolder()
            let partition = try StoredPartition(folder: folder.path, partition: "string:p")
            let file = try partition.addFile().ident
            let uploads = try spans {
                try partition.integrate([UploadedChange(SimpleChanges.schema, 1, from: file)], from: file)
                try partition.compact()
            }
            #expect(uploads.map(\.operationName) == ["realm_server.upload", "realm_server.bootstrap"])
            #expect(uploads.allSatisfy { Self.hasNoData($0) && $0.status == nil })
            let refused = spans {
                #expect(throws: SessionError.self) {
                    try partition.integrate([UploadedChange(SimpleChanges.add(1, to: 77), 2, from: file)], from: file)
                }
            }
            #expect(refused.first?.status?.code == .error)
            #expect(refused.allSatisfy(Self.hasNoData))
        }

        #if PostgreSQL
            @Test func aCommitInPostgreSQLHasSpansAndMetrics() throws {
                guard let database = try TestStores(.postgres)?.database else { return }
                let metrics = PrometheusMetrics()
                let stores = try PostgresStores(database.settings(), metrics: PostgresMetrics(metrics))
                func shows(_ line: String) -> Bool { metrics.text.contains("\nrealm_server_postgres_\(line)\n") }
                #expect(shows("lock_seconds_count 0") && shows("commit_seconds_count 0") && shows("reachable 0"))
                let frames = try stores.frames(app: "app", name: "string:p")
                let spans = try self.spans {
                    _ = try frames.lock(after: 0)
                    #expect(shows("connections 1"))
                    try frames.commit([[1]])
                }
                #expect(spans.map(\.operationName) == ["realm_server.lock", "realm_server.commit"])
                #expect(spans.allSatisfy { Self.hasNoData($0) && $0.status == nil })
                #expect(shows("connections 0") && shows("lock_seconds_count 1") && shows("commit_seconds_count 1"))
                let failed = self.spans {
                    #expect(throws: SharedLogError.self) { try frames.commit([[2]]) }
                }
                #expect(failed.first?.status?.code == .error && failed.allSatisfy(Self.hasNoData))
                try stores.follow({ _ in }, { _ in })
                #expect(shows("reachable 1"))
                // New sessions are refused too.
                let administrator = try PostgresConnection(PostgresSettings(database.cluster.url("postgres")))
                try administrator.execute("ALTER DATABASE \(database.name) ALLOW_CONNECTIONS false")
                try administrator.execute(
                    "DO $$ BEGIN PERFORM pg_terminate_backend(pid) FROM pg_stat_activity "
                        + "WHERE datname = '\(database.name)'; END $$")
                while !shows("reachable 0") { CurrentProcess.pause(microseconds: 10_000) }
                stores.stop()
            }
        #endif

        @Test func requestsOfDocumentsAndOfTheAdminPortHaveSpans() async throws {
            _ = Self.tracer
            let server = try await TestServer(
                accounts: AccountsConfiguration(apps: [AppConfiguration(id: "chat")])
            ) { $0.adminPort = 0 }
            let base = "/api/client/v2.0/app/chat"
            let user = try await PlainRequest.answer(
                server.port, "POST \(base)/auth/providers/anon-user/login HTTP/1.1\r\nContent-Type: application/json",
                body: #"{"provider":"anon-user"}"#)
            let json = try JSON(parsing: user.components(separatedBy: "\r\n\r\n").dropFirst().joined())
            let token = try #require(json["access_token"]?.text)
            let secret = "a name that isn't in a trace"
            _ = try await PlainRequest.answer(
                server.port,
                "POST \(base)/functions/call HTTP/1.1\r\nContent-Type: application/json\r\n"
                    + "Authorization: Bearer \(token)",
                body: #"{"name":"find","service":"mongodb-atlas","arguments":[{"database":"d","collection":"Dog","#
                    + #""query":{"_partition":"p","name":"\#(secret)"}}]}"#)
            let port = try #require(server.server.adminPort)
            let key = try AdminAddress(in: server.folder.path).key
            let status = try await PlainRequest.answer(
                port, "GET /status HTTP/1.1\r\nAuthorization: Bearer \(key)", host: "127.0.0.1:\(port)")
            #expect(status.hasPrefix("HTTP/1.1 200"))
            let spans = Self.tracer.finishedSpans
            for name in [ServerSpan.documents, .administration] {
                #expect(spans.contains { $0.operationName == name.rawValue }, "\(name)")
            }
            let names = ServerSpan.allCases.map(\.rawValue)
            #expect(spans.filter { names.contains($0.operationName) }.allSatisfy(Self.hasNoData))
        }
    }
#endif
