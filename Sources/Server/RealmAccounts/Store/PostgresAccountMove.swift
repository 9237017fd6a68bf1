// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import RealmPostgres
    import RealmSystem

    /// Copies the accounts of a folder, and the key that signs tokens, to PostgreSQL or back. No server may use the
    /// source meanwhile.
    package struct PostgresAccountMove: Sendable {
        private let folder: String
        private let settings: PostgresSettings

        /// - Parameter folder: The folder of `accounts.realm` and `accounts.key`.
        package init(folder: String, _ settings: PostgresSettings) { (self.folder, self.settings) = (folder, settings) }

        private var keyPath: String { folder + "/accounts.key" }

        /// Copies the accounts to PostgreSQL, and replaces its key. Returns the number of accounts.
        ///
        /// - Throws: `ConfigurationError` if the target has accounts that the source doesn't have; `StorageError`,
        ///   `PostgresError`, `SystemError`.
        package func toPostgres() async throws -> Int {
            let (source, target) = try stores()
            let count = try await AccountCopy(from: source, to: target).run()
            try await target.setSigningKey(try SigningKey(at: keyPath))
            return count
        }

        /// Copies the accounts to the folder. Returns the number of accounts.
        ///
        /// - Throws: As `toPostgres`, and `ConfigurationError` if the folder has another key.
        package func toFolder() async throws -> Int {
            let (target, source) = try stores()
            let key = try await source.signingKey()
            if FileStatus(keyPath) == nil { try PrivateFile.make(at: keyPath, key.bytes) }
            guard try SigningKey(at: keyPath).bytes == key.bytes else {
                throw ConfigurationError("'\(keyPath)' contains another key: remove it if nobody is logged in with it")
            }
            return try await AccountCopy(from: source, to: target).run()
        }

        private func stores() throws -> (DatabaseAccountStore, PostgresAccountStore) {
            (
                try DatabaseAccountStore(at: folder + "/accounts.realm"),
                try PostgresAccountStore(settings, connections: 2)
            )
        }
    }
#endif
