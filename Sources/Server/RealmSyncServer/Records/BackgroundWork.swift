// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import NIOConcurrencyHelpers
    import RealmStorage
    import RealmSystem

    /// Runs long jobs on dedicated threads, of which a limited number runs concurrently. An owner's jobs begin in
    /// order, and use only some of the threads, so that they don't delay those of other owners.
    final class BackgroundWork: Sendable {
        private struct State {
            /// The waiting jobs of each owner.
            var waiting: [ByteText: [@Sendable () -> Void]] = [:]
            /// The owners with waiting jobs, in the order in which they are served.
            var owners: [ByteText] = []
            var runningCount: [ByteText: Int] = [:]
            var threadCount = 0
        }

        private let state = NIOLockedValueBox(State())
        private let maximumThreadCount: Int
        private let maximumPerOwner: Int

        init(maximumThreadCount: Int, perOwner: Int = .max) {
            (self.maximumThreadCount, maximumPerOwner) = (maximumThreadCount, perOwner)
        }

        var isBusy: Bool { state.withLockedValue { $0.threadCount > 0 } }

        func run(for owner: ByteText = ByteText(""), _ work: @escaping @Sendable () -> Void) {
            let needsThread = state.withLockedValue { state in
                if state.waiting[owner] == nil { state.owners.append(owner) }
                state.waiting[owner, default: []].append(work)
                guard state.threadCount < maximumThreadCount,
                    state.runningCount[owner, default: 0] < maximumPerOwner
                else { return false }
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
            while let (owner, work) = next() {
                work()
                state.withLockedValue { state in
                    let count = (state.runningCount[owner] ?? 1) - 1
                    state.runningCount[owner] = count > 0 ? count : nil
                }
            }
        }

        /// Returns the next job of the owners in turn.
        private func next() -> (ByteText, @Sendable () -> Void)? {
            state.withLockedValue { state in
                let index = state.owners.firstIndex { state.runningCount[$0, default: 0] < maximumPerOwner }
                guard let index, let work = state.waiting[state.owners[index]]?.removeFirst() else {
                    state.threadCount -= 1
                    return nil
                }
                let owner = state.owners.remove(at: index)
                state.runningCount[owner, default: 0] += 1
                if state.waiting[owner]?.isEmpty == true {
                    state.waiting[owner] = nil
                } else {
                    state.owners.append(owner)
                }
                return (owner, work)
            }
        }
    }
#endif
