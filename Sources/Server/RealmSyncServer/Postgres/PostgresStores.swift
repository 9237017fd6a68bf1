// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import NIOConcurrencyHelpers
    import RealmPostgres
    import RealmSystem

    /// The stores in PostgreSQL, which all nodes of a cluster use.
    ///
    /// A thread receives the notifications of other nodes, with a poll in case one is lost. It also keeps the sessions
    /// that hold append locks alive, so that PostgreSQL ends only those of nodes that are stopped or cut off.
    package final class PostgresStores: SharedStores {
        static let channel = "regnum_frames"
        private static let pollMilliseconds = 1000
        /// The time limit of calls with an append lock. It's longer than `lock_timeout`, and short because the
        /// engine's thread waits for commits.
        private static let lockingTimeout = 25_000

        private struct Store {
            /// The last frame that this node has.
            var known: UInt64 = 0
            var users = 0
        }

        private struct State {
            var stores: [UInt64: Store] = [:]
            var held: [ObjectIdentifier: HeldTransaction] = [:]
            var listener: PostgresListener?
            /// The names of the indexes that this process has tried to create.
            var indexes: Set<String> = []
            /// The time before which the database isn't tried again, in nanoseconds.
            var nextAttempt: Int64 = 0
            var isStopped = false
        }

        private let state = NIOLockedValueBox(State())
        private let settings: PostgresSettings
        /// A lock keeps its connection until the commit, so other calls have connections of their own.
        let locks: PostgresPool
        let reads: PostgresPool

        /// Creates or extends the tables.
        ///
        /// - Throws: `PostgresError`.
        package init(_ settings: PostgresSettings) throws {
            self.settings = settings
            var locking = settings
            locking.responseTimeout = PostgresStores.lockingTimeout
            locks = PostgresPool(locking, capacity: 16)
            reads = PostgresPool(settings)
            try reads.use { connection in
                try PostgresSchema.prepare(connection)
                guard try connection.query("SHOW synchronous_commit").rows.first?.text(0) != "off" else {
                    throw PostgresError(
                        .other, "synchronous_commit is off at \(settings.name), so a crash would lose changes",
                        remedy: "set it to 'on' for the role of the server")
                }
            }
        }

        /// Translates the errors of a database that can't be reached.
        @discardableResult
        static func translated<Result>(_ body: () throws -> Result) throws -> Result {
            do { return try body() } catch let error as PostgresError {
                guard error.isConnectionLost || error.kind == .timeout || error.kind == .serialization else {
                    throw error
                }
                throw SharedStoresUnavailable(error.description)
            }
        }

        /// Returns the indexes that no earlier call has returned.
        func newIndexes(_ indexes: [DocumentTable.Index]) -> [DocumentTable.Index] {
            state.withLockedValue { state in indexes.filter { state.indexes.insert($0.name).inserted } }
        }

        // MARK: Stores

        package func frames(app: String, name: String?) throws -> any SharedFrames {
            if let store = try find(app, name) { return PostgresFrames(self, store) }
            try PostgresStores.translated {
                try reads.use {
                    try $0.query(
                        "INSERT INTO regnum.stores (app, name) VALUES ($1, $2) ON CONFLICT DO NOTHING",
                        [.bytes(Array(app.utf8)), .bytes(Array((name ?? "").utf8))])
                }
            }
            guard let store = try find(app, name) else { throw SharedLogError("the new store of \(app) is gone") }
            return PostgresFrames(self, store)
        }

        package func holds(app: String, name: String?) throws -> Bool { try find(app, name) != nil }

        /// Calls `body` on the engine's thread. Hence a database that can't be reached isn't tried again for some time.
        private func lookUp<Result>(_ body: (PostgresConnection) throws -> Result) throws -> Result {
            let start = CurrentProcess.time
            guard start >= state.withLockedValue({ $0.nextAttempt }) else {
                throw SharedStoresUnavailable("the database \(settings.name) could not be reached")
            }
            do { return try PostgresStores.translated { try reads.use(body) } } catch let error
                as SharedStoresUnavailable
            {
                let now = CurrentProcess.time
                state.withLockedValue { $0.nextAttempt = now + 1_000_000_000 + 2 * (now - start) }
                throw error
            }
        }

        private func find(_ app: String, _ name: String?) throws -> UInt64? {
            try lookUp { connection in
                let rows = try connection.query(
                    "SELECT id FROM regnum.stores WHERE sha256(app) = sha256($1) AND sha256(name) = sha256($2)",
                    [.bytes(Array(app.utf8)), .bytes(Array((name ?? "").utf8))]
                ).rows
                return try rows.first.map { UInt64(try $0.integer(0)) }
            }
        }

        /// Returns all stores. The name of a flexible app is `nil`.
        package func places() throws -> [(app: String, name: String?)] {
            try lookUp { connection in
                try connection.query("SELECT app, name FROM regnum.stores ORDER BY id").rows.map { row in
                    let (app, name) = (try row.bytes(0), try row.bytes(1))
                    return (
                        String(decoding: app, as: UTF8.self),
                        name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
                    )
                }
            }
        }

        package func isFlexible(app: String) throws -> Bool? {
            try lookUp { connection in
                let rows = try connection.query(
                    "SELECT name FROM regnum.stores WHERE sha256(app) = sha256($1) LIMIT 1",
                    [.bytes(Array(app.utf8))]
                ).rows
                return try rows.first.map { try $0.bytes(0).isEmpty }
            }
        }

        // MARK: Users of stores

        func open(_ store: UInt64) { state.withLockedValue { $0.stores[store, default: Store()].users += 1 } }

        func close(_ store: UInt64) {
            state.withLockedValue { state in
                state.stores[store]?.users -= 1
                if state.stores[store]?.users == 0 { state.stores[store] = nil }
            }
        }

        func note(_ store: UInt64, through number: UInt64) {
            state.withLockedValue { state in
                if let known = state.stores[store]?.known { state.stores[store]?.known = max(known, number) }
            }
        }

        func hold(_ transaction: HeldTransaction) {
            state.withLockedValue { $0.held[ObjectIdentifier(transaction)] = transaction }
        }

        func release(_ transaction: HeldTransaction) {
            state.withLockedValue { $0.held[ObjectIdentifier(transaction)] = nil }
        }

        // MARK: Following

        package func follow(_ didAppend: @escaping @Sendable (Set<UInt64>) -> Void) throws {
            let isRunning = SystemThread.runApart { [weak self] in
                while self?.followOnce(didAppend) == true {}
            }
            guard isRunning else { throw SharedLogError("The system gives no further thread.") }
        }

        package func stop() {
            let listener = state.withLockedValue { state in
                state.isStopped = true
                return state.listener
            }
            listener?.wake()
        }

        private var isStopped: Bool { state.withLockedValue { $0.isStopped } }

        /// Returns false if the thread has to end.
        private func followOnce(_ didAppend: (Set<UInt64>) -> Void) -> Bool {
            guard !isStopped else { return false }
            for transaction in state.withLockedValue({ Array($0.held.values) }) { transaction.keepAlive() }
            do {
                let listener = try listener()
                var appended: Set<UInt64> = []
                let notifications = try listener.next(milliseconds: PostgresStores.pollMilliseconds)
                for notification in notifications {
                    let numbers = notification.payload.split(separator: " ").compactMap { UInt64($0) }
                    guard numbers.count == 2, isBehind(numbers[0], numbers[1]) else { continue }
                    appended.insert(numbers[0])
                }
                if notifications.isEmpty { appended = try poll() }
                if !appended.isEmpty { didAppend(appended) }
            } catch {
                state.withLockedValue { $0.listener = nil }
                for _ in 0..<20 where !isStopped { CurrentProcess.pause(microseconds: 50_000) }
            }
            return !isStopped
        }

        private func listener() throws -> PostgresListener {
            if let listener = state.withLockedValue({ $0.listener }) { return listener }
            let listener = try PostgresListener(settings, channels: [PostgresStores.channel])
            state.withLockedValue { $0.listener = listener }
            return listener
        }

        private func isBehind(_ store: UInt64, _ number: UInt64) -> Bool {
            state.withLockedValue { state in state.stores[store].map { $0.known < number } ?? false }
        }

        /// Returns the open stores with frames that this node lacks.
        private func poll() throws -> Set<UInt64> {
            let open = state.withLockedValue { Array($0.stores.keys) }
            if open.isEmpty { return [] }
            let list = "{" + open.map(String.init).joined(separator: ",") + "}"
            let rows = try reads.use {
                try $0.query(
                    "SELECT id, last_frame FROM regnum.stores WHERE id = ANY($1::text::int8[])", [.text(list)]
                ).rows
            }
            return Set(
                try rows.compactMap {
                    let (store, last) = (UInt64(try $0.integer(0)), UInt64(try $0.integer(1)))
                    return isBehind(store, last) ? store : nil
                })
        }
    }

    /// A transaction that holds an append lock.
    final class HeldTransaction: Sendable {
        /// The time of the last statement, in nanoseconds.
        private let state: NIOLockedValueBox<(transaction: PostgresTransaction?, lastUse: Int64)>

        private static let longestSilence: Int64 = 2_000_000_000

        init(_ transaction: PostgresTransaction) {
            state = NIOLockedValueBox((transaction, CurrentProcess.time))
        }

        /// Ends the transaction with `body`, which commits it, or rolls it back.
        func end<Result>(_ body: (PostgresTransaction) throws -> Result) throws -> Result {
            try state.withLockedValue { state in
                guard let transaction = state.transaction else { throw SharedLogError("the append lock is lost") }
                state.transaction = nil
                defer { transaction.rollback() }
                return try body(transaction)
            }
        }

        /// Sends a statement after a silence, because PostgreSQL ends idle transactions. The commit reports errors.
        func keepAlive() {
            state.withLockedValue { state in
                guard CurrentProcess.time - state.lastUse > HeldTransaction.longestSilence else { return }
                _ = try? state.transaction?.connection.query("SELECT 1")
                state.lastUse = CurrentProcess.time
            }
        }
    }
#endif
