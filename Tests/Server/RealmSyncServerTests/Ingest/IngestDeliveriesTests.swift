// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Logging
    import NIOConcurrencyHelpers
    import RealmStorage
    import RealmSyncCore
    @testable import RealmSyncServer
    import RealmTestSupport
    import ServerTestSupport
    import SyncTestSupport
    import TestTraits
    import Testing

    /// A server, whose clients create asymmetric objects over a socket.
    @Suite(.serialized, .timeLimited, .scope(TestCleanup.perform)) struct IngestDeliveriesTests {
        private static let path = "\"ingest\""

        /// The keys of the objects that a hook was called with.
        private final class Received: Sendable {
            private let state = NIOLockedValueBox<(keys: [Int64], users: Set<String>, failures: Int)>(([], [], 0))

            func hook(failing number: Int) -> IngestHook {
                { [state] batch in
                    let keys = try batch.objects.map { object in
                        guard let key: Int64 = try JSON(parsing: Array(object.json.utf8))["_id"]?.integer() else {
                            throw Failure("a document has no key: \(object.json)")
                        }
                        return key
                    }
                    try state.withLockedValue { state in
                        guard state.failures >= number else {
                            state.failures += 1
                            throw Failure("the hook fails")
                        }
                        state.keys += keys
                        state.users.formUnion(batch.objects.map(\.userID))
                    }
                }
            }

            var keys: [Int64] { state.withLockedValue { $0.keys } }
            var users: Set<String> { state.withLockedValue { $0.users } }

            func wait(for count: Int) async throws {
                for _ in 0..<12_000 {
                    if keys.count >= count { return }
                    try await Task.sleep(for: .milliseconds(10))
                }
                throw Failure("the hook was called with \(keys.count) of \(count) objects")
            }
        }

        private static func upload(_ keys: ClosedRange<Int64>, to port: Int) async throws {
            let client = try await MessageClient(port: port)
            _ = try await client.begin(path)
            _ = try await client.download()
            let changes = [IngestModel.schema] + keys.map { Changeset([.createObject(IngestModel.object($0))]) }
            try await client.upload(changes, first: 1)
            try await client.waitForUpload(UInt64(changes.count))
            client.close()
        }

        @Test(arguments: IngestStoreKind.allCases)
        func aHookGetsAllObjectsInOrderAfterItsFailures(_ kind: IngestStoreKind) async throws {
            guard let store = try IngestStore(kind) else { return }
            let folder = store.folder
            let received = Received()
            let shared = try (0..<3).map { _ in try store.shared?.node() }
            let server = try await TestServer(folder) {
                $0.shared = shared[0]
                $0.ingestPartition = Self.path
                $0.ingest = received.hook(failing: 2)
            }
            try await Self.upload(1...2500, to: server.port)
            try await received.wait(for: 2500)
            #expect(received.keys == Array(1...2500) && received.users == ["ann"])
            #expect(server.log.text.contains("ingested objects are not processed"))
            for _ in 0..<1000 where await server.server.ingestBacklog(of: "app") > 0 {
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(await server.server.ingestBacklog(of: "app") == 0)
            try await server.stop()
            // Another run continues behind the last batch, without a request of a client.
            let without = try await TestServer(folder) {
                $0.shared = shared[1]
                $0.ingestPartition = Self.path
            }
            try await Self.upload(2501...2600, to: without.port)
            try await without.stop()
            let later = Received()
            _ = try await TestServer(folder) {
                $0.shared = shared[2]
                $0.ingestPartition = Self.path
                $0.ingest = later.hook(failing: 0)
            }
            try await later.wait(for: 100)
            #expect(later.keys == Array(2501...2600))
        }

        @Test func objectsThatWereRemovedWithoutAHookAreReported() async throws {
            let folder = try TemporaryFolder()
            func open(hasHook: Bool) throws -> (StoredPartition, IngestFeed) {
                var options = StoredPartition.Options()
                options.ingests = true
                options.ingest.segmentSize = 500
                options.ingest.hasHook = hasHook
                let partition = try StoredPartition(folder: folder.path, partition: "string:p", options)
                return (partition, try #require(partition.ingestFeed))
            }
            let (partition, feed) = try open(hasHook: true)
            let file = try partition.addFile().ident
            for version in 1...UInt64(50) {
                let schema = version == 1 ? IngestModel.schema.instructions : []
                let changeset = Changeset(schema + [.createObject(IngestModel.object(Int64(version)))])
                try partition.integrate([UploadedChange(changeset, version, from: file)], from: file)
                try partition.flush()
            }
            try feed.source.didDeliver(through: 1)
            let oldest = try open(hasHook: false).1.remove(through: 40)
            #expect(oldest > 2)
            let (received, log) = (Received(), CollectedLog())
            let deliveries = IngestDeliveries(received.hook(failing: 0), logger: Logger(label: "test") { _ in log })
            deliveries.start("app", try open(hasHook: true).1)
            try await received.wait(for: 51 - Int(oldest))
            await deliveries.stop()
            #expect(received.keys == Array(Int64(oldest)...50))
            #expect(log.text.contains("were removed") && log.text.contains("\(oldest - 1)"))
        }

        @Test(arguments: IngestStoreKind.allCases)
        func aFileWithSubscriptionsIngests(_ kind: IngestStoreKind) async throws {
            guard let store = try IngestStore(kind) else { return }
            let received = Received()
            let shared = try store.shared?.node()
            let server = try await TestServer {
                $0.shared = shared
                $0.flexibleApps = ["app"]
                $0.ingest = received.hook(failing: 0)
            }
            let (port, folder) = (server.port, try TemporaryFolder())
            let client = try FlexibleClient(folder.path + "/ann.realm", user: "ann", seed: 1) { port }
            try await client.commit(IngestModel.schema)
            try await client.subscribe("TRUEPREDICATE")
            try await client.waitForSubscriptions()
            for key in 1...Int64(20) {
                let note = key.isMultiple(of: 5) ? SimpleChanges.create(key).instructions : []
                try await client.commit(Changeset(note + [.createObject(IngestModel.object(key))]))
            }
            try await client.waitForUpload()
            try await received.wait(for: 20)
            #expect(received.keys == Array(1...20) && received.users == ["ann"])
            #expect(try client.notes.keys.sorted() == [5, 10, 15, 20])
            #expect(try client.database.snapshot(label: "test").table(named: "class_Reading")?.count() == 0)
            #expect(try await client.takeFailures().isEmpty)
        }

        // MARK: Nodes

        /// Starts servers with the same stores.
        private static func nodes(
            _ stores: TestStores, _ hooks: [IngestHook?], _ change: (inout RealmServer.Options) -> Void = { _ in }
        ) async throws -> [TestServer] {
            var servers: [TestServer] = []
            for hook in hooks {
                let shared = try stores.node()
                servers.append(
                    try await TestServer {
                        $0.shared = shared
                        $0.ingestPartition = path
                        $0.ingest = hook
                        change(&$0)
                    })
            }
            return servers
        }

        @Test(arguments: SharedStoresKind.allCases)
        func oneNodeDeliversAndAnotherContinues(_ kind: SharedStoresKind) async throws {
            guard let stores = try TestStores(kind) else { return }
            let received = [Received(), Received()]
            let servers = try await Self.nodes(stores, received.map { $0.hook(failing: 0) })
            // The first node to open the feed delivers.
            try await Self.upload(1...1500, to: servers[0].port)
            try await received[0].wait(for: 1500)
            try await Self.upload(1501...1600, to: servers[1].port)
            try await received[0].wait(for: 1600)
            try await servers[0].stop()
            try await Self.upload(1601...1700, to: servers[1].port)
            try await received[1].wait(for: 100)
            #expect(received[0].keys == Array(1...1600) && received[1].keys == Array(1601...1700))
        }

        @Test func aBatchThatIsProcessedDuringTheStopIsNotRepeated() async throws {
            let stores = try #require(try TestStores(.memory))
            let (received, later) = (Received(), Received())
            let hook = received.hook(failing: 0)
            let isStarted = NIOLockedValueBox(false)
            // The hook ignores its cancellation.
            let slow: IngestHook = { batch in
                isStarted.withLockedValue { $0 = true }
                while !Task.isCancelled { await Task.yield() }
                await Task.detached { try? await Task.sleep(for: .milliseconds(100)) }.value
                try await hook(batch)
            }
            let first = try await Self.nodes(stores, [slow])[0]
            try await Self.upload(1...10, to: first.port)
            while !isStarted.withLockedValue({ $0 }) { try await Task.sleep(for: .milliseconds(5)) }
            try await first.stop()
            let second = try await Self.nodes(stores, [later.hook(failing: 0)])[0]
            try await Self.upload(11...11, to: second.port)
            try await later.wait(for: 1)
            #expect(received.keys + later.keys == Array(1...11))
        }

        @Test func aNodeThatStopsRenewsItsLeaseUntilTheEndOfTheLastBatch() async throws {
            let stores = try #require(try TestStores(.memory))
            let received = Received()
            let hook = received.hook(failing: 0)
            let isStarted = NIOLockedValueBox(false)
            // The hook ignores its cancellation until the lease is renewed.
            let slow: IngestHook = { [memory = stores.memory] batch in
                isStarted.withLockedValue { $0 = true }
                while !Task.isCancelled { await Task.yield() }
                let count = memory.deliveryCount
                let isRenewed = await Task.detached {
                    for _ in 0..<12_000 where memory.deliveryCount == count {
                        try? await Task.sleep(for: .milliseconds(10))
                    }
                    return memory.deliveryCount > count
                }.value
                guard isRenewed else { throw Failure("the lease isn't renewed") }
                try await hook(batch)
            }
            let node = try await Self.nodes(stores, [slow])[0]
            try await Self.upload(1...10, to: node.port)
            while !isStarted.withLockedValue({ $0 }) { try await Task.sleep(for: .milliseconds(5)) }
            try await node.stop()
            #expect(received.keys == Array(1...10))
        }

        @Test(arguments: SharedStoresKind.allCases)
        func aHookGetsTheObjectsOfAnAppThatOnlyOtherNodesUse(_ kind: SharedStoresKind) async throws {
            guard let stores = try TestStores(kind) else { return }
            let received = Received()
            let servers = try await Self.nodes(stores, [nil, received.hook(failing: 0)])
            try await Self.upload(1...20, to: servers[0].port)
            servers[1].server.tick()
            try await received.wait(for: 20)
            #expect(received.keys == Array(1...20))
        }

        @Test func aHookContinuesAfterAFailedCommit() async throws {
            let stores = try #require(try TestStores(.memory))
            let received = Received()
            let servers = try await Self.nodes(stores, [received.hook(failing: 0)])
            try await Self.upload(1...10, to: servers[0].port)
            stores.memory.failCommits(1)
            await #expect(throws: (any Error).self) { try await Self.upload(11...20, to: servers[0].port) }
            try await Self.upload(11...20, to: servers[0].port)
            try await received.wait(for: 20)
            #expect(received.keys == Array(1...20))
        }

        @Test(arguments: SharedStoresKind.allCases) func nodesRemoveOldObjects(_ kind: SharedStoresKind) async throws {
            guard let stores = try TestStores(kind) else { return }
            let servers = try await Self.nodes(stores, [nil, nil]) { $0.ingestRetention = .zero }
            try await Self.upload(1...10, to: servers[0].port)
            let feed = try #require(try await servers[1].server.engine.feed(of: "app"))
            #expect(feed.newestSequence == 10)
            let report = try await servers[1].server.engine.report().ingests
            #expect(report == [.init(app: "app", partition: "string:ingest", newest: 10, backlog: 10)])
            while feed.oldestSequence <= 10 {
                servers[1].server.tick()
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(await servers[1].server.ingestBacklog(of: "app") == 0)
            try await Self.upload(11...11, to: servers[0].port)
            #expect(try await feed.readPage(after: 10, limit: 5).records.map(\.sequence) == [11])
        }

        @Test(arguments: SharedStoresKind.allCases)
        func aReaderAtAnotherNodeWaitsForTheNextObject(_ kind: SharedStoresKind) async throws {
            guard let stores = try TestStores(kind) else { return }
            let servers = try await Self.nodes(stores, [nil, nil]) { $0.ingestToken = "t0ken" }
            try await Self.upload(1...2, to: servers[0].port)
            func read(_ query: String) async throws -> String {
                try await PlainRequest.answer(
                    servers[1].port, "GET /ingest/app?\(query) HTTP/1.1\r\nAuthorization: Bearer t0ken")
            }
            // No client has used the other node.
            let first = try await read("after=0")
            #expect(first.contains(#"{"_seq":1,"#) && first.contains(#"{"_seq":2,"#))
            async let next = read("after=2&wait=60")
            try await Self.upload(3...3, to: servers[0].port)
            let answer = try await next
            #expect(answer.contains(#"{"_seq":3,"#) && answer.contains("Ingest-Newest: 3"))
        }

        @Test(arguments: IngestStoreKind.allCases) func objectsAreReadOverHTTP(_ kind: IngestStoreKind) async throws {
            guard let store = try IngestStore(kind) else { return }
            let shared = try store.shared?.node()
            let server = try await TestServer {
                $0.shared = shared
                $0.ingestPartition = Self.path
                $0.ingestToken = "t0ken"
                $0.adminPort = 0
            }
            try await Self.upload(1...3, to: server.port)
            let line = "GET /ingest/app?after=1 HTTP/1.1\r\nAuthorization: Bearer t0ken"
            let admin = try AdminAddress(in: server.folder.path)
            let local = "GET /ingest/app?after=1 HTTP/1.1\r\nAuthorization: Bearer \(admin.key)"
            for (port, line) in [(server.port, line), (admin.port, local)] {
                let host = "127.0.0.1:\(port)"
                let answer = try await PlainRequest.answer(port, line, host: host)
                #expect(answer.hasPrefix("HTTP/1.1 200"))
                #expect(answer.contains(#"{"_seq":2,"class":"Reading","#) && answer.contains(#"{"_seq":3,"#))
                #expect(!answer.contains(#"{"_seq":1,"#) && answer.contains(#""user":"ann""#))
                let refused = try await PlainRequest.answer(port, "GET /ingest/app HTTP/1.1", host: host)
                #expect(refused.hasPrefix("HTTP/1.1 401") || refused.hasPrefix("HTTP/1.1 403"))
            }
            let foreign = try await PlainRequest.answer(admin.port, local, host: "example.com")
            #expect(foreign.hasPrefix("HTTP/1.1 403"))
            let unknown = try await PlainRequest.answer(
                server.port, "GET /ingest/none HTTP/1.1\r\nAuthorization: Bearer t0ken")
            #expect(unknown.hasPrefix("HTTP/1.1 404"))
        }

        @Test func aRejectedObjectIsReportedToItsClient() async throws {
            let server = try await TestServer { $0.ingestPartition = Self.path }
            let client = try await MessageClient(port: server.port)
            let file = try await client.begin(Self.path)
            _ = try await client.download()
            try await client.upload([IngestModel.schema], first: 1)
            try await client.waitForUpload(1)
            try await client.upload([Changeset([.eraseObject(IngestModel.object(7))])], first: 2)
            guard case .jsonError(_, let code, let error) = try await client.next() else {
                throw Failure("an error was expected")
            }
            #expect(code == 230 && error.rejection?.clientVersion == 2)
            #expect(error.rejection?.updates.map(\.object) == [IngestModel.object(7)])
            #expect(error.action == .warning && error.canTryAgain)
            // The client binds again and repeats its upload, of which the server skips the object.
            try await client.send(.unbind(session: 1))
            try await client.send(.bind(ClientMessage.Bind(session: 1, path: Self.path, needsIdent: false)))
            try await client.identify(file)
            let again = Changeset([.eraseObject(IngestModel.object(7))])
            try await client.upload([again, Changeset([.createObject(IngestModel.object(8))])], first: 2)
            try await client.waitForUpload(3)
            #expect(await server.server.ingestBacklog(of: "app") == 1)
            client.close()
        }
    }
#endif
