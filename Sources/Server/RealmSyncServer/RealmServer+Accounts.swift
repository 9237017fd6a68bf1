// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmAccounts
    import RealmSystem

    extension RealmServer {
        /// Starts a server with accounts of its own, in the folder `accounts` of its data.
        ///
        /// - Parameter configuration: the apps that it serves, and who may log in to them.
        /// - Throws: `ConfigurationError`, or what keeps it from its folder or its port.
        public convenience init(_ options: Options, accounts configuration: AccountsConfiguration) async throws {
            let folder = options.data + "/accounts"
            try Folder.create(options.data, mode: 0o700)
            try Folder.create(folder, mode: 0o700)
            let accounts = try await Accounts(in: folder, configuration, log: options.logger)
            try await self.init(options, services: accounts)
            eachDay { try await accounts.removeExpired() }
        }
    }
#endif
