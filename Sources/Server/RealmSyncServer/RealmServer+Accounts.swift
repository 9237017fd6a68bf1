// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmAccounts
    #if PostgreSQL
        import RealmPostgres
    #endif
    import RealmSystem

    extension RealmServer {
        /// Creates and starts a server with its own accounts, stored in the folder `accounts` of its data folder.
        ///
        /// - Parameter configuration: The apps of the server, and their log-in providers.
        /// - Throws: `ConfigurationError` if the configuration is invalid, or another error if the folder or the port
        ///   can't be used.
        public convenience init(_ options: Options, accounts configuration: AccountsConfiguration) async throws {
            let options = options.recordingProblems().options
            try await self.init(options, accounts: RealmServer.accounts(options, configuration))
        }

        package static func accounts(
            _ options: Options, _ configuration: AccountsConfiguration
        ) async throws -> Accounts {
            #if PostgreSQL
                if let url = options.postgres {
                    return try await Accounts(on: try PostgresSettings(url), configuration, log: options.logger)
                }
            #endif
            try requireTrait(options)
            try Folder.create(options.data, mode: 0o700)
            let folder = options.data + "/accounts"
            try Folder.create(folder, mode: 0o700)
            return try await Accounts(in: folder, configuration, log: options.logger)
        }

        /// - Throws: `ServerFailure` if the settings need PostgreSQL and the program was built without it.
        private static func requireTrait(_ options: Options) throws {
            #if !PostgreSQL
                guard options.postgres == nil else { throw ServerFailure.withoutPostgres }
            #endif
        }

        /// Connects to the database of the settings, if any, and leaves its tables unchanged.
        ///
        /// - Throws: `PostgresError`, or `ServerFailure` if the program was built without PostgreSQL.
        static func checkPostgres(_ options: Options) throws {
            try requireTrait(options)
            #if PostgreSQL
                guard let url = options.postgres else { return }
                try PostgresStores.check(try PostgresSettings(url))
            #endif
        }

        package convenience init(_ options: Options, accounts: Accounts) async throws {
            try await self.init(options, services: accounts)
            eachDay { try await accounts.removeExpired() }
        }
    }
#endif
