// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Logging
    import RealmAccounts
    import RealmSyncServer
    import RealmTestSupport

    /// A real server with accounts in this process, on the loopback address. It stops with its test at the
    /// latest.
    package final class SyncedServer: Sendable {
        package let folder: TemporaryFolder
        package let server: RealmServer
        package let accounts: Accounts
        private let running: Task<Void, any Error>

        /// - Parameter folder: The folder of an earlier server, which had the same port.
        package init(
            _ before: SyncedServer? = nil, port: Int = 0,
            _ change: @Sendable (inout RealmServer.Options, inout AccountsConfiguration) -> Void = { _, _ in }
        ) async throws {
            folder = try before?.folder ?? TemporaryFolder()
            var options = RealmServer.Options(data: folder.path)
            options.port = before?.port ?? port
            options.logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            // Other tests may block the threads of all tasks for minutes.
            options.limits.requestPatience = .seconds(3600)
            var accounts = AccountsConfiguration(apps: [AppConfiguration(id: "notes")])
            accounts.passwordCost.rounds = 2
            change(&options, &accounts)
            try TestDatabases.set(&options)
            self.accounts = try await RealmServer.accounts(options, accounts)
            let server = try await RealmServer(options, accounts: self.accounts)
            self.server = server
            running = Task { try await server.run() }
            TestCleanup.add { [self] in try await stop() }
        }

        package var port: Int { server.port }

        package func stop() async throws {
            server.stop()
            try await running.value
        }

        /// Starts a server whose only app has flexible sync.
        package static func flexible(_ app: String) async throws -> SyncedServer {
            try await SyncedServer { options, accounts in
                options.flexibleApps = [app]
                accounts.apps = [AppConfiguration(id: app)]
                accounts.limits.credentials.burst = 1000
                accounts.limits.account.burst = 1000
            }
        }
    }
#endif
