// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    @testable import RealmAccounts
    import RealmPostgres
    import RealmTestSupport
    import ServerTestSupport
    import TestTraits
    import Testing

    @Suite(.timeLimited, .enabled(if: PostgresCluster.isAvailable, "\(PostgresCluster.absence)"))
    struct PostgresAccountStoreTests {
        private let database: PostgresDatabase
        private let store: PostgresAccountStore

        init() throws {
            database = try PostgresCluster.shared().makeDatabase()
            store = try PostgresAccountStore(try database.settings())
        }

        @Test func allStoresHaveTheSameSigningKey() async throws {
            let stores = try (0..<4).map { _ in try PostgresAccountStore(try database.settings()) }
            let keys = try await withThrowingTaskGroup(of: [UInt8].self) { group in
                for store in stores { group.addTask { try await store.signingKey().bytes } }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(keys.count == 1)
            #expect(keys.first?.count == 32)
        }

        @Test func accountsAndTheKeyAreCopiedToPostgreSQLAndBack() async throws {
            let (first, second) = (try TemporaryFolder(), try TemporaryFolder())
            let key = try SigningKey(at: first.path + "/accounts.key").bytes
            let ids = (0..<1200).map { AccountID(app: $0 % 3 == 0 ? "a" : "b", user: "\($0)") }
            let all = ids.map { id in
                var account = Account(id: id, created: 5)
                account.keys = [.init(id: "k", name: "n", digest: id.user)]
                return account
            }
            let file = try DatabaseAccountStore(at: first.path + "/accounts.realm")
            try await file.write { for account in all { try $0.put(account) } }
            let there = PostgresAccountMove(folder: first.path, try database.settings())
            for _ in 0..<2 { #expect(try await there.toPostgres() == all.count) }
            #expect(try await store.signingKey().bytes == key)
            let back = PostgresAccountMove(folder: second.path, try database.settings())
            for _ in 0..<2 { #expect(try await back.toFolder() == all.count) }
            #expect(try SigningKey(at: second.path + "/accounts.key").bytes == key)
            for copy: any AccountStore in [store, try DatabaseAccountStore(at: second.path + "/accounts.realm")] {
                let found = try await copy.read { reader in
                    try all.allSatisfy {
                        try reader.account($0.id) == $0 && reader.account(named: $0.names.first!)?.id == $0.id
                    }
                }
                #expect(found)
            }
            try await store.write { try $0.put(Account(id: AccountID(app: "a", user: "other"), created: 5)) }
            await #expect(throws: ConfigurationError.self) { try await there.toPostgres() }
        }

        @Test func aMalformedDocumentIsAnError() async throws {
            try await store.write { try $0.put(Account(id: AccountID(app: "a", user: "u"), created: 5)) }
            try PostgresConnection(try database.settings()).execute("UPDATE regnum.accounts SET document = '[]'")
            await #expect(throws: PostgresError.self) {
                try await store.read { try $0.account(AccountID(app: "a", user: "u")) }
            }
        }

        @Test func aLostConnectionIsReplaced() async throws {
            let other = try PostgresConnection(try database.settings())
            for number in 0..<5 {
                try await store.write { try $0.put(Account(id: AccountID(app: "a", user: "\(number)"), created: 5)) }
                try other.execute(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE datname = '\(database.name)' AND pid <> pg_backend_pid()
                    """)
                let count = "SELECT count(*) FROM pg_stat_activity WHERE datname = '\(database.name)'"
                while try other.query(count).rows[0].integer(0) > 1 {}
            }
            #expect(try await store.read { try $0.accounts(of: "a") }.count == 5)
        }
    }
#endif
