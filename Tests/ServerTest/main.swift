// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Logging
    import RealmSyncServer
    import RealmSystem
    import ServerTestSupport
    import ServiceLifecycle

    /// A server for tests, with an HTTP API that believes what it is told, and the measurements of Scripts/sync-speed.
    ///
    ///     regnum-server-test serve FOLDER [EXPIRY]     prints its port, and serves until it gets SIGTERM
    ///     regnum-server-test speed COUNT               prints figures
    let arguments = CommandLine.arguments
    switch (arguments.dropFirst().first, arguments.dropFirst(2).first) {
    case ("serve", let folder?):
        var options = RealmServer.Options(data: folder)
        options.port = 0
        // The standard output is for the port alone.
        options.logger = Logger(label: "server") { StreamLogHandler.standardError(label: $0) }
        options.adminPort = 0
        options.limits.requestPatience = 3600
        if arguments.count > 3, let expiry = UInt64(arguments[3]) { options.clientExpiry = expiry }
        let server = try await RealmServer(options, services: TestServices())
        print("port \(server.port) \(server.adminPort ?? 0)")
        fflush(nil)
        try await ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [server], gracefulShutdownSignals: [.sigterm], logger: options.logger)
        ).run()
    case ("speed", let count?):
        try await Speed(count: Int(count) ?? 10_000).run()
    default:
        print("regnum-server-test serve FOLDER [EXPIRY] | speed COUNT")
        exit(64)
    }
#endif
