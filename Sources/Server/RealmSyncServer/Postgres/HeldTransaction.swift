// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import NIOConcurrencyHelpers
    import RealmPostgres

    /// A transaction that holds an append lock.
    final class HeldTransaction: Sendable {
        private struct State {
            var transaction: PostgresTransaction?
            /// The time of the last statement.
            var lastUse = ContinuousClock.now
        }

        private let state: NIOLockedValueBox<State>
        // Apart from `state`, which is locked during a statement.
        private let suspicion = NIOLockedValueBox(false)

        private static let longestSilence = Duration.seconds(2)

        init(_ transaction: PostgresTransaction) {
            state = NIOLockedValueBox(State(transaction: transaction))
        }

        /// Marks a connection with which PostgreSQL probably can't be reached. Nothing is sent with it any more.
        func suspect() { suspicion.withLockedValue { $0 = true } }

        private var isSuspect: Bool { suspicion.withLockedValue { $0 } }

        /// Ends the transaction with `body`, which commits it, or rolls it back.
        func end<Result>(_ body: (PostgresTransaction) throws -> Result) throws -> Result {
            try state.withLockedValue { state in
                guard let transaction = state.transaction else { throw SharedLogError("the append lock is lost") }
                state.transaction = nil
                guard !isSuspect else {
                    let name = try transaction.connection.settings.name
                    transaction.close()
                    throw SharedStoresUnavailable("another connection to the database \(name) was lost")
                }
                defer { transaction.rollback() }
                return try body(transaction)
            }
        }

        /// Calls `body` with the connection of the transaction, which continues.
        func use(_ body: (PostgresConnection) throws -> Void) throws {
            try state.withLockedValue { state in
                guard let transaction = state.transaction else { throw SharedLogError("the append lock is lost") }
                try body(try transaction.connection)
                state.lastUse = .now
            }
        }

        /// Sends a statement after a silence, because PostgreSQL ends idle transactions.
        func keepAlive() throws {
            try state.withLockedValue { state in
                guard !isSuspect, ContinuousClock.now - state.lastUse > HeldTransaction.longestSilence else { return }
                defer { state.lastUse = .now }
                _ = try state.transaction?.connection.query("SELECT 1")
            }
        }
    }
#endif
