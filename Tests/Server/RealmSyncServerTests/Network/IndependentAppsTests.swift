// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Dispatch
    import NIOConcurrencyHelpers
    import RealmStorage
    import RealmSyncCore
    import RealmTestSupport
    import ServerTestSupport
    import SyncTestSupport
    import TestTraits
    import Testing

    @testable import RealmSyncServer

    /// An app whose work takes long, next to another one.
    @Suite(.serialized, .timeLimited, .scope(TestCleanup.perform)) struct IndependentAppsTests {
        private static func server() async throws -> TestServer {
            try await TestServer { $0.flexibleApps = ["slow", "other"] }
        }

        /// Connects a client, and subscribes it to a query.
        private static func client(
            _ server: TestServer, _ app: String, _ user: String, _ query: String? = nil
        ) async throws -> MessageClient {
            let uri = WebSocketClient.uri(user: user, app: app)
            let client = try await MessageClient(port: server.port, uri: uri, mode: .flexible)
            _ = try await client.begin(SessionPurpose.ordinary.path())
            _ = try await client.download()
            guard let query else { return client }
            try await subscribe(client, query)
            return client
        }

        private static func subscribe(_ client: MessageClient, _ query: String) async throws {
            try await client.send(.query(session: 1, VersionedQuery(version: 1, text: #"{"Note":"\#(query)"}"#)))
            try await finishBootstrap(client)
        }

        private static func finishBootstrap(_ client: MessageClient) async throws {
            while true {
                if case .flexible(1, .lastOfBootstrap, _) = try await client.download().stage { return }
            }
        }

        /// Fills an app with so many objects that its queries are evaluated on another thread.
        private static func fill(_ server: TestServer, _ app: String, _ count: Int64) async throws -> MessageClient {
            let writer = try await client(server, app, "writer")
            try await writer.upload([SimpleChanges.schema], first: 1)
            try await writer.waitForUpload(1)
            try await subscribe(writer, "TRUEPREDICATE")
            let objects = (0..<count).flatMap { SimpleChanges.create($0, n: $0).instructions }
            try await writer.upload([Changeset(objects)], first: 2, basedOn: 1)
            try await writer.waitForUpload(2)
            return writer
        }

        @Test func slowSubscriptionsDelayNoOtherApp() async throws {
            let server = try await Self.server()
            var clients: [MessageClient] = []
            for app in ["slow", "other"] { clients.append(try await Self.fill(server, app, 3000)) }
            let slow = try await Self.client(server, "slow", "ann")
            // The work of the app occupies all threads that it may use, as slow queries do.
            let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let beginCount = NIOLockedValueBox(0)
            for _ in 0..<20 {
                server.server.engine.work.run(for: ByteText("slow")) {
                    beginCount.withLockedValue { $0 += 1 }
                    begun.signal()
                    end.wait()
                }
            }
            for _ in 0..<4 { await begun.waitAsynchronously() }
            try await slow.send(.query(session: 1, VersionedQuery(version: 1, text: #"{"Note":"n != 1"}"#)))
            clients += [slow, try await Self.client(server, "other", "bob", "n != 1")]
            try await clients[1].upload([SimpleChanges.add(1, to: 5)], first: 3, basedOn: 1)
            try await clients[1].waitForUpload(3)
            #expect(beginCount.withLockedValue { $0 } == 4)
            for _ in 0..<20 { end.signal() }
            try await Self.finishBootstrap(slow)
            for client in clients { client.close() }
        }

        @Test func slowDocumentQueriesDelayNoOtherApp() async throws {
            let server = try await Self.server()
            var clients: [MessageClient] = []
            for app in ["slow", "other"] { clients.append(try await Self.fill(server, app, 10)) }
            let engine = server.server.engine
            let documents = EngineDocuments { engine.post($0) }
            let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let slow = (0..<20).map { _ in
                Task {
                    try await documents.read(DocumentPlace(app: ByteText("slow"), name: nil)) { snapshot in
                        begun.signal()
                        end.wait()
                        return snapshot != nil
                    }
                }
            }
            for _ in 0..<4 { await begun.waitAsynchronously() }
            // The other app's queries and changes, and the changes of the app itself.
            let place = DocumentPlace(app: ByteText("other"), name: nil)
            #expect(try await documents.read(place) { try $0?.table(named: "class_Note")?.count() } == 10)
            for client in clients {
                try await client.upload([SimpleChanges.add(1, to: 5)], first: 3, basedOn: 1)
                try await client.waitForUpload(3)
            }
            for _ in 0..<20 { end.signal() }
            for task in slow { #expect(try await task.value) }
            for client in clients { client.close() }
        }

        /// A change with messages for more clients than a round, and one of another app.
        @Test func allClientsReceiveAChangeInRounds() async throws {
            let server = try await Self.server()
            var writers: [MessageClient] = []
            for app in ["slow", "other"] { writers.append(try await Self.fill(server, app, 10)) }
            var readers: [MessageClient] = []
            for number in 0..<150 {
                readers.append(try await Self.client(server, "slow", "user\(number)", "n != \(-number - 1)"))
            }
            let other = try await Self.client(server, "other", "ann", "n != 100")
            for version in 3...6 as ClosedRange<UInt64> {
                try await writers[0].upload([SimpleChanges.add(1, to: 5)], first: version, basedOn: 1)
            }
            try await writers[1].upload([SimpleChanges.add(1, to: 5)], first: 3, basedOn: 1)
            while try await other.download().entries.isEmpty {}
            for reader in readers {
                var received = 0
                while received < 4 { received += try await reader.download().entries.count }
                #expect(received == 4)
            }
            try await writers[0].waitForUpload(6)
            for client in writers + readers + [other] { client.close() }
        }
    }
#endif
