// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Logging
    import RealmAccounts
    import RealmSystem

    /// The administration of a data folder by a program: through the admin port if a server runs, and otherwise
    /// directly.
    package struct FolderAdministration: Sendable {
        private let data: String
        /// The apps of the folder, or `nil` if the program doesn't have their configuration.
        private let configuration: AccountsConfiguration?
        private let postgres: String?

        /// - Throws: `ServerFailure` if the folder isn't a data folder.
        package init(data: String, _ configuration: AccountsConfiguration?, postgres: String? = nil) throws {
            guard Folder.holds(data + "/server.lock") else {
                throw ServerFailure(
                    description: "'\(data)' isn't the data folder of a server: no server has used it yet.")
            }
            (self.data, self.configuration, self.postgres) = (data, configuration, postgres)
        }

        /// - Throws: `AccountError`, `ServerFailure`, or an error if the folder can't be used.
        package func perform(_ request: AccountRequest) async throws -> AccountResponse {
            guard let lock = try lock() else { return try await address().perform(request) }
            defer { withExtendedLifetime(lock) {} }
            let accounts = try await accounts(request.app)
            return try await AuditLog(data: data).perform(request, on: accounts, by: "command")
        }

        package func apps() async throws -> [AppStatus] {
            guard let lock = try lock() else { return try await address().get("/apps") }
            defer { withExtendedLifetime(lock) {} }
            return try await FolderApps(data).status(try await accounts(nil))
        }

        /// Returns `nil` if no server runs.
        package func status() async throws -> ServerStatus? {
            // The lock is released at once.
            try lock() == nil ? try await address().get("/status") : nil
        }

        /// - Throws: `ServerFailure` if no server runs, or it has no admin port.
        package func address() throws -> AdminAddress {
            guard try lock() == nil else {
                throw ServerFailure(description: "No server runs on the folder '\(data)'.")
            }
            return try AdminAddress(in: data)
        }

        /// Returns `nil` if a server holds the lock.
        private func lock() throws -> DiskFile? {
            do { return try DataFolder.take(data) } catch is ServerFailure { return nil }
        }

        /// Without their configuration, the apps are those of the folder, and the one of a server without `--apps`.
        ///
        /// - Throws: `AccountError` if the folder doesn't have the app.
        private func accounts(_ app: String?) async throws -> ServerAccounts {
            var options = RealmServer.Options(data: data)
            options.postgres = postgres
            if let configuration { return ServerAccounts(try await RealmServer.accounts(options, configuration)) }
            let known = Set(FolderApps(data).names).union(["app"])
            let apps = known.union(app.map { [$0] } ?? []).sorted().map { AppConfiguration(id: $0) }
            let accounts = ServerAccounts(try await RealmServer.accounts(options, AccountsConfiguration(apps: apps)))
            if let app, !known.contains(app), try await accounts.userCount(of: app) == 0 {
                throw AccountError(
                    .unknownApp, "the folder has no app '\(app)': name the server's file of apps with --apps")
            }
            return accounts
        }
    }
#endif
