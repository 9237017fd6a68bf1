// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage

/// A request for the write lock, for which an instance waits without blocking: a transaction that is begun on another
/// thread.
///
/// All state is guarded by `condition`. The transaction belongs to one thread at a time: to the thread that began it,
/// and then to the thread that takes it from here.
final class WriteLockRequest: @unchecked Sendable {
    private let condition = NSCondition()
    private var outcome: Result<WriteTransaction, any Swift.Error>?

    /// Waits for the write lock on the queue for that, for at most `limit` nanoseconds, and calls `then` afterwards.
    func begin(_ coordinator: RealmCoordinator, within limit: Int64?, then: @escaping @Sendable () -> Void) {
        coordinator.turns.async { [self] in
            provide(Result { try coordinator.database.beginWrite(within: limit) })
            then()
        }
    }

    private func provide(_ outcome: Result<WriteTransaction, any Swift.Error>) {
        condition.lock()
        self.outcome = outcome
        condition.signal()
        condition.unlock()
    }

    /// Returns the transaction, after waiting for it if necessary. Called once only.
    func take() throws -> WriteTransaction {
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let outcome {
                self.outcome = nil
                return try outcome.get()
            }
            condition.wait()
        }
    }
}
