// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmAccounts
    import RealmSystem
    #if PostgreSQL
        import RealmPostgres
    #endif

    /// Moves what servers with `Options.postgres` store in PostgreSQL between a data folder and a database.
    package struct FolderMove: Sendable {
        private let data: String
        private let postgres: String

        package init(data: String, postgres: String) { (self.data, self.postgres) = (data, postgres) }

        /// Returns the number of accounts.
        ///
        /// - Throws: `ServerFailure` if a server uses the folder, or an error if a store can't be used.
        package func run(toFolder: Bool) async throws -> Int {
            #if PostgreSQL
                let lock = try DataFolder.take(data)
                defer { withExtendedLifetime(lock) {} }
                let folder = data + "/accounts"
                try Folder.create(folder, mode: 0o700)
                let move = PostgresAccountMove(folder: folder, try PostgresSettings(postgres))
                return toFolder ? try await move.toFolder() : try await move.toPostgres()
            #else
                throw ServerFailure(
                    description: "The server was built without PostgreSQL: build it with --traits PostgreSQL.")
            #endif
        }
    }
#endif
