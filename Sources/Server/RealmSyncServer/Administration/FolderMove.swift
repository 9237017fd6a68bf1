// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmAccounts
    import RealmSystem
    #if PostgreSQL
        import RealmPostgres
    #endif

    /// Copies the accounts of a data folder, and the key that signs tokens, to PostgreSQL or back.
    package struct FolderMove: Sendable {
        private let data: String
        private let postgres: String

        package init(data: String, postgres: String) { (self.data, self.postgres) = (data, postgres) }

        package struct Report: Sendable {
            /// Partitions and flexible apps.
            package let stores: Int
            package let accounts: Int
        }

        /// - Parameter progress: Called after each store, and within large ones.
        /// - Throws: `ServerFailure` if a server uses the folder, or an error if a store can't be used.
        package func run(
            toFolder: Bool, progress: @escaping (MoveProgress) -> Void = { _ in }
        ) async throws -> Report {
            #if PostgreSQL
                let lock = try DataFolder.take(data)
                defer { withExtendedLifetime(lock) {} }
                let settings = try PostgresSettings(postgres)
                let shared = try PostgresStores(settings)
                try shared.excludeServers()
                defer { shared.stop() }
                return try await AuditLog(data: data).perform(AuditLog.Operation(.move)) {
                    let stores = StoreMove(data: data, stores: shared, progress: progress)
                    return try await copy(stores, settings, toFolder)
                }
            #else
                throw ServerFailure.withoutPostgres
            #endif
        }

        #if PostgreSQL
            private func copy(_ stores: StoreMove, _ settings: PostgresSettings, _ toFolder: Bool) async throws
                -> Report
            {
                let count = try toFolder ? stores.toFolder() : stores.toPostgres()
                let folder = data + "/accounts"
                try Folder.create(folder, mode: 0o700)
                let move = PostgresAccountMove(folder: folder, settings)
                let accounts = toFolder ? try await move.toFolder() : try await move.toPostgres()
                return Report(stores: count, accounts: accounts)
            }
        #endif
    }

    /// The stores that are durable in the target of a move, and the bytes of their records and of those of the next
    /// store.
    package struct MoveProgress: Sendable, Equatable {
        package var stores: Int
        package let storeCount: Int
        package var bytes: Int
    }
#endif
