// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Logging
    import RealmAccounts
    import RealmSystem

    /// The administration of a data folder by a program: through the admin port if a server runs, and otherwise
    /// directly. The data can be in a database that servers use meanwhile.
    package struct FolderAdministration: Sendable {
        /// `nil` if only the database is named.
        private let data: String?
        /// The apps of the folder, or `nil` if the program doesn't have their configuration.
        private let configuration: AccountsConfiguration?
        private let postgres: String?

        /// - Parameters:
        ///   - data: The data folder, or `nil` if `postgres` isn't.
        ///   - postgres: The address of the database, or `nil` if the folder has the data.
        /// - Throws: `ServerFailure` if the folder isn't a data folder.
        package init(data: String?, _ configuration: AccountsConfiguration?, postgres: String? = nil) throws {
            if let data, !Folder.holds(data + "/server.lock") {
                throw ServerFailure(
                    description: "'\(data)' isn't the data folder of a server: no server has used it yet.")
            }
            (self.data, self.configuration, self.postgres) = (data, configuration, postgres)
        }

        /// - Throws: `AccountError`, `ServerFailure`, or an error if the folder can't be used.
        package func perform(_ request: AccountRequest) async throws -> AccountResponse {
            guard case .data(let data, let lock) = try access() else { return try await address().perform(request) }
            defer { withExtendedLifetime(lock) {} }
            let accounts = try await accounts(request.app, data)
            // Lists aren't recorded.
            if request.action == .list { return try await request.perform(on: accounts) }
            return try await AuditLog(data: try folder()).perform(request, on: accounts, by: "command")
        }

        package func apps() async throws -> [AppStatus] {
            guard case .data(let data, let lock) = try access() else { return try await address().get("/apps") }
            defer { withExtendedLifetime(lock) {} }
            return try await AppStatus.all(try await accounts(nil, data)) { try data.catalog() }
        }

        /// Returns `nil` if no server runs.
        package func status() async throws -> ServerStatus? {
            // The lock is released at once.
            try lock(try folder()) == nil ? try await address().get("/status") : nil
        }

        /// - Throws: `ServerFailure` if no server runs, or it has no admin port.
        package func address() throws -> AdminAddress {
            let folder = try folder()
            guard try lock(folder) == nil else {
                throw ServerFailure(description: "No server runs on the folder '\(folder)'.")
            }
            return try AdminAddress(in: folder)
        }

        /// The way to the data.
        private enum Access {
            /// The admin port of the server that runs on the folder.
            case server
            /// The data itself, with the lock of the folder if there is one.
            case data(ServerData, DiskFile?)
        }

        /// - Throws: `ServerFailure` if the data isn't in the named place.
        private func access() throws -> Access {
            var held: DiskFile?
            if let data {
                held = try lock(data)
                if held == nil { return .server }
            }
            guard let postgres else {
                let folder = try folder()
                try DataFolder.requireLocal(folder)
                return .data(.folder(folder), held)
            }
            if let data { try DataFolder.requireEmpty(data) }
            return .data(.postgres(postgres), held)
        }

        private func folder() throws -> String {
            guard let data else {
                throw ServerFailure(
                    description: """
                        Name the data folder of a server with --data: it has the address of the running server, and \
                        'audit.jsonl', which records each change.
                        """)
            }
            return data
        }

        /// Returns `nil` if a server holds the lock.
        private func lock(_ data: String) throws -> DiskFile? {
            do { return try DataFolder.take(data) } catch is ServerFailure { return nil }
        }

        /// Without their configuration, the apps are those of the stores, and the one of a server without `--apps`.
        ///
        /// - Throws: `AccountError` if the data doesn't have the app.
        private func accounts(_ app: String?, _ data: ServerData) async throws -> ServerAccounts {
            var options = RealmServer.Options(data: self.data ?? "")
            options.postgres = postgres
            if let configuration { return ServerAccounts(try await RealmServer.accounts(options, configuration)) }
            let known = Set(try await AppStatus.names { try data.catalog() }).union(["app"])
            let apps = known.union(app.map { [$0] } ?? []).sorted().map { AppConfiguration(id: $0) }
            let accounts = ServerAccounts(try await RealmServer.accounts(options, AccountsConfiguration(apps: apps)))
            if let app, !known.contains(app), try await accounts.userCount(of: app) == 0 {
                throw AccountError(
                    .unknownApp, "the server's data has no app '\(app)': name the server's file of apps with --apps")
            }
            return accounts
        }
    }
#endif
