// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import Foundation
    import NIOConcurrencyHelpers
    import RealmPostgres
    import RealmStorage
    import RealmSyncCore
    import RealmSyncServer
    import RealmTestSupport
    import ServerTestSupport
    import SyncTestSupport

    /// Two servers that are killed, stopped, and cut off from their database, which is killed too, and clients that
    /// connect to a random one. In the end all files of a partition and of a flexible app are equal, no commit is lost,
    /// and each ingested object is stored once.
    final class NodesTest {
        private static let clientCount = 4
        private static let counter: Int64 = 0

        private let seconds: Int
        private let folder: TemporaryFolder
        private let folders: [TemporaryFolder]
        private let cluster: PostgresCluster
        private let database: PostgresDatabase
        private var random: SeededGenerator
        private let seed: UInt64
        /// From the nodes to the database, without a network of namespaces.
        private let links: [CuttableLink]
        private let network: NodeNetwork?
        /// From the clients to the nodes in `network`.
        private var fronts: [CuttableLink] = []
        private var cuts: [NodeNetwork.Cut: Int] = [:]
        private var nodes: [ServerProcess] = []
        private let ports = NIOLockedValueBox<[Int]>([])
        private var groups: [[FlexibleClient]] = []
        private var added: [Int64] = [0, 0]
        private var created: [Set<Int64>] = [[], []]
        private var ingested = 0
        /// The additions that the server has reverted with a report.
        private var reverted = 0
        private var faults = (kills: 0, pauses: 0, cuts: 0, databaseKills: 0)
        /// Stops for a minute and cuts for 40 seconds, and the frames that were committed meanwhile.
        private var long = (pauses: 0, cuts: 0, frames: 0)

        /// - Parameter usesNamespaces: Whether each node has a network namespace of its own.
        init(seconds: Int, usesNamespaces: Bool) throws {
            self.seconds = seconds
            network = usesNamespaces ? try NodeNetwork(nodes: 2) : nil
            seed = Settings.number("REGNUM_SEED").map(UInt64.init) ?? .random(in: 0..<1 << 32)
            print("nodes: seed \(seed)")
            random = SeededGenerator(seed: seed)
            folder = try TemporaryFolder()
            folders = try (0..<2).map { _ in try TemporaryFolder() }
            cluster = try PostgresCluster(network: network?.range)
            database = try cluster.makeDatabase()
            links = usesNamespaces ? [] : try (0..<2).map { [cluster] _ in try CuttableLink(to: cluster.port) }
            if let network { fronts = try (0..<2).map { try CuttableLink(to: 0, host: network.address($0)) } }
        }

        func run() async throws {
            for node in 0..<2 {
                nodes.append(try start(node))
                ports.withLockedValue { $0.append(0) }
                publishPort(of: node)
            }
            defer { for node in nodes { node.crash() } }
            try await begin()
            let end = ContinuousClock.now + .seconds(seconds)
            while ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(random.below(20)))
                try await step()
            }
            try await settle()
        }

        // MARK: Servers

        private func start(_ node: Int) throws -> ServerProcess {
            var attempts = 0
            while true {
                do {
                    let address =
                        network.map { "\($0.databaseAddress(node)):\(cluster.port)" }
                        ?? "127.0.0.1:\(links[node].port)"
                    return try ServerProcess(
                        folder: folders[node], postgres: "postgresql://regnum@\(address)/\(database.name)",
                        in: network?.command(node) ?? [])
                } catch {
                    // The database may be starting.
                    attempts += 1
                    guard attempts < 50 else { throw error }
                    usleep(200_000)
                }
            }
        }

        private func restart(_ node: Int) throws {
            nodes[node].crash()
            nodes[node] = try start(node)
            publishPort(of: node)
        }

        private func publishPort(of node: Int) {
            if network != nil { fronts[node].forward(to: nodes[node].port) }
            ports.withLockedValue { $0[node] = network == nil ? nodes[node].port : fronts[node].port }
        }

        /// Every fourth time longer than the time after which connections are closed.
        private func cut(_ node: Int) async throws {
            faults.cuts += 1
            let isLong = faults.cuts % 8 == 0
            if isLong { long.cuts += 1 }
            let time = isLong ? 40_000 : faults.cuts % 4 == 0 ? 15_000 : random.below(1500)
            guard let network else {
                links[node].cut(true)
                try await work(milliseconds: time)
                return links[node].cut(false)
            }
            let cut = random.pick(NodeNetwork.Cut.allCases)
            cuts[cut, default: 0] += 1
            try network.cut(node, cut)
            try await work(milliseconds: time)
            try network.restore(node, cut)
        }

        /// Every fourth time longer than the time after which the database ends an idle transaction.
        private func pause(_ node: ServerProcess) async throws {
            faults.pauses += 1
            let isLong = faults.pauses % 8 == 0
            if isLong { long.pauses += 1 }
            node.pause(true)
            try await work(milliseconds: isLong ? 60_000 : faults.pauses % 4 == 0 ? 12_000 : random.below(1500))
            node.pause(false)
        }

        /// The clients continue for a while.
        private func work(milliseconds: Int) async throws {
            let isLong = milliseconds >= 40_000
            let before = isLong ? try frameCount() : 0
            let end = ContinuousClock.now + .milliseconds(milliseconds)
            while ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(random.below(20)))
                try await write()
            }
            if isLong { long.frames += try frameCount() - before }
        }

        private func frameCount() throws -> Int {
            let rows = try PostgresConnection(database.settings()).query(
                "SELECT sum(last_frame)::bigint FROM regnum.stores"
            ).rows
            return Int(try rows[0].integer(0))
        }

        // MARK: Clients

        private func begin() async throws {
            for (number, partition) in ["nodes", nil].enumerated() {
                groups.append([])
                for client in 0..<NodesTest.clientCount {
                    let ports = ports
                    groups[number].append(
                        try FlexibleClient(
                            "\(folder.path)/\(number)-\(client).realm", user: "user\(client)",
                            app: partition == nil ? "flexible" : "app", partition: partition, seed: random.next()
                        ) { ports.withLockedValue { $0.randomElement() ?? 0 } })
                }
                let clients = groups[number]
                for client in clients {
                    try await client.commit(SimpleChanges.schema)
                    if partition == nil {
                        try await client.commit(Speed.reading)
                        try await client.subscribe("TRUEPREDICATE")
                    }
                }
                if partition == nil { for client in clients { try await client.waitForSubscriptions() } }
                try await clients[0].commit(SimpleChanges.create(NodesTest.counter))
                try await clients[0].waitForUpload()
                for client in clients { try await client.waitForDownload() }
            }
        }

        private func step() async throws {
            switch random.below(1000) {
            case 0..<10:
                faults.kills += 1
                try restart(random.below(2))
            case 10..<14: try await pause(nodes[random.below(2)])
            case 14..<18:
                faults.databaseKills += 1
                cluster.crash()
                try await Task.sleep(for: .milliseconds(random.below(1000)))
                try cluster.start()
            case 18..<22: try await cut(random.below(2))
            default: try await write()
            }
        }

        /// A client changes something.
        private func write() async throws {
            let group = random.below(2)
            let client = groups[group][random.below(NodesTest.clientCount)]
            switch random.below(1000) {
            case 0..<30 where group == 1:
                let query = random.chance(50) ? "TRUEPREDICATE" : "_id < \(Int64.max / 2) OR n >= 0"
                try await client.subscribe(query)
            case 30..<130 where group == 1:
                ingested += 1
                try await client.commit(Speed.reading(ingested))
            case 0..<500:
                let key = Int64.random(in: 1...Int64.max, using: &random)
                created[group].insert(key)
                try await client.commit(SimpleChanges.create(key))
            default:
                added[group] += 1
                try await client.commit(SimpleChanges.add(1, to: NodesTest.counter))
            }
        }

        // MARK: The end

        private func settle() async throws {
            for (number, clients) in groups.enumerated() {
                if number == 1 { for client in clients { try await client.subscribe("TRUEPREDICATE") } }
                for _ in 0..<2 {
                    for client in clients {
                        try await client.waitForUpload(seconds: 300)
                        if number == 1 { try await client.waitForSubscriptions(seconds: 300) }
                    }
                    for client in clients { try await client.waitForDownload() }
                }
                let notes = try clients[0].notes
                var reverted = 0
                for (index, client) in clients.enumerated() {
                    guard try client.notes == notes else { throw Failure("client \(index) of group \(number) differs") }
                    let failures = try await client.takeFailures().filter { $0.action != .transient }
                    guard let versions = NodesTest.revertedAdditions(failures), number == 1 || versions.isEmpty else {
                        throw Failure("client \(index) of group \(number): \(failures)")
                    }
                    reverted += versions.count
                    client.stop()
                }
                self.reverted += reverted
                guard notes[NodesTest.counter]?.n == added[number] - Int64(reverted) else {
                    throw Failure(
                        """
                        the counter is \(notes[NodesTest.counter]?.n ?? -1) after \(added[number]) additions, of which \
                        \(reverted) were reverted with a report
                        """)
                }
                guard Set(notes.keys) == created[number].union([NodesTest.counter]) else {
                    throw Failure("\(created[number].count) objects were created, and there are \(notes.count - 1)")
                }
            }
            try verifyIngested()
            for node in nodes {
                guard node.terminate() == 0 else { throw Failure("a server doesn't end in order") }
            }
            guard long.pauses + long.cuts == 0 || long.frames > 0 else {
                throw Failure("no server has committed anything while the other was stopped or cut off")
            }
            let rows = try PostgresConnection(database.settings()).query(
                "SELECT last_frame, snapshot FROM regnum.stores ORDER BY id"
            ).rows
            let counts = cuts.map { "\($1) \($0.rawValue)" }.sorted().joined(separator: ", ")
            let kinds = counts.isEmpty ? "" : " (\(counts))"
            let frames = try rows.map { "\(try $0.integer(0)) frames, snapshot \(try $0.integer(1))" }
            print(
                """
                \(seconds) s: \(faults.kills) kills, \(faults.pauses) stops and \(faults.cuts) cuts of \
                servers\(kinds), \(long.pauses) of the stops for 60 s and \(long.cuts) of the cuts for 40 s, with \
                \(long.frames) frames meanwhile; \(faults.databaseKills) kills of the database; \(added) additions, \
                \(reverted) of them reverted with a report, \(created.map(\.count)) objects, \
                \(ingested) ingested ones; \
                \(frames). All files of the clients are equal; nothing else is lost.
                """)
        }

        /// Returns the client versions of additions that the server has reverted with a report, because it had to send
        /// the counter again. `nil` if there are other failures.
        private static func revertedAdditions(_ failures: [ClientFailure]) -> Set<UInt64>? {
            var versions: Set<UInt64> = []
            for failure in failures {
                guard let rejection = failure.error.rejection,
                    rejection.updates.allSatisfy({
                        $0.object == SimpleChanges.object(counter)
                            && $0.reason.hasSuffix("the server has replaced the object since")
                    })
                else { return nil }
                versions.insert(rejection.clientVersion)
            }
            return versions
        }

        private func verifyIngested() throws {
            let source = try PostgresStores(database.settings()).frames(app: "flexible", name: nil).ingested()
            var (documents, cursor): (Set<[UInt8]>, UInt64) = ([], 0)
            while cursor < source.bounds.newest {
                let page = try source.page(after: cursor, limit: 1000, of: nil)
                documents.formUnion(page.records.map(\.document))
                cursor = page.cursor
            }
            guard documents.count == ingested, cursor == UInt64(ingested) else {
                throw Failure("\(ingested) objects were ingested, and \(documents.count) of \(cursor) are different")
            }
        }
    }
#endif
