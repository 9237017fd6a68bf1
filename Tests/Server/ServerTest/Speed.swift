// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    #if PostgreSQL
        import RealmPostgres
    #endif
    import RealmStorage
    import RealmSyncCore
    import RealmSyncServer
    import RealmTestSupport
    import ServerTestSupport
    import SyncTestSupport

    struct Speed {
        let count: Int

        /// Measures one server with files.
        func run() async throws {
            let server = try ServerProcess(folder: try TemporaryFolder())
            defer { server.crash() }
            try await measure([server.port])
            for client in try await measureIdle(server, sessions: 1000) { client.close() }
            try await SubscriptionSpeed().run(documents: count * 100)
        }

        #if PostgreSQL
            /// Measures a server with files, and then two servers on an empty database.
            func run(on database: String) async throws {
                print("embedded:")
                let server = try ServerProcess(folder: try TemporaryFolder())
                defer { server.crash() }
                try await measure([server.port])
                try await measureSubscriptions(server.port, nil)
                print("PostgreSQL:")
                let servers = try (0..<2).map { _ in
                    try ServerProcess(folder: try TemporaryFolder(), postgres: database)
                }
                defer { for server in servers { server.crash() } }
                try await measure(servers.map(\.port))
                let stores = try PostgresStores(PostgresSettings(database))
                // The threads keep append locks, which large subscriptions hold for long.
                try stores.follow({ _ in }, { _ in })
                defer { stores.stop() }
                try await measureSubscriptions(servers[0].port, stores)
            }

            private func measureSubscriptions(_ port: Int, _ shared: (any SharedStores)?) async throws {
                let subscriptions = SubscriptionSpeed()
                try await subscriptions.measureBootstrap(documents: count * 10, port)
                try await subscriptions.measureLatency(clients: 1000, port)
                try subscriptions.measureBootstraps(clients: 100, documents: count, shared: shared)
                try subscriptions.measureChange(subscriptions: count, shared: shared)
            }
        #endif

        /// Measures uploads and downloads at the first server, and at all servers at the same time.
        private func measure(_ ports: [Int]) async throws {
            try await measureUpload([ports[0]], partition: "\"upload\"")
            try await measureIngest([ports[0]])
            for port in ports { try await measureFirstSync(port) }
            try await measureLatency(ports[0], partition: "\"latency\"")
            let pair = [ports[0], ports[ports.count - 1]]
            print("two clients at the same time, \(ports.count == 1 ? "at the server" : "each at a server"):")
            try await measureUpload(pair, partition: "\"both\"")
            try await measureIngest(pair)
            guard ports.count > 1 else { return }
            print("the other client at another server:")
            try await measureLatency(ports[0], ports[1], partition: "\"latency at both\"")
        }

        func runIdle(sessions: Int) async throws {
            let server = try ServerProcess(folder: try TemporaryFolder())
            defer { server.crash() }
            for client in try await measureIdle(server, sessions: sessions) { client.close() }
        }

        #if PostgreSQL
            /// Half of the sessions are at each of two servers.
            func runIdleNodes(sessions: Int) async throws {
                let cluster = try PostgresCluster()
                let database = try cluster.makeDatabase()
                let servers = try (0..<2).map { _ in
                    try ServerProcess(folder: try TemporaryFolder(), postgres: database.url)
                }
                defer { for server in servers { server.crash() } }
                let connection = try PostgresConnection(database.settings())
                var held: [MessageClient] = []
                print("PostgreSQL before: \(try Self.usage(connection))")
                for server in servers { held += try await measureIdle(server, sessions: sessions / 2) }
                print("PostgreSQL with them: \(try Self.usage(connection))")
                try await Task.sleep(for: .seconds(60))
                print("PostgreSQL a minute later: \(try Self.usage(connection))")
                for client in held { client.close() }
            }

            /// The proportional part of memory that processes share counts for each.
            private static func usage(_ connection: PostgresConnection) throws -> String {
                let rows = try connection.query(
                    """
                    SELECT pid::bigint, backend_type = 'client backend' AND pid <> pg_backend_pid() \
                    FROM pg_stat_activity
                    """
                ).rows
                var kibibytes = 0
                for row in rows {
                    let path = "/proc/\(try row.integer(0))/smaps_rollup"
                    let lines = try String(contentsOfFile: path, encoding: .utf8).split(whereSeparator: \.isNewline)
                    let line = lines.first { $0.hasPrefix("Pss:") }?.split(separator: " ") ?? []
                    kibibytes += line.count > 1 ? Int(line[1]) ?? 0 : 0
                }
                let clients = try rows.filter { try $0.bool(1) }.count
                return "\(clients) connections, \(kibibytes >> 10) MiB in \(rows.count) processes"
            }
        #endif

        private func measureUpload(_ ports: [Int], partition: String) async throws {
            let rate = try await upload(
                count, to: ports, partition, schema: SimpleChanges.schema, limit: 2000
            ) { SimpleChanges.create(Int64($0)) }
            print("upload of \(count * ports.count) small commits, integrated and durable: \(rate) a second")
        }

        /// Uploads changes in messages of at most `limit`, about 128 KB like those of clients. A client of each port
        /// does that at the same time.
        ///
        /// - Returns: The number of changes a second, from the first message to the last acknowledgement.
        private func upload(
            _ count: Int, to ports: [Int], _ partition: String, schema: Changeset, limit: Int,
            _ change: @escaping @Sendable (Int) -> Changeset
        ) async throws -> Int {
            try await withThrowingTaskGroup(of: (start: ContinuousClock.Instant, end: ContinuousClock.Instant).self) {
                for (index, port) in ports.enumerated() {
                    $0.addTask {
                        let client = try await MessageClient(
                            port: port, uri: WebSocketClient.uri(user: "writer\(index)"))
                        _ = try await client.begin(partition)
                        _ = try await client.download()
                        try await client.upload([schema], first: 1)
                        try await client.waitForUpload(1)
                        let numbers = index * count..<(index + 1) * count
                        let parts = stride(from: numbers.lowerBound, to: numbers.upperBound, by: limit).map { start in
                            (start..<min(start + limit, numbers.upperBound)).map(change)
                        }
                        let start = ContinuousClock.now
                        var first: UInt64 = 2
                        for part in parts {
                            try await client.upload(part, first: first)
                            first += UInt64(part.count)
                        }
                        try await client.waitForUpload(first - 1)
                        defer { client.close() }
                        return (start, .now)
                    }
                }
                let times = try await $0.reduce(into: []) { $0.append($1) }
                guard let start = times.map(\.start).min(), let end = times.map(\.end).max() else { return 0 }
                return Int(Double(count * ports.count) / ((end - start) / .seconds(1)))
            }
        }

        static let ingestPartition = "\"ingest\""

        static let reading = Changeset([
            .addTable(TableDefinition("Reading", .asymmetric(PrimaryKeyColumn("_id", .objectId, isNullable: false)))),
            .column("sensor", of: "Reading", .string),
            .column("time", of: "Reading", .timestamp),
            .column("value", of: "Reading", .double),
            .column("count", of: "Reading", .int),
        ])

        /// One object in a commit.
        static func reading(_ number: Int) -> Changeset {
            let object = ObjectReference("Reading", .objectId(ObjectIdBytes(high: 7, low: UInt32(number))))
            let values: [(Text, SyncValue)] = [
                ("sensor", .string(Text("sensor-\(number % 100)"))),
                ("time", .timestamp(Timestamp(seconds: Int64(number), nanoseconds: 0))),
                ("value", .double(Double(number) / 8)), ("count", .int(Int64(number))),
            ]
            return Changeset(
                [.createObject(object)]
                    + values.map { .change(Place(object, $0), .update($1, isDefault: false)) })
        }

        private func measureIngest(_ ports: [Int]) async throws {
            let rate = try await upload(
                count * 5, to: ports, Speed.ingestPartition, schema: Speed.reading, limit: 1000
            ) { Speed.reading($0) }
            print("ingest of \(count * 5 * ports.count) objects, one in a commit, durable: \(rate) a second")
        }

        private func measureFirstSync(_ port: Int) async throws {
            let client = try await MessageClient(port: port, uri: WebSocketClient.uri(user: "ben"))
            let start = ContinuousClock.now
            _ = try await client.begin("\"upload\"")
            var (bytes, last) = (0, try await client.download())
            bytes += last.entries.reduce(0) { $0 + $1.changeset.count }
            while last.download.serverVersion < last.latest.version {
                last = try await client.download()
                bytes += last.entries.reduce(0) { $0 + $1.changeset.count }
            }
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            print(
                "first download of \(count) objects, \(bytes) bytes: \(Int(Double(count) / seconds)) objects a second")
            client.close()
        }

        private func measureLatency(
            _ port: Int, _ other: Int? = nil, partition: String
        ) async throws {
            let (writer, reader) = (
                try await MessageClient(port: port),
                try await MessageClient(port: other ?? port, uri: WebSocketClient.uri(user: "ben"))
            )
            _ = try await writer.begin(partition)
            _ = try await writer.download()
            _ = try await reader.begin(partition)
            _ = try await reader.download()
            try await writer.upload([SimpleChanges.schema, SimpleChanges.create(1)], first: 1)
            try await writer.waitForUpload(2)
            while try await reader.download().download.serverVersion < 2 {}
            var times: [Double] = []
            for version in 3..<UInt64(1003) {
                let start = ContinuousClock.now
                try await writer.upload([SimpleChanges.add(1, to: 1)], first: version)
                while try await reader.download().download.serverVersion < version {}
                times.append((ContinuousClock.now - start) / .milliseconds(1))
                try await writer.waitForUpload(version)
            }
            times.sort()
            func percentile(_ share: Double) -> String {
                String(format: "%.2f ms", times[Int(Double(times.count - 1) * share)])
            }
            print("upload to download, 1000 times: p50 \(percentile(0.5)), p99 \(percentile(0.99))")
            writer.close()
            reader.close()
        }

        /// Returns the open sessions.
        private func measureIdle(_ server: ServerProcess, sessions: Int) async throws -> [MessageClient] {
            let before = server.residentBytes
            var clients: [MessageClient] = []
            for index in 0..<sessions {
                let client = try await MessageClient(port: server.port, uri: WebSocketClient.uri(user: "user\(index)"))
                _ = try await client.begin("\"idle\"")
                _ = try await client.download()
                clients.append(client)
            }
            let after = server.residentBytes
            print(
                "\(sessions) idle sessions: \((after - before) / max(1, sessions) / 1024) KiB each; resident "
                    + "\(before >> 20) MiB before, \(after >> 20) MiB with them")
            return clients
        }
    }
#endif
