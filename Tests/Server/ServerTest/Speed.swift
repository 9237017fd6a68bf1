// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    #if PostgreSQL
        import RealmPostgres
    #endif
    import RealmStorage
    import RealmSyncCore
    import RealmTestSupport
    import ServerTestSupport
    import SyncTestSupport

    struct Speed {
        let count: Int

        func run() async throws {
            let server = try ServerProcess(folder: try TemporaryFolder())
            defer { server.crash() }
            try await measureUpload(server.port)
            try await measureIngest(server.port)
            try await measureFirstSync(server.port)
            try await measureLatency(server.port)
            for client in try await measureIdle(server, sessions: 1000) { client.close() }
            try await SubscriptionSpeed().run(documents: count * 100)
        }

        /// Measures two servers on one empty database.
        func run(on database: String) async throws {
            let folders = try (0..<2).map { _ in try TemporaryFolder() }
            let servers = try folders.map { try ServerProcess(folder: $0, postgres: database) }
            defer { for server in servers { server.crash() } }
            try await measureUpload(servers[0].port)
            try await measureIngest(servers[0].port)
            for server in servers { try await measureFirstSync(server.port) }
            print("both clients at one server:")
            try await measureLatency(servers[0].port, partition: "\"one\"")
            print("the other client at another server:")
            try await measureLatency(servers[0].port, servers[1].port, partition: "\"two\"")
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

        private func measureUpload(_ port: Int) async throws {
            let client = try await MessageClient(port: port)
            _ = try await client.begin("\"upload\"")
            _ = try await client.download()
            try await client.upload([SimpleChanges.schema], first: 1)
            try await client.waitForUpload(1)
            let start = ContinuousClock.now
            // The message size of clients: about 128 KB.
            var first: UInt64 = 2
            for part in stride(from: 0, to: count, by: 2000) {
                let changes = (part..<min(part + 2000, count)).map { SimpleChanges.create(Int64($0)) }
                try await client.upload(changes, first: first)
                first += UInt64(changes.count)
            }
            try await client.waitForUpload(first - 1)
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            print("upload of \(count) small commits, integrated and durable: \(Int(Double(count) / seconds)) a second")
            client.close()
        }

        static let ingestPartition = "\"ingest\""

        static let reading = Changeset([
            .addTable(TableDefinition("Reading", .asymmetric(PrimaryKeyColumn("_id", .objectId, isNullable: false)))),
            .addColumn(ColumnDefinition(ColumnReference("Reading", "sensor"), .string, isNullable: false, .single)),
            .addColumn(ColumnDefinition(ColumnReference("Reading", "time"), .timestamp, isNullable: false, .single)),
            .addColumn(ColumnDefinition(ColumnReference("Reading", "value"), .double, isNullable: false, .single)),
            .addColumn(ColumnDefinition(ColumnReference("Reading", "count"), .int, isNullable: false, .single)),
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

        private func measureIngest(_ port: Int) async throws {
            let count = count * 5
            let client = try await MessageClient(port: port)
            _ = try await client.begin(Speed.ingestPartition)
            _ = try await client.download()
            try await client.upload([Speed.reading], first: 1)
            try await client.waitForUpload(1)
            let parts = stride(from: 0, to: count, by: 1000).map { start in
                (start..<min(start + 1000, count)).map { Speed.reading($0) }
            }
            let start = ContinuousClock.now
            var first: UInt64 = 2
            for changes in parts {
                try await client.upload(changes, first: first)
                first += UInt64(changes.count)
            }
            try await client.waitForUpload(first - 1)
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            print("ingest of \(count) objects, one in a commit, durable: \(Int(Double(count) / seconds)) a second")
            client.close()
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
            _ port: Int, _ other: Int? = nil, partition: String = "\"latency\""
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
