// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import Foundation
    import Logging
    import RealmPostgres
    import RealmSyncCore
    import RealmSystem

    /// A store of accounts in PostgreSQL, which several servers share.
    ///
    /// Each write holds a lock of the whole store, so that writers of all servers take turns.
    package final class PostgresAccountStore: AccountStore {
        private let pool: PostgresPool
        /// The calls of the library block, so they must not run on threads of Swift's tasks.
        private let queue = OperationQueue()
        private let node = RandomText.identity(at: CurrentProcess.time / 1_000_000_000)
        private let events: PostgresAccountEvents?

        /// Creates the tables if they don't exist.
        ///
        /// - Parameter observers: Receive the changes by other servers of the database.
        /// - Throws: `PostgresError` if the database can't be used.
        package init(
            _ settings: PostgresSettings, connections: Int = 6, observers: EventObservers<AccountChange>? = nil,
            log: Logger = Logger(label: "accounts")
        ) throws {
            pool = PostgresPool(settings, capacity: connections)
            queue.maxConcurrentOperationCount = connections
            try pool.use { try PostgresSchema.prepare($0) }
            events = try observers.map { [node] in try PostgresAccountEvents(settings, node: node, $0, log: log) }
        }

        deinit { events?.stop() }

        /// Opens a store without blocking the thread of the task.
        static func open(
            _ settings: PostgresSettings, observers: EventObservers<AccountChange>, log: Logger
        ) async throws -> PostgresAccountStore {
            try await withCheckedThrowingContinuation { continuation in
                DispatchQueue.global().async {
                    continuation.resume(
                        with: Swift.Result { try PostgresAccountStore(settings, observers: observers, log: log) })
                }
            }
        }

        package func read<Result: Sendable>(
            _ body: @escaping @Sendable (any AccountReader) throws -> Result
        ) async throws -> Result {
            try await run { pool in
                try pool.transaction(.snapshot) { try body(PostgresAccounts(connection: $0, node: "")) }
            }
        }

        package func write<Result: Sendable>(
            _ body: @escaping @Sendable (any AccountWriter) throws -> Result
        ) async throws -> Result {
            try await run { [node] pool in
                try pool.transaction { connection in
                    try connection.lock(.accounts)
                    return try body(PostgresAccounts(connection: connection, node: node))
                }
            }
        }

        /// Returns the key with which all servers sign tokens. Creates it if it doesn't exist.
        package func signingKey() async throws -> SigningKey {
            let (name, made) = (PostgresValue.text("accounts.key"), RandomText.bytes(SigningKey.byteCount))
            return try await run { pool in
                try pool.transaction { connection in
                    try connection.query(
                        "INSERT INTO regnum.secrets (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING",
                        [name, .bytes(made)])
                    let rows = try connection.query("SELECT value FROM regnum.secrets WHERE name = $1", [name]).rows
                    guard let bytes = try rows.first?.bytes(0), bytes.count == SigningKey.byteCount else {
                        throw ConfigurationError("'accounts.key' in regnum.secrets isn't a key of 32 bytes")
                    }
                    return SigningKey(bytes: bytes)
                }
            }
        }

        /// Replaces the key. Running servers continue with the former one.
        func setSigningKey(_ key: SigningKey) async throws {
            _ = try await run { pool in
                try pool.transaction {
                    try $0.query(
                        """
                        INSERT INTO regnum.secrets (name, value) VALUES ('accounts.key', $1)
                        ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value
                        """, [.bytes(key.bytes)])
                }
            }
        }

        private func run<Result: Sendable>(
            _ work: @escaping @Sendable (PostgresPool) throws -> Result
        ) async throws -> Result {
            try await withCheckedThrowingContinuation { continuation in
                queue.addOperation { [pool] in
                    continuation.resume(with: Swift.Result { try work(pool) })
                }
            }
        }
    }

    private struct PostgresAccounts: AccountWriter {
        let connection: PostgresConnection
        let node: String

        func account(_ id: AccountID) throws -> Account? {
            guard id.canBeStored else { return nil }
            let rows = try connection.query(
                "SELECT app, user_id, document FROM regnum.accounts WHERE app = $1 AND user_id = $2",
                [.text(id.app), .text(id.user)]
            ).rows
            return try rows.first.map(PostgresAccounts.account)
        }

        func account(named name: LoginName) throws -> Account? {
            let names = "SELECT account FROM regnum.login_names WHERE sha256(name) = sha256($1) AND name = $1"
            let found = try connection.query(names, [name.value]).rows.first
            return try found.flatMap { try account(at: $0.integer(0)) }
        }

        func accounts(of app: String) throws -> [AccountID] {
            guard !app.utf8.contains(0) else { return [] }
            let rows = try connection.query("SELECT user_id FROM regnum.accounts WHERE app = $1", [.text(app)]).rows
            return try rows.map { AccountID(app: app, user: try $0.text(0)) }
        }

        func positions(of app: String?, after position: Int64?, limit: Int) throws -> ArraySlice<Int64> {
            guard app?.utf8.contains(0) != true else { return [] }
            let condition = app == nil ? "" : "AND app = $3"
            let rows = try connection.query(
                """
                SELECT position FROM regnum.accounts WHERE position > $1 \(condition) ORDER BY position LIMIT $2
                """,
                [.integer(position ?? .min), .integer(Int64(limit))] + (app.map { [.text($0)] } ?? [])
            ).rows
            return try rows.map { try $0.integer(0) }[...]
        }

        func account(at position: Int64) throws -> Account? {
            let columns = "SELECT app, user_id, document FROM regnum.accounts WHERE position = $1"
            return try connection.query(columns, [.integer(position)]).rows.first.map(PostgresAccounts.account)
        }

        private static func account(_ row: PostgresRow) throws -> Account {
            let id = AccountID(app: try row.text(0), user: try row.text(1))
            guard let document = try? JSON(parsing: try row.text(2)), let account = Account(id: id, document) else {
                throw PostgresError(
                    .schema, "the document of the account '\(id.app)/\(id.user)' is malformed",
                    remedy: "restore it from a backup")
            }
            return account
        }

        // MARK: Changes

        func put(_ account: Account) throws {
            let old = try self.account(account.id)
            let (before, after) = (old?.names ?? [], account.names)
            let position = try connection.query(
                """
                INSERT INTO regnum.accounts (app, user_id, document) VALUES ($1, $2, $3)
                ON CONFLICT (app, user_id) DO UPDATE SET document = EXCLUDED.document RETURNING position
                """, [.text(account.id.app), .text(account.id.user), .text(account.document.description)]
            ).rows[0][0]
            for name in before.subtracting(after) {
                try connection.query(
                    "DELETE FROM regnum.login_names WHERE sha256(name) = sha256($1) AND account = $2",
                    [name.value, position])
            }
            for name in after.subtracting(before) {
                let added = try connection.query(
                    "INSERT INTO regnum.login_names (name, account) VALUES ($1, $2) ON CONFLICT DO NOTHING",
                    [name.value, position])
                guard added.affected == 1 else { throw NameTaken() }
            }
            try add(AccountEvent.events(from: old, to: account), of: account.id)
        }

        private func add(_ events: [AccountEvent], of id: AccountID) throws {
            try PostgresAccountEvents.add(events, of: id, node: node, connection)
        }

        func remove(_ id: AccountID) throws {
            guard let old = try account(id) else { return }
            try add(AccountEvent.events(from: old, to: nil), of: id)
            try connection.query(
                "DELETE FROM regnum.accounts WHERE app = $1 AND user_id = $2", [.text(id.app), .text(id.user)])
        }
    }

    extension AccountID {
        /// Whether PostgreSQL can store the texts, which must not contain the character U+0000.
        fileprivate var canBeStored: Bool { !app.utf8.contains(0) && !user.utf8.contains(0) }
    }

    extension LoginName {
        fileprivate var value: PostgresValue { .bytes(Array(text.utf8)) }
    }
#endif
