// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmTestSupport
    import ServerTestSupport
    import SyncTestSupport

    extension FlexibleClient {
        /// Returns a client whose subscriptions are complete.
        static func start(
            _ server: TestServer, _ folder: TemporaryFolder, _ user: String, uri: String? = nil,
            versions: ClosedRange<Int>? = nil, subscribesTo queries: String...
        ) async throws -> FlexibleClient {
            let port = server.port
            let client = try FlexibleClient(
                folder.path + "/\(user).realm", user: user, uri: uri, versions: versions, seed: 1
            ) { port }
            try await client.commit(SimpleChanges.schema)
            try await client.subscribe(to: queries)
            try await client.waitForSubscriptions()
            return client
        }

        static func settle(_ clients: FlexibleClient...) async throws {
            for client in clients { try await client.waitForUpload() }
            for client in clients { try await client.waitForDownload() }
        }
    }
#endif
