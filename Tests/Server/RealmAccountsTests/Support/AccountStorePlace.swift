// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmAccounts
    import RealmTestSupport
    import ServerTestSupport

    /// The kinds of account stores.
    enum AccountStoreKind: CaseIterable, Sendable {
        case file
        #if PostgreSQL
            case postgres
        #endif

        /// Reports a skipped test if one isn't available.
        static var available: [AccountStoreKind] {
            #if PostgreSQL
                PostgresCluster.isAvailableOrReported() ? allCases : [.file]
            #else
                allCases
            #endif
        }
    }

    /// The folder or database of account stores, which exists while one of them is used.
    struct AccountStorePlace {
        private let make: () throws -> any AccountStore
        /// The folder or the database.
        private let content: any Sendable

        init(_ kind: AccountStoreKind) throws {
            switch kind {
            case .file:
                let folder = try TemporaryFolder()
                content = folder
                make = { try DatabaseAccountStore(at: folder.path + "/a.realm") }
            #if PostgreSQL
                case .postgres:
                    let database = try PostgresCluster.shared().makePreparedDatabase()
                    content = database
                    make = { try PostgresAccountStore(try database.settings()) }
            #endif
            }
        }

        func open() throws -> any AccountStore { OpenStore(store: try make(), content: content) }
    }

    private struct OpenStore: AccountStore {
        let store: any AccountStore
        let content: any Sendable

        func read<Result: Sendable>(
            _ body: @escaping @Sendable (any AccountReader) throws -> Result
        ) async throws -> Result { try await store.read(body) }

        func write<Result: Sendable>(
            _ body: @escaping @Sendable (any AccountWriter) throws -> Result
        ) async throws -> Result { try await store.write(body) }
    }
#endif
