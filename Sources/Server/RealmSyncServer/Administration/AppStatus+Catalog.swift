// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmAccounts

    extension AppStatus {
        private static let reads = BackgroundWork(maximumThreadCount: 2)

        /// Returns the apps that clients have used or that have accounts. Servers can use the stores meanwhile.
        ///
        /// - Parameters:
        ///   - accounts: The accounts of the stores, or `nil` if another service has them.
        ///   - catalog: Returns the stores. Called on a thread that can block.
        static func all(
            _ accounts: ServerAccounts?, in catalog: @escaping @Sendable () throws -> any StoreCatalog
        ) async throws -> [AppStatus] {
            let known = accounts?.apps ?? []
            var apps = try await reads.result { try read(known, try catalog()) }
            for index in apps.indices {
                apps[index].userCount = try await accounts?.userCount(of: apps[index].app) ?? 0
            }
            return apps
        }

        /// Returns the ids of the apps that clients have used.
        static func names(in catalog: @escaping @Sendable () throws -> any StoreCatalog) async throws -> [String] {
            try await reads.result { try catalog().apps() }
        }

        private static func read(_ known: [String], _ catalog: any StoreCatalog) throws -> [AppStatus] {
            try Set(try catalog.apps()).union(known).sorted().map { app in
                let isFlexible = try catalog.mode(of: app) == .flexible
                let sizes = try catalog.sizes(of: app)
                return AppStatus(
                    app: app, mode: isFlexible ? .flexible : .partitions,
                    partitionCount: isFlexible ? 0 : sizes.partitionCount, bytes: sizes.bytes, userCount: 0)
            }
        }
    }
#endif
