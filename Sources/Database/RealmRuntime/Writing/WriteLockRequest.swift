// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Foundation
import RealmStorage

/// A request for the write lock, for which an instance waits without blocking: a transaction that is begun on another
/// thread.
///
/// All state is guarded by `condition`. The transaction belongs to one thread at a time: to the thread that began it,
/// and then to the thread that takes it from here.
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

    /// Returns the transaction, after waiting for it if necessary. Called once only.
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
