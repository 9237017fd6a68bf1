// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Logging
    import RealmStorage
    import RealmSync
    import RealmSyncCore
    import RealmTestSupport
    import ServerTestSupport
    import SyncTestSupport
    import TestTraits
    import Testing

    @testable import RealmSyncServer
    #if PostgreSQL
        import RealmPostgres
    #endif

    /// Several servers with the same stores.
    @Suite(.serialized, .timeLimited, .scope(TestCleanup.perform)) struct NodesTests {
        private let stores = MemoryStores()

        private func start(_ count: Int, _ others: TestStores? = nil) async throws -> [TestServer] {
            var servers: [TestServer] = []
            for _ in 0..<count {
                let shared = try others?.node() ?? stores
                servers.append(
                    try await TestServer {
                        $0.shared = shared
                        $0.flexibleApps = ["flexible"]
                    })
            }
            return servers
        }

        @Test(arguments: SharedStoresKind.allCases)
        func aClientReceivesTheChangesOfAnotherNode(_ kind: SharedStoresKind) async throws {
            guard let stores = try TestStores(kind) else { return }
            let servers = try await start(2, stores)
            let ann = try await MessageClient(port: servers[0].port)
            let ben = try await MessageClient(port: servers[1].port, uri: WebSocketClient.uri(user: "ben"))
            _ = try await ann.begin("\"p\"")
            _ = try await ben.begin("\"p\"")
            _ = try await ben.download()
            try await ann.upload([SimpleChanges.schema, SimpleChanges.create(1)], first: 1)
            try await ann.waitForUpload(2)
            var received = 0
            while received < 2 { received += try await ben.download().entries.count }
        }

        @Test(arguments: SharedStoresKind.allCases)
        func uploadsThatWaitForTheAppendLockShareAFrame(_ kind: SharedStoresKind) async throws {
            guard let stores = try TestStores(kind) else { return }
            let (shared, metrics) = (try stores.node(), CountedMetrics())
            let server = try await TestServer {
                ($0.shared, $0.metrics) = (shared, metrics)
            }
            var clients: [MessageClient] = []
            for number in 0..<9 {
                let client = try await MessageClient(
                    port: server.port, uri: WebSocketClient.uri(user: "user\(number)"))
                _ = try await client.begin("\"p\"")
                _ = try await client.download()
                clients.append(client)
            }
            let first = clients.removeLast()
            try await first.upload([SimpleChanges.schema], first: 1)
            try await first.waitForUpload(1)
            // Another node holds the lock.
            let node = try stores.node()
            try node.follow({ _ in }, { _ in })
            defer { node.stop() }
            let frames = try node.frames(app: "app", name: "string:p")
            let end = try frames.lock(after: 0).end
            let received = metrics.count("realm_server_received_messages_total")
            for (number, client) in clients.enumerated() {
                try await client.upload([SimpleChanges.create(Int64(number))], first: 1)
            }
            while metrics.count("realm_server_received_messages_total") < received + Int64(clients.count) {
                try await Task.sleep(for: .milliseconds(5))
            }
            #expect(clients.allSatisfy { $0.acknowledgedVersion == 0 })
            frames.abandon()
            for client in clients { try await client.waitForUpload(1) }
            let versions = try frames.frames(after: end).frames.map { frame in
                var count = 0
                try StoreRecord.replay(frame[...], of: "frame") { if case .version = $0 { count += 1 } }
                return count
            }
            #expect(versions.filter { $0 > 0 } == [clients.count])
        }

        @Test func aServerIsReadyWhileItReachesTheDatabase() async throws {
            let servers = try await start(1)
            func ready() async throws -> String {
                try await PlainRequest.answer(servers[0].port, "GET /ready HTTP/1.1")
            }
            #expect(try await ready().hasPrefix("HTTP/1.1 200 "))
            stores.setReachable(false)
            let answer = try await ready()
            #expect(answer.hasPrefix("HTTP/1.1 503 ") && answer.contains("the database can't be reached"), "\(answer)")
            stores.setReachable(true)
            #expect(try await ready().hasPrefix("HTTP/1.1 200 "))
        }

        @Test func aMarkFollowsTheEarlierChangesOfAllNodes() async throws {
            let servers = try await start(2)
            let ann = try await MessageClient(port: servers[0].port)
            let ben = try await MessageClient(port: servers[1].port, uri: WebSocketClient.uri(user: "ben"))
            _ = try await ann.begin("\"p\"")
            _ = try await ben.begin("\"p\"")
            try await ann.upload([SimpleChanges.schema, SimpleChanges.create(1)], first: 1)
            try await ann.waitForUpload(2)
            try await ben.send(.mark(session: 1, request: 5))
            var received = 0
            loop: while true {
                switch try await ben.next() {
                case .download(let download): received += download.entries.count
                case .mark(_, 5): break loop
                case let other: Issue.record("\(other)")
                }
            }
            #expect(received == 2)
        }

        @Test func aConnectionEndsWhenItsFileHasASessionAtAnotherNode() async throws {
            let servers = try await start(2)
            let old = try await MessageClient(port: servers[0].port)
            let file = try await old.begin("\"p\"")
            _ = try await old.download()
            let new = try await MessageClient(port: servers[1].port)
            try await new.send(.bind(ClientMessage.Bind(session: 1, path: "\"p\"", needsIdent: false)))
            try await new.identify(file)
            _ = try await new.download()
            while true {
                guard case .closed(let code) = await old.nextEvent() else { continue }
                #expect(code == 1000)
                break
            }
        }

        @Test func anUploadIsNotAcknowledgedWithoutTheAppendLock() async throws {
            let servers = try await start(1)
            let client = try await MessageClient(port: servers[0].port)
            let file = try await client.begin("\"p\"")
            _ = try await client.download()
            stores.failCommits(1)
            try await client.upload([SimpleChanges.schema], first: 1)
            while true {
                guard case .closed(let code) = await client.nextEvent() else { continue }
                #expect(code == 1000)
                break
            }
            #expect(client.acknowledgedVersion == 0)
            let again = try await MessageClient(port: servers[0].port)
            try await again.send(.bind(ClientMessage.Bind(session: 1, path: "\"p\"", needsIdent: false)))
            try await again.identify(file)
            try await again.upload([SimpleChanges.schema], first: 1)
            try await again.waitForUpload(1)
        }

        @Test func theModeOfAnAppIsNotGuessedWhileItCannotBeRead() throws {
            let stores = MemoryStores()
            stores.setReachable(false)
            _ = try stores.frames(app: "app", name: nil)
            let data = try TemporaryFolder()
            let folder = try DataFolder(data.path, .init(), shared: stores, logger: Logger(label: "test"))
            #expect(folder.mode(ofApp: "app") == nil)
            stores.setReachable(true)
            #expect(folder.mode(ofApp: "app") == .flexible)
        }

        @Test(arguments: [true, false])
        func aChangeOfDocumentsFollowsThoseOfOtherNodes(_ isFlexible: Bool) async throws {
            let servers = try await start(2)
            let app = isFlexible ? "flexible" : "app"
            let folder = try TemporaryFolder()
            let client = try FlexibleClient(
                folder.path + "/a.realm", user: "ann", app: app, partition: isFlexible ? nil : "p", seed: 1
            ) { servers[0].port }
            try await client.commit(SimpleChanges.schema)
            if isFlexible {
                try await client.subscribe("TRUEPREDICATE")
                try await client.waitForSubscriptions()
            }
            try await client.commit(SimpleChanges.create(1))
            try await client.waitForUpload()
            let place = DocumentPlace(app: ByteText(app), name: isFlexible ? nil : PartitionName(path: "\"p\""))
            let nodes = servers.map { server in EngineDocuments { server.server.engine.post($0) } }
            for step in 0..<20 {
                let n = try await nodes[step % 2].change(place, by: .unrestricted) { snapshot in
                    (SimpleChanges.add(1, to: 1), try snapshot.flatMap { try FlexibleClient.notes(in: $0)[1]?.n })
                }
                #expect(n == Int64(step))
            }
            try await client.waitForNotes { $0[1]?.n == 20 }
        }

        #if PostgreSQL
            @Test(arguments: [true, false])
            func theDocumentsAreCopiedToPostgres(_ isFlexible: Bool) async throws {
                guard let stores = try TestStores(.postgres), let database = stores.database else { return }
                let servers = try await start(2, stores)
                let folder = try TemporaryFolder()
                let client = try FlexibleClient(
                    folder.path + "/a.realm", user: "ann", app: isFlexible ? "flexible" : "app",
                    partition: isFlexible ? nil : "p", seed: 1
                ) { servers[0].port }
                try await client.commit(SimpleChanges.schema)
                if isFlexible {
                    try await client.subscribe("TRUEPREDICATE")
                    try await client.waitForSubscriptions()
                }
                let pool = PostgresPool(try database.settings())
                for number: Int64 in 1...3 {
                    try await client.commit(SimpleChanges.create(number, n: number))
                    try await client.waitForUpload()
                    var copied: [Int64] = []
                    while copied.count < number {
                        copied = try pool.use {
                            try $0.query(
                                "SELECT (document->'n'->>'$numberLong')::int8 FROM regnum.documents ORDER BY 1"
                            ).rows.map { try $0.integer(0) }
                        }
                        try await Task.sleep(for: .milliseconds(50))
                    }
                    #expect(copied == Array(1...number))
                }
            }

            @Test func aFailedCopyIsTriedAgainWithoutAChange() async throws {
                guard let stores = try TestStores(.postgres), let database = stores.database else { return }
                let servers = try await start(1, stores)
                let pool = PostgresPool(try database.settings())
                try pool.use {
                    // A sequence isn't rolled back.
                    try $0.execute(
                        """
                        CREATE SEQUENCE regnum.attempts;
                        CREATE FUNCTION regnum.fail_once() RETURNS trigger LANGUAGE plpgsql AS $$
                        BEGIN
                            IF nextval('regnum.attempts') = 1 THEN RAISE EXCEPTION 'the first attempt'; END IF;
                            RETURN NULL;
                        END $$;
                        CREATE TRIGGER fail_once BEFORE INSERT ON regnum.documents
                            FOR EACH STATEMENT EXECUTE FUNCTION regnum.fail_once();
                        """)
                }
                let folder = try TemporaryFolder()
                let client = try FlexibleClient(
                    folder.path + "/a.realm", user: "ann", app: "app", partition: "p", seed: 1
                ) { servers[0].port }
                try await client.commit(SimpleChanges.schema)
                try await client.commit(SimpleChanges.create(1, n: 1))
                try await client.waitForUpload()
                client.stop()
                var copied = 0
                while copied == 0 {
                    copied = try pool.use { try $0.query("SELECT key FROM regnum.documents").rows.count }
                    try await Task.sleep(for: .milliseconds(50))
                }
                let attempts = try pool.use {
                    try $0.query("SELECT last_value FROM regnum.attempts").rows[0].integer(0)
                }
                #expect(attempts > 1)
            }
        #endif

        /// Clients that connect to random nodes, which lose locks and responses of the database.
        @Test(arguments: SharedStoresKind.allCases)
        func clientsOfDifferentNodesHaveTheSameObjects(_ kind: SharedStoresKind) async throws {
            guard let stores = try TestStores(kind) else { return }
            let seed = Settings.number("REGNUM_SEED").map(UInt64.init) ?? UInt64.random(in: 0..<1 << 32)
            print("clientsOfDifferentNodesHaveTheSameObjects: seed \(seed)")
            var random = SeededGenerator(seed: seed)
            let servers = try await start(3, stores)
            let ports = servers.map(\.port)
            let folder = try TemporaryFolder()
            let clients = try (0..<4).map { number in
                try FlexibleClient(folder.path + "/\(number).realm", user: "user\(number)", app: "flexible", seed: seed)
                {
                    ports.randomElement() ?? 0
                }
            }
            for client in clients {
                try await client.commit(SimpleChanges.schema)
                try await client.subscribe("TRUEPREDICATE")
            }
            for client in clients { try await client.waitForSubscriptions() }
            try await clients[0].commit(SimpleChanges.create(0))
            try await clients[0].waitForUpload()
            for client in clients { try await client.waitForDownload() }
            var added: Int64 = 0
            for step in 1...200 {
                let client = clients[random.below(clients.count)]
                switch random.below(20) {
                case 0: stores.memory.failCommits(1)
                case 1: stores.memory.loseResponse()
                case 2: try await client.subscribe(to: random.chance(50) ? ["TRUEPREDICATE"] : ["_id < 100", "n >= 0"])
                case 3..<10: try await client.commit(SimpleChanges.create(Int64(step)))
                default:
                    try await client.commit(SimpleChanges.add(1, to: 0))
                    added += 1
                }
            }
            for client in clients { try await client.subscribe("TRUEPREDICATE") }
            for _ in 0..<2 {
                for client in clients { try await client.waitForUpload() }
                for client in clients { try await client.waitForSubscriptions() }
                for client in clients { try await client.waitForDownload() }
            }
            let notes = try clients[0].notes
            #expect(notes[0]?.n == added, "seed \(seed)")
            for client in clients {
                #expect(try client.notes == notes, "seed \(seed)")
                let failures = try await client.takeFailures().filter { $0.action != .transient }
                #expect(failures.isEmpty, "seed \(seed): \(failures)")
            }
        }
    }
#endif
