// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSystem

    package enum TimeLimit {
        package struct Exceeded: Error {}

        /// Waits for `body` for at most `limit`. Then `body` is cancelled, and its result is ignored even if it doesn't
        /// react to cancellation.
        ///
        /// - Throws: Any error of `body`, `Exceeded`, or `CancellationError`.
        package static func run<Success: Sendable>(
            _ limit: Duration, _ body: @escaping @Sendable () async throws -> Success
        ) async throws -> Success {
            let race = Race<Success>()
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { race.begin($0, limit, body) }
            } onCancel: {
                race.end(.failure(CancellationError()))
            }
        }
    }

    /// Resumes a continuation with the first result. Guarded by its lock.
    private final class Race<Success: Sendable>: @unchecked Sendable {
        private let lock = Lock()
        private var continuation: CheckedContinuation<Success, any Error>?
        private var tasks: [Task<Void, Never>] = []
        private var isOver = false

        func begin(
            _ continuation: CheckedContinuation<Success, any Error>, _ limit: Duration,
            _ body: @escaping @Sendable () async throws -> Success
        ) {
            let isCancelled = lock.locked {
                if !isOver { self.continuation = continuation }
                return isOver
            }
            if isCancelled { return continuation.resume(throwing: CancellationError()) }
            let work = Task {
                do { end(.success(try await body())) } catch { end(.failure(error)) }
            }
            let timer = Task {
                do { try await Task.sleep(for: limit) } catch { return }
                end(.failure(TimeLimit.Exceeded()))
            }
            let hasEnded = lock.locked {
                if !isOver { tasks = [work, timer] }
                return isOver
            }
            if hasEnded { for task in [work, timer] { task.cancel() } }
        }

        func end(_ result: Result<Success, any Error>) {
            let (continuation, tasks) = lock.locked {
                isOver = true
                defer { (self.continuation, self.tasks) = (nil, []) }
                return (self.continuation, self.tasks)
            }
            continuation?.resume(with: result)
            for task in tasks { task.cancel() }
        }
    }
#endif
