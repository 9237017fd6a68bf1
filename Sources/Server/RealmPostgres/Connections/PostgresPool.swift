// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import RealmSystem

/// A limited number of connections to one database, opened when they are needed. Threads that mustn't block, such as
/// event loops or threads of tasks, mustn't use it.
///
/// A connection that is lost or has an unfinished transaction is closed, and replaced by the next caller. With a lost
/// one the idle ones are closed too, because a cut network takes a time limit to notice for each of them.
package final class PostgresPool: @unchecked Sendable {
    package let settings: PostgresSettings
    package let capacity: Int
    private let didUse: @Sendable (Int) -> Void
    private let places: DispatchSemaphore
    private let patience: DispatchTimeInterval
    private let lock = Lock()
    // Guarded by `lock`, like the property below. The last one was used last.
    private var idle: [PostgresConnection] = []
    private var isClosed = false

    /// - Parameters:
    ///   - patience: The milliseconds that a caller waits while all connections are used.
    ///   - didUse: Called with the change of the number of connections in use, on any thread.
    package init(
        _ settings: PostgresSettings, capacity: Int = 8, patience: Int = 30_000,
        didUse: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        (self.settings, self.capacity, self.didUse) = (settings, capacity, didUse)
        self.patience = .milliseconds(patience)
        places = DispatchSemaphore(value: 0)
        // A semaphore must not be deallocated with a value below its initial one.
        for _ in 0..<capacity { places.signal() }
    }

    /// Calls `body` with a connection. A transaction that `body` hasn't committed is rolled back.
    @discardableResult
    package func use<Result>(_ body: (PostgresConnection) throws -> Result) throws -> Result {
        let connection = try take()
        defer { giveBack(connection) }
        return try body(connection)
    }

    /// Calls `body` in a transaction, which is rolled back if it throws.
    @discardableResult
    package func transaction<Result>(
        _ isolation: PostgresConnection.Isolation = .readCommitted, _ body: (PostgresConnection) throws -> Result
    ) throws -> Result {
        try use { connection in try connection.transaction(isolation) { try body(connection) } }
    }

    /// Begins a transaction that outlasts the call.
    package func begin(_ isolation: PostgresConnection.Isolation = .readCommitted) throws -> PostgresTransaction {
        let connection = try take()
        do { try connection.begin(isolation) } catch {
            giveBack(connection)
            throw error
        }
        return PostgresTransaction(connection, of: self)
    }

    /// Closes the connections that aren't used; the others are closed when they are given back. New callers get an
    /// error.
    package func close() {
        lock.locked { isClosed = true }
        closeIdle()
    }

    private func closeIdle() {
        let closed = lock.locked {
            defer { idle = [] }
            return idle
        }
        for connection in closed { connection.close() }
    }

    private func take() throws -> PostgresConnection {
        guard places.wait(timeout: .now() + patience) == .success else {
            throw PostgresError(
                .exhausted, "all \(capacity) connections to PostgreSQL at \(settings.name) are used",
                remedy: "try again")
        }
        do {
            let connection = try openConnection()
            didUse(1)
            return connection
        } catch {
            places.signal()
            throw error
        }
    }

    private func openConnection() throws -> PostgresConnection {
        while let connection = try idleConnection() {
            if connection.isAlive() { return connection }
            connection.close()
        }
        return try PostgresConnection(settings)
    }

    private func idleConnection() throws -> PostgresConnection? {
        try lock.locked {
            guard !isClosed else {
                throw PostgresError(.unavailable, "the connections to PostgreSQL at \(settings.name) are closed")
            }
            return idle.popLast()
        }
    }

    fileprivate func giveBack(_ connection: PostgresConnection) {
        if connection.isInTransaction { connection.rollback() }
        let isKept =
            connection.isIdle
            && lock.locked {
                guard !isClosed else { return false }
                idle.append(connection)
                return true
            }
        if !isKept { connection.close() }
        if connection.isLost { closeIdle() }
        didUse(-1)
        places.signal()
    }
}

/// A transaction that isn't bound to a closure. Its threads use it one at a time.
///
/// If it is deallocated, it is rolled back. `connection` is confined like `PostgresConnection`, hence the unchecked
/// `Sendable`.
package final class PostgresTransaction: @unchecked Sendable {
    private let pool: PostgresPool
    // Only used by one thread at a time.
    private var open: PostgresConnection?

    fileprivate init(_ connection: PostgresConnection, of pool: PostgresPool) { (open, self.pool) = (connection, pool) }

    /// Doesn't wait for PostgreSQL's response to a rollback.
    deinit { close() }

    /// Closes the connection without a message, or does nothing if the transaction has ended.
    package func close() {
        open?.close()
        end()
    }

    /// - Throws: `PostgresError` if the transaction has ended.
    package var connection: PostgresConnection {
        get throws {
            guard let open else { throw PostgresError(.other, "the transaction has ended") }
            return open
        }
    }

    /// Commits the transaction, which has ended afterwards even if this function throws.
    ///
    /// - Throws: As `PostgresConnection.commit`.
    package func commit() throws {
        let connection = try connection
        defer { end() }
        try connection.commit()
    }

    /// Rolls the transaction back, or does nothing if it has ended.
    package func rollback() { end() }

    private func end() {
        guard let connection = open else { return }
        open = nil
        pool.giveBack(connection)
    }
}
