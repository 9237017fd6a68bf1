// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import RealmSyncServer
    import RealmTestSupport
    import SyncTestSupport

    /// Simulates flexible apps on each kind of store with the same seeds. Their documents and files are equal in the
    /// end.
    package enum StoreComparison {
        private enum Kind: String, CaseIterable {
            case files, memory, postgreSQL
        }

        /// Returns the report, which all kinds of stores share. Only one server can have files.
        @discardableResult
        package static func run(
            _ settings: SimulationArguments, on cluster: PostgresCluster
        ) throws -> SimulationReport {
            var first: (content: [[SyncModel]], report: SimulationReport)?
            for kind in Kind.allCases where kind != .files || settings.nodes == 1 {
                print("\(kind):")
                let (content, report) = try simulate(settings, kind, cluster)
                guard let first else {
                    first = (content, report)
                    continue
                }
                for (number, (content, first)) in zip(content, first.content).enumerated() {
                    guard content == first else { throw Failure("\(kind): world \(number) has other documents") }
                }
                guard report.description == first.report.description else {
                    throw Failure("\(kind): another course of events")
                }
            }
            print("The documents, the files, and the reports of all kinds of stores are equal.")
            return first?.report ?? SimulationReport()
        }

        private static func simulate(
            _ settings: SimulationArguments, _ kind: Kind, _ cluster: PostgresCluster
        ) throws -> (content: [[SyncModel]], report: SimulationReport) {
            var databases: [PostgresDatabase] = []
            var worlds: [FlexibleWorld] = []
            let report = try Simulation.run(settings) { seed in
                let stores: (any SharedStores)?
                switch kind {
                case .files: stores = nil
                case .memory: stores = MemoryStores()
                case .postgreSQL:
                    let database = try cluster.makeDatabase()
                    databases.append(database)
                    stores = try PostgresStores(database.settings())
                }
                let world = try FlexibleWorld(seed: seed, nodes: settings.nodes, stores: stores)
                worlds.append(world)
                return world
            }
            return (worlds.map(\.content), report)
        }
    }
#endif
