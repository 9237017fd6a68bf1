// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import RealmSyncCore
    import RealmSyncServer
    import RealmTestSupport
    import ServerTestSupport
    import SyncTestSupport

    /// The measurements of flexible synchronisation.
    struct SubscriptionSpeed {
        /// The one partition of a server without sockets.
        private final class Directory: PartitionDirectory {
            let partition: StoredPartition

            init(_ partition: StoredPartition) { self.partition = partition }

            func partition(_ path: String, connection: UInt64) -> any PartitionStore { partition }
            func mode(of connection: UInt64) -> SyncMode? { .flexible }
        }

        private static let groupCount: Int64 = 10

        /// - Parameter only: The measurement to run, or `nil` for all.
        func run(documents count: Int, only: String? = nil) async throws {
            func isWanted(_ name: String) -> Bool { only == nil || only == name }
            if isWanted("bootstraps") { try measureBootstraps(clients: 100, documents: count / 10) }
            if isWanted("change") { try measureChange(subscriptions: count / 10) }
            guard isWanted("bootstrap") || isWanted("latency") else { return }
            let server = try ServerProcess(folder: try TemporaryFolder())
            defer { server.crash() }
            if isWanted("bootstrap") { try await measureBootstrap(documents: count, server.port) }
            if isWanted("latency") { try await measureLatency(clients: 1000, server.port) }
        }

        /// Measures the time from an upload to the download of another client whose query has the object, and to the
        /// last download if all queries have it. The app has the class already.
        func measureLatency(clients count: Int, _ port: Int) async throws {
            // Other measurements use smaller keys.
            let (first, last) = (Int64(1 << 40), Int64(1 << 40 + count))
            var writer = try await SubscribedClient("writer", "_id >= \(first)", port)
            try await writer.write((first...last).map { SimpleChanges.create($0, n: 0) })
            var clients: [SubscribedClient] = []
            for key in first..<last {
                clients.append(try await SubscribedClient("user\(key)", "_id IN {\(key), \(last)}", port))
            }
            var (one, all): ([Double], [Double]) = ([], [])
            for round in 0..<2000 {
                let isForAll = round % 10 == 9
                let start = ContinuousClock.now
                let key = isForAll ? last : first + Int64(round % count)
                try await writer.send([SimpleChanges.add(1, to: key)])
                for client in isForAll ? clients[...] : clients[round % count...round % count] {
                    while try await client.client.download().entries.isEmpty {}
                }
                let time = (ContinuousClock.now - start) / .milliseconds(1)
                if isForAll { all.append(time) } else { one.append(time) }
                try await writer.wait()
            }
            for (title, times) in [("upload to another's download", one.sorted()), ("to all", all.sorted())] {
                let (median, slow) = (times[times.count / 2], times[times.count * 99 / 100])
                print("\(count) sessions, \(title): " + String(format: "p50 %.2f ms, p99 %.2f ms", median, slow))
            }
            for client in clients + [writer] { client.client.close() }
        }

        /// A client without a file.
        private struct SubscribedClient {
            let client: MessageClient
            private var version: UInt64 = 0
            private var serverVersion: UInt64 = 0

            init(_ user: String, _ query: String, _ port: Int) async throws {
                let uri = WebSocketClient.uri(user: user, app: "flexible")
                client = try await MessageClient(port: port, uri: uri, mode: .flexible)
                _ = try await client.begin(SessionPurpose.ordinary.path())
                _ = try await client.download()
                try await client.send(.query(session: 1, VersionedQuery(version: 1, text: #"{"Note":"\#(query)"}"#)))
                while true {
                    let download = try await client.download()
                    guard case .flexible(1, .lastOfBootstrap, _) = download.stage else { continue }
                    serverVersion = download.download.serverVersion
                    return
                }
            }

            mutating func send(_ changesets: [Changeset]) async throws {
                try await client.upload(changesets, first: version + 1, basedOn: serverVersion)
                version += UInt64(changesets.count)
            }

            /// Waits until the server has all changes.
            mutating func wait() async throws {
                while true {
                    let download = try await client.download()
                    serverVersion = download.download.serverVersion
                    if download.upload.clientVersion >= version { return }
                }
            }

            mutating func write(_ changesets: [Changeset]) async throws {
                try await send(changesets)
                try await wait()
            }
        }

        #if PostgreSQL
            /// Alternates between a store in files and one in PostgreSQL.
            func compareChanges(subscriptions count: Int) throws {
                let cluster = try PostgresCluster()
                for _ in 0..<3 {
                    print("embedded:")
                    try measureChange(subscriptions: count)
                    print("PostgreSQL:")
                    let database = try cluster.makeDatabase()
                    let stores = try PostgresStores(database.settings())
                    // The threads keep the append lock, which the subscriptions hold for long.
                    try stores.follow({ _ in }, { _ in })
                    try measureChange(subscriptions: count, shared: stores)
                    stores.stop()
                }
            }
        #endif

        /// Measures a change that concerns a tenth of the subscriptions, without sockets: from the upload to the last
        /// encoded message, with the durable log.
        func measureChange(subscriptions count: Int, shared: (any SharedStores)? = nil) throws {
            let folder = try TemporaryFolder()
            let partition = try Self.partition(folder, "changes", shared)
            let directory = Directory(partition)
            let writer = try Self.writer(partition)
            var server = SyncServer(directory)
            let start = ContinuousClock.now
            for number in 0..<count { try Self.subscribe(UInt64(number + 1), &server, partition) }
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            print("\(count) sessions with different queries: \(Int(Double(count) / seconds)) subscriptions a second")
            var times: [Double] = []
            // In the first round, all sessions receive the version that the server has now.
            for round in 0...20 {
                let start = ContinuousClock.now
                let change = SimpleChanges.add(1, to: Int64(round) % Self.groupCount)
                try partition.lock()
                try Self.upload(change, UInt64(round + 3), partition, writer)
                try partition.flush(compacts: false)
                server.didChange(partition)
                var sent = server.sentMessages()
                if round > 0 {
                    times.append((ContinuousClock.now - start) / .milliseconds(1))
                    guard sent.count == count / Int(Self.groupCount) else {
                        throw Failure("\(sent.count) messages for \(count) subscriptions")
                    }
                }
                while !sent.isEmpty {
                    for connection in sent { server.didSend(connection) }
                    sent = server.sentMessages()
                }
            }
            times.sort()
            print(
                "a change that concerns \(count / Int(Self.groupCount)) of \(count) subscriptions: "
                    + String(format: "median %.1f ms, slowest %.1f ms", times[times.count / 2], times[times.count - 1]))
        }

        /// Opens the store of an app with flexible sync.
        private static func partition(
            _ folder: TemporaryFolder, _ app: String, _ shared: (any SharedStores)?
        ) throws -> StoredPartition {
            let path = folder.path + "/app"
            guard let frames = try shared?.frames(app: app, name: nil) else {
                return try StoredPartition(folder: path, partition: app, isFlexible: true)
            }
            return try StoredPartition(folder: path, frames, title: app, isFlexible: true)
        }

        private static func writer(_ partition: StoredPartition) throws -> UInt64 {
            try partition.lock()
            let writer = try partition.addFile().ident
            try partition.flush()
            try partition.lock()
            try upload(SimpleChanges.schema, 1, partition, writer)
            let query = VersionedQuery(version: 1, text: #"{"Note":"TRUEPREDICATE"}"#)
            _ = try partition.subscribe(writer, to: query, at: partition.newest.version)
            let objects = (0..<groupCount).flatMap { SimpleChanges.create($0, n: $0).instructions }
            try upload(Changeset(objects), 2, partition, writer)
            try partition.flush()
            return writer
        }

        private static func upload(
            _ changeset: Changeset, _ version: UInt64, _ partition: StoredPartition, _ writer: UInt64
        ) throws {
            try partition.integrate(
                [
                    UploadedChange(
                        clientVersion: version, serverVersion: partition.newest.version,
                        order: ChangeOrder(timestamp: 1000 + version, fileIdent: writer), changeset: changeset)
                ], from: writer)
        }

        /// Opens a connection with a session, whose query has one of the objects.
        private static func subscribe(
            _ connection: UInt64, _ server: inout SyncServer, _ partition: StoredPartition
        ) throws {
            _ = server.accept(connection, offers: SyncMode.flexible.offers(14...14))
            try partition.lock()
            let file = try partition.addFile()
            let query = "_id == \(Int64(connection) % groupCount) AND n != \(-Int64(connection))"
            for message in [
                .bind(ClientMessage.Bind(session: 1, path: "{}", needsIdent: false)),
                .ident(
                    ClientMessage.Ident(
                        session: 1, file: file, download: DownloadCursor(), latest: SaltedVersion(),
                        query: VersionedQuery(version: 0, text: "{}"))),
                .query(session: 1, VersionedQuery(version: 1, text: #"{"Note":"\#(query)"}"#)),
            ] as [ClientMessage] {
                server.receive(message.encoded(), from: connection)
                for effect in server.takeEffects() {
                    if case .integrate(let integration) = effect {
                        integration.run()
                        server.finish(integration)
                    }
                    if case .send = effect { server.didSend(connection) }
                }
            }
            while !server.sentMessages().isEmpty { server.didSend(connection) }
        }

        /// Measures the bootstraps of clients with different queries for most objects, until the last is ready to be
        /// sent, and until each is read.
        func measureBootstraps(
            clients: Int, documents count: Int, shared: (any SharedStores)? = nil
        ) throws {
            let folder = try TemporaryFolder()
            let partition = try Self.partition(folder, "bootstraps", shared)
            let writer = try Self.writer(partition)
            var version: UInt64 = 2
            for part in stride(from: Int(Self.groupCount), to: count, by: 20_000) {
                version += 1
                let keys = part..<min(part + 20_000, count)
                let objects = keys.flatMap { SimpleChanges.create(Int64($0), n: Int64($0)).instructions }
                try partition.lock()
                try Self.upload(Changeset(objects), version, partition, writer)
                try partition.flush(compacts: false)
            }
            try partition.compact()
            let before = ServerProcess.residentBytes(of: "self")
            let start = ContinuousClock.now
            var bootstraps: [QueryBootstrap] = []
            for client in 0..<clients {
                try partition.lock()
                let file = try partition.addFile().ident
                let query = VersionedQuery(version: 1, text: #"{"Note":"n != \#(-client - 1)"}"#)
                bootstraps.append(try partition.subscribe(file, to: query, at: 0))
                try partition.flush(compacts: false)
            }
            let made = (ContinuousClock.now - start) / .seconds(1)
            let after = ServerProcess.residentBytes(of: "self")
            var bytes = 0
            for bootstrap in bootstraps {
                for index in 0..<bootstrap.partCount { bytes += try bootstrap.part(index).count }
            }
            let read = (ContinuousClock.now - start) / .seconds(1) - made
            print(
                "bootstraps of \(count) documents for \(clients) clients with different queries: "
                    + String(format: "%.1f s made, %.1f s read, ", made, read) + "\(bytes >> 20) MiB; resident "
                    + "\(before >> 20) MiB before, \(after >> 20) MiB with all of them")
        }

        /// Measures the first bootstrap of a client, including its file.
        func measureBootstrap(documents count: Int, _ port: Int) async throws {
            let folder = try TemporaryFolder()
            let writer = try FlexibleClient(folder.path + "/writer.realm", user: "ann", app: "flexible", seed: 1) {
                port
            }
            try await writer.commit(SimpleChanges.schema)
            try await writer.subscribe("TRUEPREDICATE")
            try await writer.waitForSubscriptions()
            for part in stride(from: 0, to: count, by: 20_000) {
                let keys = part..<min(part + 20_000, count)
                try await writer.commit(
                    Changeset(keys.flatMap { SimpleChanges.create(Int64($0), n: Int64($0)).instructions }))
            }
            try await writer.waitForUpload(seconds: 3600)
            let reader = try FlexibleClient(folder.path + "/reader.realm", user: "ben", app: "flexible", seed: 2) {
                port
            }
            try await reader.commit(SimpleChanges.schema)
            try await reader.waitForDownload()
            let start = ContinuousClock.now
            try await reader.subscribe("TRUEPREDICATE")
            try await reader.waitForSubscriptions(seconds: 3600)
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            print("bootstrap of \(count) documents, in the client's file: \(Int(Double(count) / seconds)) a second")
            for client in [writer, reader] { client.stop() }
        }
    }

    extension SyncServer {
        /// The connections of the messages to send, each of which continues after `didSend`.
        fileprivate mutating func sentMessages() -> [UInt64] {
            takeEffects().compactMap { if case .send(let connection, _) = $0 { connection } else { nil } }
        }
    }
#endif
