// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

final class OngoingWork<Value: Sendable>: Sendable {
    private let running = Locked<Task<Value, any Error>?>(nil)

    func value(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let task = running.withLock { running in
            if let running { return running }
            let task = Task {
                // The task waits for the end of this assignment, because the lock is held until then.
                defer { self.running.withLock { $0 = nil } }
                return try await work()
            }
            running = task
            return task
        }
        return try await task.value
    }
}
