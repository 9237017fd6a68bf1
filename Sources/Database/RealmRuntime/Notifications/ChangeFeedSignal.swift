// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Wakes a change feed after the next commit. Any thread may signal it.
package final class ChangeFeedSignal: Sendable {
    private enum State {
        case idle
        /// The feed hasn't processed a commit yet.
        case pending
        case waiting(CheckedContinuation<Void, Never>)
    }

    private let state = Locked(State.idle)

    package init() {}

    package func wake() {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if case .waiting(let continuation) = state {
                state = .idle
                return continuation
            }
            state = .pending
            return nil
        }
        waiting?.resume()
    }

    /// Returns after the next call of `wake`, or at once if it was called since the last return or if the task is
    /// cancelled. One caller at a time.
    package func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isPending = state.withLock { state in
                    guard case .idle = state else {
                        state = .idle
                        return true
                    }
                    state = .waiting(continuation)
                    return false
                }
                if isPending { continuation.resume() }
            }
        } onCancel: {
            wake()
        }
    }
}
