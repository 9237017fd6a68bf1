// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmAccounts
    import RealmSystem

    extension RealmServer {
        /// Creates and starts a server with its own accounts, which are stored in the folder `accounts` of its data
        /// folder.
        ///
        /// - Parameter configuration: The apps that the server serves, and their settings for log-in.
        /// - Throws: `ConfigurationError`, or another error if the folder or the port can't be used.
        public convenience init(_ options: Options, accounts configuration: AccountsConfiguration) async throws {
            try await self.init(options, accounts: RealmServer.accounts(options, configuration))
        }

        /// Opens the accounts in the data folder of a server.
        package static func accounts(
            _ options: Options, _ configuration: AccountsConfiguration
        ) async throws -> Accounts {
            let folder = options.data + "/accounts"
            try Folder.create(options.data, mode: 0o700)
            try Folder.create(folder, mode: 0o700)
            return try await Accounts(in: folder, configuration, log: options.logger)
        }

        /// Creates and starts a server with opened accounts.
        package convenience init(_ options: Options, accounts: Accounts) async throws {
            try await self.init(options, services: accounts)
            eachDay { try await accounts.removeExpired() }
        }
    }
#endif
