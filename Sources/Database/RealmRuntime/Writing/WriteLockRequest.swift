// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Foundation
import RealmStorage

/// A request for the write lock that doesn't block the instance's thread. Another thread begins the transaction.
///
/// All state is guarded by `condition`. The transaction is used by one thread at a time: the thread that began it, and
/// then the thread that calls `take`.
package final class WriteLockRequest: @unchecked Sendable {
    private let condition = NSCondition()
    private var outcome: Result<WriteTransaction, any Swift.Error>?

    package init() {}

    /// Waits for the write lock on `queue`, for at most `limit` nanoseconds, and calls `then` afterwards.
    package func begin(
        _ database: Database, on queue: DispatchQueue, within limit: Int64?, then: @escaping @Sendable () -> Void
    ) {
        queue.async { [self] in
            provide(Result { try database.beginWrite(within: limit) })
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
    package func take() throws -> WriteTransaction {
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
