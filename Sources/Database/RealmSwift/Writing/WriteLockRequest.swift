// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage

/// A request for the write lock that doesn't block the instance's thread. Another thread begins the transaction.
///
/// All state is guarded by `condition`. The transaction is used by one thread at a time: the thread that began it, and
/// then the thread that calls `take`.
final class WriteLockRequest: @unchecked Sendable {
    private let condition = NSCondition()
    private var outcome: Result<WriteTransaction, any Swift.Error>?

    /// Waits for the write lock on the coordinator's queue `turns`, for at most `limit` nanoseconds, and then calls
    /// `then`.
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

    /// Waits for the transaction if necessary. Must be called only once.
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
