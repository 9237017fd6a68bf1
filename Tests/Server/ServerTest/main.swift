// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import RealmPostgres
#endif
#if Server
    import Logging
    import RealmSyncServer
    import RealmSystem
    import ServerTestSupport
    import ServiceLifecycle
    import SyncTestSupport

    /// A server for tests, with an HTTP API that trusts its input, and the measurements of Scripts/sync-speed.
    ///
    ///     regnum-server-test serve FOLDER [EXPIRY] [URL] [0.0.0.0]   prints its port, and serves until it gets
    ///                                                  SIGTERM. The app `flexible` has flexible sync. URL is that of a
    ///                                                  database which several servers share. `0.0.0.0` listens on all
    ///                                                  addresses
    ///     regnum-server-test nodes --minutes N         kills, stops, and cuts off two servers, kills their database
    ///     regnum-server-test nodes --minutes N --namespaces   the same, with each server in a network namespace
    ///     regnum-server-test speed COUNT               prints figures
    ///     regnum-server-test speed COUNT URL           the same of a server with files, and of two servers on an empty
    ///                                                  database
    ///     regnum-server-test idle COUNT [postgres]     prints the memory of so many idle sessions, at two servers on
    ///                                                  PostgreSQL half of them at each
    ///     regnum-server-test flexible COUNT [NAME]     prints figures of subscriptions to so many documents, or one of
    ///                                                  them: `bootstraps`, `change`, `bootstrap`, `latency`
    ///     regnum-server-test changes COUNT             prints times of changes that concern a tenth of so many
    ///                                                  subscriptions, on a store in files and in PostgreSQL
    ///     regnum-server-test queries COUNT             prints times of queries by the engine and in SQL
    ///     regnum-server-test versions COUNT FOLDER     creates a store with so many versions for an offline client; if
    ///                                                  it exists, opens it and prints the memory
    ///     regnum-server-test dump COUNT FOLDER         writes a folder of `mongodump` with so many documents
    ///     regnum-server-test kill --seconds N          kills a server and clients, and verifies the remaining objects
    ///     regnum-server-test kill --minutes N          runs the same for longer
    ///     regnum-server-test client …                  a client of `kill`
    ///     regnum-server-test slow COUNT                logs in while so many slow connections are open
    ///     regnum-server-test hostile COUNT [SEED] [--flexible]   sends so many hostile messages to a server
    ///     regnum-server-test simulate [--seed S] [--steps N] [--nodes N] [--hostile]   simulates a flexible app
    ///     regnum-server-test simulate … --stores       compares the results on files, in memory, and on PostgreSQL;
    ///                                                  of several nodes those in memory and on PostgreSQL
    let arguments = CommandLine.arguments
    switch (arguments.dropFirst().first, arguments.dropFirst(2).first) {
    case ("serve", let folder?):
        var options = RealmServer.Options(data: folder)
        options.port = 0
        // The standard output contains only the port.
        options.logger = Logger(label: "server") { StreamLogHandler.standardError(label: $0) }
        options.adminPort = 0
        if arguments.last == "0.0.0.0" { options.host = "0.0.0.0" }
        options.ingestPartition = Speed.ingestPartition
        options.flexibleApps = ["flexible"]
        options.limits.requestPatience = .seconds(3600)
        if arguments.count > 3, let expiry = Int64(arguments[3]) { options.clientExpiry = .seconds(expiry) }
        #if PostgreSQL
            if let url = arguments.dropFirst(3).first(where: { $0.hasPrefix("postgres") }) {
                options.shared = try PostgresStores(PostgresSettings(url))
                // Snapshots are due after a few thousand changes.
                options.smallLog = 256 << 10
            }
        #endif
        let server = try await RealmServer(options, services: TestServices())
        print("port \(server.port) \(server.adminPort ?? 0)")
        fflush(nil)
        try await ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [server], gracefulShutdownSignals: [.sigterm], logger: options.logger)
        ).run()
    case ("speed", let count?) where arguments.count == 3:
        try await Speed(count: Int(count) ?? 10_000).run()
    case ("dump", let count?) where arguments.count == 4:
        try DocumentDump(count: Int(count) ?? 1_000_000).write(to: arguments[3])
    #if PostgreSQL
        case ("speed", let count?):
            try await Speed(count: Int(count) ?? 10_000).run(on: arguments[3])
        case ("idle", let count?) where arguments.last == "postgres":
            try await Speed(count: 0).runIdleNodes(sessions: Int(count) ?? 10_000)
        case ("changes", let count?):
            try SubscriptionSpeed().compareChanges(subscriptions: Int(count) ?? 100_000)
        case ("queries", let count?):
            try await QuerySpeed().run(documents: Int(count) ?? 100_000)
    #endif
    case ("idle", let count?):
        try await Speed(count: 0).runIdle(sessions: Int(count) ?? 5000)
    case ("flexible", let count?):
        try await SubscriptionSpeed().run(documents: Int(count) ?? 1_000_000, only: arguments.dropFirst(3).first)
    case ("versions", let count?) where arguments.count == 4:
        try OpeningSpeed(folder: arguments[3]).run(versions: Int(count) ?? 1_000_000)
    case ("kill", let unit?) where arguments.count == 4:
        do {
            try await KillTest(seconds: (Int(arguments[3]) ?? 20) * (unit == "--minutes" ? 60 : 1)).run()
        } catch {
            print("FAILED: \(error)")
            exit(1)
        }
    #if PostgreSQL
        case ("nodes", let unit?) where arguments.count >= 4:
            do {
                let seconds = (Int(arguments[3]) ?? 20) * (unit == "--minutes" ? 60 : 1)
                try await NodesTest(seconds: seconds, usesNamespaces: arguments.last == "--namespaces").run()
            } catch {
                print("FAILED: \(error)")
                exit(1)
            }
    #endif
    case ("slow", let count?):
        do { try await SlowTest(count: Int(count) ?? 5000).run() } catch {
            print("FAILED: \(error)")
            exit(1)
        }
    case ("hostile", let count?):
        let seed = arguments.dropFirst(3).compactMap { UInt64($0) }.first
        do {
            try await HostileMessages(
                count: Int(count) ?? 500_000, seed: seed ?? .random(in: 0..<1 << 32),
                isFlexible: arguments.last == "--flexible"
            ).run()
        } catch {
            print("FAILED: \(error)")
            exit(1)
        }
    case ("simulate", _):
        do {
            let settings = try SimulationArguments(arguments.dropFirst(2))
            #if PostgreSQL
                if settings.comparesStores {
                    try StoreComparison.run(settings, on: PostgresCluster())
                    exit(0)
                }
            #endif
            try Simulation.run(settings) { try FlexibleWorld(seed: $0, nodes: settings.nodes) }
        } catch {
            print("FAILED: \(error)")
            exit(1)
        }
    case ("client", let path?) where arguments.count == 9:
        do {
            var client = try FileClient(
                path, log: arguments[3], port: Int(arguments[4]) ?? 0, uri: arguments[5], partition: arguments[6],
                seed: UInt64(arguments[7]) ?? 0)
            let patience = Int(arguments[8]) ?? 0
            if patience > 0 { try await client.settle(within: patience) } else { try await client.write() }
        } catch {
            print("client \(path): \(error)")
            exit(3)
        }
    default:
        print(
            "regnum-server-test serve FOLDER [EXPIRY] [URL] [0.0.0.0] | speed COUNT [URL] | idle COUNT [postgres] | "
                + "flexible COUNT [NAME] | changes COUNT | queries COUNT | "
                + "versions COUNT FOLDER | dump COUNT FOLDER | kill --seconds N | "
                + "nodes --seconds N [--namespaces] | slow COUNT | hostile COUNT [SEED] [--flexible] | "
                + "simulate \(SimulationArguments.usage)"
        )
        exit(64)
    }
#endif
