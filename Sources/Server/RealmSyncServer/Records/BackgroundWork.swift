// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import NIOConcurrencyHelpers
    import RealmSystem

    /// Runs long jobs in order on dedicated threads, of which a limited number runs concurrently.
    final class BackgroundWork: Sendable {
        private struct State {
            var waiting: [@Sendable () -> Void] = []
            var threadCount = 0
        }

        private let state = NIOLockedValueBox(State())
        private let maximumThreadCount: Int

        init(maximumThreadCount: Int) { self.maximumThreadCount = maximumThreadCount }

        var isBusy: Bool { state.withLockedValue { $0.threadCount > 0 } }

        func run(_ work: @escaping @Sendable () -> Void) {
            let needsThread = state.withLockedValue { state in
                state.waiting.append(work)
                guard state.threadCount < maximumThreadCount else { return false }
                state.threadCount += 1
                return true
            }
            // If no thread can be created, the caller's thread runs the work.
            if needsThread, !SystemThread.runApart({ self.runAll() }) { runAll() }
        }

        /// Runs a function that can block, and returns its result.
        func result<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
            try await withCheckedThrowingContinuation { continuation in
                run { continuation.resume(with: Swift.Result { try body() }) }
            }
        }

        private func runAll() {
            while let work = next() { work() }
        }

        private func next() -> (@Sendable () -> Void)? {
            state.withLockedValue { state in
                if state.waiting.isEmpty {
                    state.threadCount -= 1
                    return nil
                }
                return state.waiting.removeFirst()
            }
        }
    }
#endif
