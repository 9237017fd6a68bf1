// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

/// Runs work once for all callers that request it while it is running.
final class OngoingWork<Value: Sendable>: Sendable {
    private let running = Locked<Task<Value, any Error>?>(nil)

    /// Returns the result of the running work, or starts `work` if none is running.
    func value(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let task = running.withLock { running in
            if let running { return running }
            let task = Task {
                // Waits for the end of this assignment, because the lock is held until then.
                defer { self.running.withLock { $0 = nil } }
                return try await work()
            }
            running = task
            return task
        }
        return try await task.value
    }
}
