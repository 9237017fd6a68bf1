// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import RealmSyncServer
    import RealmTestSupport
    import ServerTestSupport
    import SyncTestSupport

    /// Simulates flexible apps on each kind of store with the same seeds. Their documents and files are equal in the
    /// end.
    enum StoreComparison {
        private enum Kind: String, CaseIterable {
            case files, memory, postgreSQL
        }

        static func run(_ settings: SimulationArguments) throws {
            let cluster = try PostgresCluster()
            var results: [(content: [[SyncModel]], report: String)] = []
            for kind in Kind.allCases {
                print("\(kind):")
                var databases: [PostgresDatabase] = []
                var worlds: [FlexibleWorld] = []
                let report = try Simulation.run(settings) { seed in
                    let world =
                        switch kind {
                        case .files: try FlexibleWorld(seed: seed)
                        case .memory: try FlexibleWorld(seed: seed, stores: MemoryStores())
                        case .postgreSQL:
                            try {
                                let database = try cluster.makeDatabase()
                                databases.append(database)
                                return try FlexibleWorld(seed: seed, stores: PostgresStores(database.settings()))
                            }()
                        }
                    worlds.append(world)
                    return world
                }
                results.append((worlds.map(\.content), report.description))
            }
            for (kind, result) in zip(Kind.allCases, results) {
                for (number, (content, first)) in zip(result.content, results[0].content).enumerated() {
                    guard content == first else { throw Failure("\(kind): world \(number) has other documents") }
                }
                guard result.report == results[0].report else { throw Failure("\(kind): another course of events") }
            }
            print("The documents, the files, and the reports of all kinds of stores are equal.")
        }
    }
#endif
