// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import CoreMetrics
    import HTTPServing
    import Logging
    import LoopbackServer
    import NIOConcurrencyHelpers
    import NIOCore
    import NIOPosix
    import NIOSSL
    import RealmAccounts
    import RealmCrypto
    #if PostgreSQL
        import RealmPostgres
    #endif
    import RealmSyncCore
    import RealmSystem
    import ServiceLifecycle

    /// A sync server: the clients of all Realm SDKs synchronise the files of a partition with it.
    ///
    /// The initializer starts the server, and `run()` waits until it stops. As a service of swift-service-lifecycle, it
    /// stops on a graceful shutdown; it also stops when `stop()` is called or the task of `run()` is cancelled. Then
    /// all acknowledged data is durable, and the clients reconnect later. Can be used from any thread.
    public final class RealmServer: Service {
        /// The settings of a server.
        public struct Options: Sendable {
            /// The path of the data folder, created if it doesn't exist. Only one server can use it at a time.
            public var data: String
            /// The address of a database of PostgreSQL that several servers share:
            /// `postgresql://user:password@host:port/database`. It contains the accounts, partitions, apps, and
            /// ingested objects. With `nil`, all data is in the data folder. Needs the trait `PostgreSQL`.
            public var postgres: String?
            /// The address to listen on, by default the loopback address.
            public var host = "127.0.0.1"
            /// The port. 0 is any free port.
            public var port = 9090
            /// The port of the admin page, `/metrics`, and `/health` on the loopback address. 0 is any free port; `nil`
            /// disables them.
            public var adminPort: Int?
            /// The files with which the server authenticates itself to clients. `nil` disables TLS.
            public var tls: TLSFiles?
            /// The time after which a client that was offline must reset its files, in whole seconds.
            public var clientExpiry = Duration.seconds(30 * 24 * 3600)
            /// The ids of the apps with flexible sync. An app that already has partitions retains them.
            public var flexibleApps: [String] = []
            /// The schemas of apps. Clients of other apps can make any changes to the classes and properties of a
            /// partition, and add to those of an app with flexible sync.
            public var schemas: [SchemaSettings] = []
            /// Returns the access of a user to a partition. By default, each user of an app can read and write all of
            /// its partitions.
            public var permissions: PermissionHook = { _ in .write }
            /// Returns the access of a user to the documents of an app with flexible sync. By default, each user of an
            /// app can read and write all of its documents.
            ///
            /// It's called when a file begins to synchronise, and when the custom data, the profile, or the identities
            /// of a connected user change. Report other changes with `rightsChanged(of:in:)`.
            public var documentAccess: DocumentAccessHook = { _ in DocumentAccess(others: .all) }
            /// The time limit of `permissions` and `documentAccess`. If a function exceeds it or throws, the client
            /// retries later.
            public var permissionTimeLimit = Duration.seconds(10)
            /// The name of the service with which clients read and change documents (`user.mongoClient`). `nil`
            /// disables it.
            public var documentService: String? = "mongodb-atlas"
            /// The field of documents that contains the partition value. Clients select a partition with it.
            public var partitionKey = "_partition"
            /// The limits of connections and messages.
            public var limits = ConnectionLimits()
            /// The logger of the server.
            public var logger = Logger(label: "realm-server")
            /// The factory of the server's metrics. `/metrics` shows those of a `PrometheusMetrics`; any other factory
            /// exports them itself.
            public var metrics: any MetricsFactory = PrometheusMetrics()
            /// Processes the objects of asymmetric classes that clients have sent. `nil` if they're only read over
            /// HTTP.
            ///
            /// Called with batches of an app in order, one at a time for each app, and at one of the servers that share
            /// a database. If it throws, it's called again with the same batch after a delay. A batch can also be
            /// repeated after the server has stopped.
            public var ingest: IngestHook?
            /// The age at which ingested objects are removed, in whole seconds, unless `ingest` hasn't processed them.
            public var ingestRetention = Duration.seconds(30 * 24 * 3600)
            /// The size in bytes above which the oldest ingested objects of an app are removed, unless `ingest` hasn't
            /// processed them. `nil` for no limit.
            public var ingestMaximumSize: Int?
            /// The bearer token with which programs read ingested objects over HTTP. `nil` if only the admin port
            /// serves them, without a token.
            public var ingestToken: String?
            /// The time between a graceful shutdown and the end of the connections, in which `/ready` responds with
            /// 503.
            public var drainTime = Duration.zero
            /// The partition of each app in which clients can create objects of asymmetric classes.
            package var ingestPartition: String?
            /// The size of a log above which it can be replaced by a snapshot, in bytes.
            package var smallLog = StoredPartition.Options().smallLog
            /// The stores of a cluster that has this server as a node. `nil` if all data is in the folder.
            package var shared: (any SharedStores)?
            /// In seconds since 1970.
            package var clock: @Sendable () -> Int64 = { CurrentProcess.time / 1_000_000_000 }
            /// Set if `logger` already reports to it.
            var problems: RecentProblems?

            /// Creates the default options with the path of a data folder.
            public init(data: String) { self.data = data }
        }

        /// The version of the package.
        package static let version = "0.1.0"

        let engine: SyncEngine
        private let server: HTTPServer
        let administration: Administration
        private let admin: LoopbackServer?
        private let group: MultiThreadedEventLoopGroup
        private let logger: Logger
        private let deliveries: IngestDeliveries
        private let health = ServerHealth()
        private let drainTime: Duration
        private let services: any AppServices
        private let daily = NIOLockedValueBox<[Task<Void, Never>]>([])

        /// The port on which the server listens.
        public var port: Int { server.port }
        /// The port of the admin page, `/metrics`, and `/health`, or `nil` if they are disabled.
        public var adminPort: Int? { admin?.port }

        /// - Parameter services: The HTTP API, which authenticates users.
        ///
        /// - Throws: An error if the folder or the port can't be used.
        package init(_ options: Options, services: any AppServices) async throws {
            try RealmServer.loadLibraries()
            let (options, problems) = options.recordingProblems()
            logger = options.logger
            let budget = DescriptorBudget.raised(
                connections: options.limits.connections, threads: System.coreCount, logger: options.logger)
            let tls = try RealmServer.tls(options)
            let store = RealmServer.store(options, budget)
            let gate = PermissionGate(
                partitions: options.permissions, documents: options.documentAccess,
                renew: { try await services.grant(renewing: $0) }, timeLimit: options.permissionTimeLimit,
                logger: options.logger)
            deliveries = IngestDeliveries(options.ingest, logger: options.logger)
            let shared = NIOLockedValueBox<(any SharedStores)?>(nil)
            engine = try SyncEngine(
                { [options, deliveries] in
                    let stores = try RealmServer.sharedStores(options)
                    shared.withLockedValue { $0 = stores }
                    return try DataFolder(
                        options.data, store, flexibleApps: options.flexibleApps, schemas: options.schemas,
                        shared: stores, logger: options.logger,
                        ingestPartition: options.ingestPartition.flatMap { PartitionName(path: $0) },
                        didOpenFeed: { deliveries.start($0, $1) })
                }, gate,
                RealmServer.limits(options.limits), unreadAnswers: options.limits.unreadAnswers,
                documents: store.documents, clock: options.clock, logger: options.logger,
                metrics: ServerMetrics(options.metrics))
            health.shared = shared.withLockedValue { $0 }
            let ingest = IngestService(token: options.ingestToken) { [engine] in try await engine.feed(of: $0) }
            (drainTime, self.services) = (options.drainTime, services)
            administration = Administration(
                engine: engine, ingest: ingest, health: health,
                accounts: (services as? Accounts).map { ServerAccounts($0) },
                problems: problems,
                metrics: options.metrics as? PrometheusMetrics, data: options.data,
                shared: health.shared, clock: options.clock,
                started: options.clock())
            services.observeRevocations { [engine] in engine.revoke($0) }
            services.observeUserChanges { [engine] in engine.post(RightsChange(app: $0.app, user: $0.user)) }
            if let name = options.documentService {
                services.serve(
                    DocumentCalls(
                        name: name, access: EngineDocuments(clock: options.clock) { [engine] in engine.post($0) },
                        gate: gate, partitionKey: options.partitionKey))
            }
            group = MultiThreadedEventLoopGroup(numberOfThreads: System.coreCount)
            do {
                server = try await HTTPServer(
                    SyncService(engine: engine, services: services, ingest: ingest, health: health),
                    RealmServer.settings(options, budget, tls),
                    on: group)
                AdminAddress.remove(in: options.data)
                admin = if let port = options.adminPort { try await administration.listen(port) } else { nil }
            } catch {
                engine.stop()
                try? await engine.waitForEnd()
                await deliveries.stop()
                try? await group.shutdownGracefully()
                throw error
            }
            tickEachMinute()
        }

        /// Loads libraries while descriptors are available, because loading them needs one.
        private static func loadLibraries() throws {
            _ = try Zlib.load()
            _ = try SHA256()
        }

        private static func store(_ options: Options, _ budget: DescriptorBudget) -> StoredPartition.Options {
            var store = StoredPartition.Options()
            store.clientExpiry = UInt64(max(0, options.clientExpiry.components.seconds))
            store.openLogs = budget.openLogs
            store.documents = OpenDocuments(limit: DescriptorBudget.openDocuments)
            store.smallLog = options.smallLog
            store.ingest.retention = UInt64(max(0, options.ingestRetention.components.seconds))
            store.ingest.maximumSize = options.ingestMaximumSize
            store.ingest.hasHook = options.ingest != nil
            return store
        }

        /// Returns the stores of the settings, or `nil` if all data is in the folder. Can block.
        private static func sharedStores(_ options: Options) throws -> (any SharedStores)? {
            #if PostgreSQL
                if options.shared == nil, let url = options.postgres {
                    return try PostgresStores(try PostgresSettings(url), metrics: PostgresMetrics(options.metrics))
                }
            #endif
            return options.shared
        }

        private static func limits(_ limits: ConnectionLimits) -> ServerLimits {
            var result = ServerLimits()
            result.message = limits.messageBytes
            result.sessionsPerConnection = limits.sessionsPerConnection
            result.silence = UInt64(min(max(1, limits.silence.components.seconds), 1 << 40)) * 1000
            return result
        }

        private static func settings(
            _ options: Options, _ budget: DescriptorBudget, _ tls: NIOSSLContext?
        ) -> HTTPServer.Options {
            var settings = HTTPServer.Options(
                budget.limits(perPeer: options.limits.requestConnectionsPerPeer),
                patience: TimeAmount(options.limits.requestPatience))
            (settings.host, settings.port) = (options.host, options.port)
            settings.longestBody = options.limits.requestBytes
            settings.socket = WebSocketHandler.Options(
                kind: .binary, wrongKind: .unacceptableData, longestMessage: options.limits.messageBytes)
            if let tls { settings.encryption = { NIOSSLServerHandler(context: tls) } }
            return settings
        }

        /// Checks the files of TLS, the configuration of accounts, and the connection to PostgreSQL.
        ///
        /// - Throws: An error if a file or the database can't be used, or `ConfigurationError`.
        package static func check(_ options: Options, _ configuration: AccountsConfiguration) throws {
            _ = try tls(options)
            try configuration.validate()
            try checkPostgres(options)
        }

        private static func tls(_ options: Options) throws -> NIOSSLContext? {
            guard let tls = options.tls else {
                if !LoopbackNames.contains(options.host) {
                    options.logger.warning(
                        """
                        other machines reach this address, and without TLS passwords, tokens and data can be read on \
                        the network
                        """, metadata: ["host": "\(options.host)"])
                }
                return nil
            }
            if let status = FileStatus(tls.privateKey), FilePermissions(of: status).mode & 0o077 != 0 {
                options.logger.warning(
                    "the private key may be read by others than its owner: chmod 600 it",
                    metadata: ["file": "\(tls.privateKey)"])
            }
            let chain = try readable(tls.certificateChain, "certificate") {
                try NIOSSLCertificate.fromPEMFile($0).map { NIOSSLCertificateSource.certificate($0) }
            }
            let key = try readable(tls.privateKey, "private key") { try NIOSSLPrivateKey(file: $0, format: .pem) }
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain, privateKey: .privateKey(key))
            // RFC 8996 forbids earlier versions.
            configuration.minimumTLSVersion = .tlsv12
            return try NIOSSLContext(configuration: configuration)
        }

        private static func readable<Content>(
            _ path: String, _ name: String, _ read: (String) throws -> Content
        ) throws -> Content {
            do { return try read(path) } catch {
                throw ServerFailure(
                    description: "The \(name) '\(path)' can't be read, or isn't a PEM file: \(error).")
            }
        }

        package func tick() { engine.tick() }

        /// Returns the number of ingested objects of an app that `Options.ingest` hasn't processed, or of all objects
        /// without such a function.
        public func ingestBacklog(of app: String) async -> UInt64 { (try? await engine.feed(of: app))?.backlog ?? 0 }

        private func tickEachMinute() {
            group.next().scheduleRepeatedTask(initialDelay: .minutes(1), delay: .minutes(1)) { [engine] _ in
                engine.tick()
            }
        }

        /// Errors are logged, and the work is retried on the next day.
        func eachDay(_ work: @escaping @Sendable () async throws -> Void) {
            let task = Task { [logger] in
                while !Task.isCancelled {
                    do { try await work() } catch { logger.error("the daily work has failed: \(error)") }
                    try? await Task.sleep(for: .seconds(24 * 3600))
                }
            }
            daily.withLockedValue { $0.append(task) }
        }

        // MARK: Service

        /// Waits until the server stops: after `stop()`, a graceful shutdown, the cancellation of the task, or an
        /// error. Then closes all connections.
        ///
        /// - Throws: An error if the server can't continue, for example because it can't write. Even then, all
        ///   acknowledged data is durable.
        public func run() async throws {
            logger.info("the server listens", metadata: ["port": "\(port)"])
            var failure: (any Error)?
            do {
                try await withTaskCancellationHandler {
                    try await withGracefulShutdownHandler {
                        try await engine.waitForEnd()
                    } onGracefulShutdown: {
                        self.drain()
                    }
                } onCancel: { [engine] in
                    engine.stop()
                }
            } catch {
                failure = error
            }
            health.state = .stopped
            await close()
            if let failure { throw failure }
        }

        /// Stops the server. `run()` returns afterwards.
        public func stop() { engine.stop() }

        /// Stops the server after the time in which a load balancer finds other servers.
        private func drain() {
            health.state = .draining
            guard drainTime > .zero else { return engine.stop() }
            logger.info("the server drains", metadata: ["seconds": "\(drainTime.components.seconds)"])
            group.next().scheduleTask(in: TimeAmount(drainTime)) { [engine] in engine.stop() }
        }

        private func close() async {
            let tasks = daily.withLockedValue { $0 }
            for task in tasks { task.cancel() }
            for task in tasks { await task.value }
            await deliveries.stop()
            await server.stopListening()
            await admin?.stop()
            await server.connections.end(within: .seconds(1))
            services.releaseServer()
            try? await group.shutdownGracefully()
            logger.info("the server has ended")
        }
    }
#endif
