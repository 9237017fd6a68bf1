// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import NIOConcurrencyHelpers
    import PageTestSupport
    import RealmStorage
    import RealmSyncCore
    import RealmTestSupport
    import ServerTestSupport
    import SyncTestSupport
    import TestTraits
    import Testing

    /// Random clients with random subscriptions and a server that is killed. `REGNUM_SYNC_RUNS` repeats it with other
    /// seeds.
    @Suite(.serialized, .timeLimited, .scope(TestCleanup.perform)) struct RandomSubscriptionTests {
        private typealias Note = FlexibleClient.Note

        private static let queries: [(text: String, holds: @Sendable (Int64, FlexibleClient.Note) -> Bool)] = [
            ("TRUEPREDICATE", { _, _ in true }),
            ("n > 0", { $1.n > 0 }),
            ("n <= 1 AND _id > 3", { $0 > 3 && $1.n <= 1 }),
            ("tags.@count > 1", { $1.tags.count > 1 }),
            ("ANY tags == 'b'", { $1.tags.contains("b") }),
            ("n == 1", { $1.n == 1 }),
            ("_id == 3 AND n < 2 OR _id == 5", { $0 == 3 && $1.n < 2 || $0 == 5 }),
            ("_id IN {1, 4, 7}", { key, _ in [1, 4, 7].contains(key) }),
        ]

        @Test func clientsHaveTheAnswersOfTheirQueries() async throws {
            let seed = Settings.number("REGNUM_SEED").map(UInt64.init) ?? UInt64.random(in: 0..<1 << 32)
            print("clientsHaveTheAnswersOfTheirQueries: seed \(seed)")
            for run in 0..<UInt64(Settings.number("REGNUM_SYNC_RUNS") ?? 2) {
                try await simulate(seed: seed &+ run, steps: 150)
            }
        }

        /// A short run of `Scripts/sync-sim --flexible`: rights, resets, kills, and a bad network.
        @Test func theFilesOfASimulatedAppEqualTheAnswers() async throws {
            let report = try await Self.simulate(nodes: 1)
            #expect(report.integrations > 50 && report.rejections > 10 && report.serverCrashes > 0)
            #expect(report.requests > 50 && report.refusals > 0)
        }

        /// Simulates an app of three nodes, which lose append locks.
        @Test func theNodesOfASimulatedAppHaveTheSameDocuments() async throws {
            let report = try await Self.simulate(nodes: 3)
            #expect(report.integrations > 50 && report.rejections > 10 && report.serverCrashes > 0)
            #expect(report.requests > 50 && report.refusals > 0)
        }

        /// The simulation waits for tasks.
        private static func simulate(nodes: Int) async throws -> SimulationReport {
            let seed = Settings.number("REGNUM_SEED").map(UInt64.init) ?? 1
            return try await outside {
                try Simulation.run(seed: seed, steps: 3000, perWorld: 3000) {
                    try FlexibleWorld(seed: $0, nodes: nodes)
                }
            }
        }

        #if PostgreSQL
            /// A short run of `regnum-server-test simulate --stores`.
            @Test(arguments: [1, 3]) func aSimulatedAppIsTheSameOnEachKindOfStore(_ nodes: Int) throws {
                guard SharedStoresKind.canUsePostgres else { return }
                let seed = Settings.number("REGNUM_SEED") ?? 1
                let settings = try SimulationArguments(
                    "--seed \(seed) --steps 1500 --world 1500 --nodes \(nodes)".split(separator: " ").map(String.init))
                let report = try StoreComparison.run(settings, on: .shared())
                #expect(report.integrations > 20 && report.serverCrashes > 0)
            }
        #endif

        private func simulate(seed: UInt64, steps: Int) async throws {
            var random = SeededGenerator(seed: seed)
            let folder = try TemporaryFolder()
            let data = try TemporaryFolder()
            let process = try ServerProcess(folder: data).boxed
            let current = NIOLockedValueBox(process)
            let clients = try (0..<4).map { number in
                try FlexibleClient(folder.path + "/\(number).realm", user: "user\(number)", app: "flexible", seed: seed)
                {
                    current.withLockedValue { $0.value.port }
                }
            }
            var subscribed = Array(repeating: [0], count: clients.count)
            for client in clients {
                try await client.commit(SimpleChanges.schema)
                try await client.subscribe(Self.queries[0].text)
            }
            for step in 0..<steps {
                let index = Int.random(in: 0..<clients.count, using: &random)
                switch Int.random(in: 0..<40, using: &random) {
                case 0..<5:
                    let choice = Self.queries.indices.filter { _ in Bool.random(using: &random) }
                    subscribed[index] = Array(choice.prefix(2))
                    try await clients[index].subscribe(to: subscribed[index].map { Self.queries[$0].text })
                case 5 where step % 2 == 0:
                    current.withLockedValue { $0.value.crash() }
                    let next = try ServerProcess(folder: data).boxed
                    current.withLockedValue { $0 = next }
                case 6..<12: try await Task.sleep(for: .milliseconds(.random(in: 0...40, using: &random)))
                default:
                    let (key, choice) = (Int64.random(in: 0..<10, using: &random), random.next())
                    try await clients[index].commit { try Self.change(key, choice, $0) }
                }
            }
            for _ in 0..<2 {
                for client in clients { try await client.waitForUpload() }
                for client in clients { try await client.waitForSubscriptions() }
                for client in clients { try await client.waitForDownload() }
            }
            try await clients[0].subscribe(Self.queries[0].text)
            try await clients[0].waitForSubscriptions()
            subscribed[0] = [0]
            let all = try clients[0].notes
            for (client, choice) in zip(clients, subscribed) {
                let expected = all.filter { note in choice.contains { Self.queries[$0].holds(note.key, note.value) } }
                #expect(try client.notes == expected, "seed \(seed): \(choice.map { Self.queries[$0].text })")
                let failures = try await client.takeFailures()
                let others = failures.filter { $0.code != SessionErrorCode.compensatingWrite.rawValue }
                #expect(others.isEmpty, "seed \(seed): \(others)")
            }
            for client in clients { client.stop() }
            #expect(current.withLockedValue { $0.value.terminate() } == 0)
        }

        private static func change(
            _ key: Int64, _ choice: UInt64, _ transaction: WriteTransaction
        ) throws -> Changeset {
            let object = SimpleChanges.object(key)
            let n = Int64(choice >> 8 % 5) - 2
            let update = Instruction.change(Place(object, "n"), .update(.int(n % 3), isDefault: false))
            guard let note = try FlexibleClient.notes(in: transaction)[key] else {
                return Changeset([.createObject(object), update])
            }
            let size = note.tags.count
            func at(_ index: Int, _ change: Change) -> Instruction {
                .change(Place(object, "tags", .one(.index(index))), change)
            }
            let text: Text = choice >> 16 % 2 == 0 ? "a" : "b"
            switch choice % 10 {
            case 0: return Changeset([.eraseObject(object)])
            case 1..<4:
                return Changeset([at(Int(choice >> 24 % 100) % (size + 1), .insert(.string(text), priorSize: size))])
            case 4 where size > 0: return Changeset([at(Int(choice >> 24 % 100) % size, .erase(priorSize: size))])
            case 5 where size > 1: return Changeset([at(0, .move(to: size - 1, priorSize: size))])
            case 6: return SimpleChanges.add(1, to: key)
            default: return Changeset([update])
            }
        }
    }
#endif
