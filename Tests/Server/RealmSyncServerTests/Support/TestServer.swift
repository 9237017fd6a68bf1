// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Logging
    import NIOConcurrencyHelpers
    import RealmAccounts
    import RealmSyncServer
    import RealmTestSupport
    import ServerTestSupport

    /// A server in this process, in its own folder unless a test provides one. It stops with its test at the latest.
    final class TestServer: Sendable {
        let folder: TemporaryFolder
        let server: RealmServer
        let services = TestServices()
        let log: CollectedLog
        private let running: Task<Void, any Error>

        init(
            _ folder: TemporaryFolder? = nil, accounts: AccountsConfiguration? = nil,
            _ change: (inout RealmServer.Options) -> Void = { _ in }
        ) async throws {
            let folder = try folder ?? TemporaryFolder()
            let log = CollectedLog()
            var options = RealmServer.Options(data: folder.path)
            options.port = 0
            options.logger = Logger(label: "test") { _ in log }
            options.logger.logLevel = .trace
            // Other tests may block the threads of all tasks for minutes, including the task that verifies a token.
            options.limits.requestPatience = .seconds(3600)
            options.permissionTimeLimit = .seconds(3600)
            change(&options)
            try TestDatabases.set(&options)
            let server: RealmServer
            if var accounts {
                accounts.passwordCost.rounds = 2
                server = try await RealmServer(options, accounts: accounts)
            } else {
                server = try await RealmServer(options, services: services)
            }
            (self.folder, self.server, self.log) = (folder, server, log)
            running = Task { try await server.run() }
            TestCleanup.add { [self] in try await stop() }
        }

        var port: Int { server.port }

        /// Returns the status at a time at which no store is busy, since a busy one has only its name.
        func status() async throws -> ServerStatus {
            while true {
                let status = try await server.status()
                if !status.partitions.contains(where: \.isBusy) { return status }
                try await Task.sleep(for: .milliseconds(10))
            }
        }

        func stop() async throws {
            server.stop()
            try await running.value
        }
    }

    struct CollectedLog: LogHandler {
        private let lines = NIOLockedValueBox<[String]>([])
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        var text: String { lines.withLockedValue { $0.joined(separator: "\n") } }

        func log(event: LogEvent) {
            lines.withLockedValue { $0.append("\(event.level) \(event.message) \(event.metadata ?? [:])") }
        }
    }
#endif
