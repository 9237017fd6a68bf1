// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import NIOConcurrencyHelpers
    import RealmPostgres
    import RealmStorage
    import RealmSystem

    /// The stores in PostgreSQL, which all nodes of a cluster use.
    ///
    /// A thread receives the notifications of other nodes, with a poll in case one is lost. Another one keeps the
    /// sessions that hold append locks alive, so that PostgreSQL ends only those of nodes that are stopped or cut off.
    package final class PostgresStores: SharedStores {
        static let channel = "regnum_frames"
        static let ingestChannel = "regnum_ingested"
        private static let pollInterval = Duration.seconds(1)
        private struct Store {
            /// The last frame that this node has.
            var known: UInt64 = 0
            var users = 0
        }

        private struct State {
            var stores: [UInt64: Store] = [:]
            var held: [ObjectIdentifier: HeldTransaction] = [:]
            var ingests: [ObjectIdentifier: (store: UInt64, source: WeakIngest)] = [:]
            var listener: PostgresListener?
            var use = StoresUse.unlimited
            /// The session that excludes servers.
            var exclusion: PostgresConnection?
            /// The names of the indexes that this process has tried to create.
            var indexes: Set<ByteText> = []
            /// The time of the next poll; `nil` after the listener has connected.
            var nextPoll: ContinuousClock.Instant?
            /// The time before which the database isn't tried again.
            var nextAttempt = ContinuousClock.now
            var isStopped = false
        }

        private struct WeakIngest: Sendable {
            weak var source: PostgresIngest?
        }

        private let state = NIOLockedValueBox(State())
        let settings: PostgresSettings
        /// A lock keeps its connection until the commit, so other calls have connections of their own.
        let locks: PostgresPool
        let reads: PostgresPool
        let metrics: PostgresMetrics?

        /// Creates or extends the tables.
        ///
        /// - Parameters:
        ///   - lockingTimeout: The time limit of calls with an append lock, in milliseconds. It's longer than
        ///     `lock_timeout`, and short because the engine's thread waits for commits.
        ///   - patience: The milliseconds that a call waits while all connections are used.
        /// - Throws: `PostgresError`.
        package convenience init(
            _ settings: PostgresSettings, lockingTimeout: Int = 25_000, patience: Int = 30_000
        ) throws {
            try self.init(settings, lockingTimeout: lockingTimeout, patience: patience, metrics: nil)
        }

        init(
            _ settings: PostgresSettings, lockingTimeout: Int = 25_000, patience: Int = 30_000,
            metrics: PostgresMetrics?
        ) throws {
            (self.settings, self.metrics) = (settings, metrics)
            var locking = settings
            locking.responseTimeout = lockingTimeout
            let didUse: @Sendable (Int) -> Void = { metrics?.connections.increment(by: Double($0)) }
            locks = PostgresPool(locking, capacity: 16, patience: patience, didUse: didUse)
            reads = PostgresPool(settings, patience: patience, didUse: didUse)
            try reads.use { connection in
                try PostgresSchema.prepare(connection)
                try PostgresStores.requireDurability(connection)
            }
        }

        /// Connects to a database, and leaves its tables unchanged.
        ///
        /// - Throws: `PostgresError` if a server can't use it.
        static func check(_ settings: PostgresSettings) throws {
            let connection = try PostgresConnection(settings)
            try PostgresSchema.check(connection)
            try requireDurability(connection)
        }

        private static func requireDurability(_ connection: PostgresConnection) throws {
            guard try connection.query("SHOW synchronous_commit").rows.first?.text(0) != "off" else {
                throw PostgresError(
                    .other, "synchronous_commit is off at \(connection.settings.name), so a crash would lose changes",
                    remedy: "set it to 'on' for the role of the server")
            }
        }

        /// Translates the errors of a database that can't be reached.
        @discardableResult
        static func translated<Result>(_ body: () throws -> Result) throws -> Result {
            do { return try body() } catch let error as PostgresError {
                guard error.isConnectionLost || [.timeout, .exhausted, .serialization].contains(error.kind) else {
                    throw error
                }
                throw SharedStoresUnavailable(error.description)
            }
        }

        /// Returns the indexes that no earlier call has returned.
        func newIndexes(_ indexes: [DocumentTable.Index]) -> [DocumentTable.Index] {
            state.withLockedValue { state in indexes.filter { state.indexes.insert(ByteText($0.name)).inserted } }
        }

        // MARK: Stores

        package func frames(app: String, name: String?) throws -> any SharedFrames {
            try postgresFrames(app: app, name: name)
        }

        func postgresFrames(app: String, name: String?) throws -> PostgresFrames {
            if let store = try find(app, name) { return PostgresFrames(self, store) }
            try PostgresStores.translated {
                try reads.transaction { connection in
                    try use.require(connection, settings)
                    try connection.query(
                        "INSERT INTO regnum.stores (app, name) VALUES ($1, $2) ON CONFLICT DO NOTHING",
                        [.bytes(Array(app.utf8)), .bytes(Array((name ?? "").utf8))])
                }
            }
            guard let store = try find(app, name) else { throw SharedLogError("the new store of \(app) is gone") }
            return PostgresFrames(self, store)
        }

        package func holds(app: String, name: String?) throws -> Bool { try find(app, name) != nil }

        /// Calls `body` on the engine's thread. Hence a database that can't be reached isn't tried again for some time.
        func lookUp<Result>(_ body: (PostgresConnection) throws -> Result) throws -> Result {
            let start = ContinuousClock.now
            guard start >= state.withLockedValue({ $0.nextAttempt }) else {
                throw SharedStoresUnavailable("the database \(settings.name) could not be reached")
            }
            return try PostgresStores.translated {
                do { return try reads.use(body) } catch let error as PostgresError
                    where error.isConnectionLost || error.kind == .timeout
                {
                    let now = ContinuousClock.now
                    state.withLockedValue { $0.nextAttempt = now + .seconds(1) + (now - start) * 2 }
                    throw error
                }
            }
        }

        func find(_ app: String, _ name: String?) throws -> UInt64? {
            try lookUp { connection in
                let rows = try connection.query(
                    "SELECT id FROM regnum.stores WHERE sha256(app) = sha256($1) AND sha256(name) = sha256($2)",
                    [.bytes(Array(app.utf8)), .bytes(Array((name ?? "").utf8))]
                ).rows
                return try rows.first.map { try $0.number(0) }
            }
        }

        package func apps(withStore name: String?) throws -> [String] {
            try lookUp { connection in
                let rows = try connection.query(
                    "SELECT app FROM regnum.stores WHERE name = $1 ORDER BY id", [.bytes(Array((name ?? "").utf8))]
                ).rows
                return try rows.map { String(decoding: try $0.bytes(0), as: UTF8.self) }
            }
        }

        package func isFlexible(app: String) throws -> Bool? {
            try lookUp { connection in
                let rows = try connection.query(
                    "SELECT name FROM regnum.stores WHERE sha256(app) = sha256($1) ORDER BY name LIMIT 1",
                    [.bytes(Array(app.utf8))]
                ).rows
                // The name of a flexible app is the first. A moved app has its partitions, too.
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

        func add(_ source: PostgresIngest) {
            state.withLockedValue { $0.ingests[ObjectIdentifier(source)] = (source.store, WeakIngest(source: source)) }
        }

        func remove(_ source: PostgresIngest) { state.withLockedValue { $0.ingests[ObjectIdentifier(source)] = nil } }

        private func ingests(of store: UInt64) -> [PostgresIngest] {
            state.withLockedValue { state in
                state.ingests.values.compactMap { $0.store == store ? $0.source.source : nil }
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

        /// Calls `body`, which uses the connection of a held transaction. If it's lost without a message of PostgreSQL,
        /// the other held ones are suspect: each of them would wait for its own time limit.
        func suspectingOthers<Result>(_ body: () throws -> Result) throws -> Result {
            do { return try body() } catch let error as PostgresError {
                if error.isConnectionLost, error.sqlState == nil {
                    for held in state.withLockedValue({ Array($0.held.values) }) { held.suspect() }
                }
                throw error
            }
        }

        // MARK: Following

        /// The right with which this process changes the stores.
        var use: StoresUse { state.withLockedValue { $0.use } }

        package func follow(
            _ didAppend: @escaping @Sendable (Set<UInt64>) -> Void, _ didFail: @escaping @Sendable (any Error) -> Void
        ) throws {
            guard try lookUp({ try $0.canShare(.stores) }) else {
                throw ServerFailure(
                    description: "A command uses the database \(settings.name) alone: wait until it has ended.")
            }
            _ = try PostgresStores.translated { try listener() }
            try keepLocksApart()
            try require(
                SystemThread.runApart { [weak self] in
                    while self?.followOnce(didAppend, didFail) == true {}
                    // Releases the shared lock.
                    self?.state.withLockedValue { $0.listener = nil }
                })
        }

        package var isReachable: Bool { state.withLockedValue { $0.listener != nil } }

        private func keepLocksApart() throws {
            try require(SystemThread.runApart { [weak self] in while self?.keepLocks() == true {} })
        }

        private func require(_ isRunning: Bool) throws {
            guard isRunning else { throw SharedLogError("The system gives no further thread.") }
        }

        package func excludeServers() throws {
            var settings = settings
            settings.parameters.append(("lock_timeout", "5000"))
            let connection = try PostgresConnection(settings)
            do { try connection.lockSession(.stores) } catch let error as PostgresError
                where error.sqlState == PostgresFrames.lockTimeout
            {
                throw ServerFailure(
                    description: "A server or command uses the database \(settings.name): stop all servers first.")
            }
            let use = try StoresUse(alone: connection)
            state.withLockedValue { ($0.exclusion, $0.use) = (connection, use) }
            try keepLocksApart()
        }

        package func stop() {
            let listener = state.withLockedValue { state in
                (state.isStopped, state.exclusion) = (true, nil)
                return state.listener
            }
            listener?.wake()
        }

        private var isStopped: Bool { state.withLockedValue { $0.isStopped } }

        /// Keeps the held transactions alive. Returns false if the thread has to end.
        private func keepLocks() -> Bool {
            for held in state.withLockedValue({ Array($0.held.values) }) {
                // The commit reports errors.
                try? suspectingOthers { try held.keepAlive() }
            }
            for _ in 0..<10 where !isStopped { CurrentProcess.pause(microseconds: 50_000) }
            return !isStopped
        }

        /// Returns false if the thread has to end.
        private func followOnce(_ didAppend: (Set<UInt64>) -> Void, _ didFail: (any Error) -> Void) -> Bool {
            guard !isStopped else { return false }
            do {
                let listener = try listener()
                let rest = state.withLockedValue { $0.nextPoll.map { $0 - .now } ?? .zero }
                // Frequent notifications don't prevent the poll.
                let appended = rest > .zero ? try receive(listener, for: rest) : try poll(listener)
                if !appended.isEmpty { didAppend(appended) }
            } catch let failure as ServerFailure {
                didFail(failure)
                return false
            } catch {
                state.withLockedValue { ($0.listener, $0.nextPoll) = (nil, nil) }
                metrics?.isReachable.record(0)
                for _ in 0..<20 where !isStopped { CurrentProcess.pause(microseconds: 50_000) }
            }
            return !isStopped
        }

        private func listener() throws -> PostgresListener {
            if let listener = state.withLockedValue({ $0.listener }) { return listener }
            let listener = try PostgresListener(
                settings, channels: [PostgresStores.channel, PostgresStores.ingestChannel])
            guard try listener.share(.stores) else { throw StoresUse.excluded(settings) }
            let use = try use.renewed(listener, settings)
            state.withLockedValue { ($0.listener, $0.use) = (listener, use) }
            metrics?.isReachable.record(1)
            return listener
        }

        /// Returns the open stores of the notifications that arrive.
        private func receive(_ listener: PostgresListener, for duration: Duration) throws -> Set<UInt64> {
            let notifications = try listener.next(milliseconds: Int(duration / .milliseconds(1)) + 1)
            var appended: Set<UInt64> = []
            for notification in notifications {
                let numbers = notification.payload.split(separator: " ").compactMap { UInt64($0) }
                guard numbers.count == 2 else { continue }
                if notification.channel == PostgresStores.ingestChannel {
                    for source in ingests(of: numbers[0]) { source.publish(numbers[1]) }
                } else if isBehind(numbers[0], numbers[1]) {
                    appended.insert(numbers[0])
                }
            }
            return appended
        }

        private func isBehind(_ store: UInt64, _ number: UInt64) -> Bool {
            state.withLockedValue { state in state.stores[store].map { $0.known < number } ?? false }
        }

        /// Returns the open stores with frames that this node lacks.
        private func poll(_ listener: PostgresListener) throws -> Set<UInt64> {
            let (open, isFirst) = state.withLockedValue { state in
                defer { state.nextPoll = .now + PostgresStores.pollInterval }
                return (Set(state.stores.keys).union(state.ingests.values.map(\.store)), state.nextPoll == nil)
            }
            if open.isEmpty { return [] }
            let rows = try listener.query(
                """
                SELECT stores.id, stores.last_frame, \(PostgresIngest.boundsColumns) \
                FROM \(PostgresIngest.boundsTables) WHERE stores.id = ANY($1)
                """, [.integers(try open.map { try Int64(of: $0) })]
            ).rows
            return Set(
                try rows.compactMap { row in
                    let (store, last) = (try row.number(0), try row.number(1))
                    // A database that was replaced by an older copy has ended the earlier connection.
                    for source in ingests(of: store) { source.update(try IngestBounds(row, 2), isCurrent: isFirst) }
                    return isBehind(store, last) ? store : nil
                })
        }
    }
#endif
