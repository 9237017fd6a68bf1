// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Ends work that a task or a caller no longer wants: at once if it has begun, else as soon as it begins.
final class Cancellation: Sendable {
    private enum State {
        case waiting
        case begun(@Sendable () -> Void)
        case cancelled
    }

    private let state = Locked(State.waiting)

    /// Takes the function that ends the work, and calls it if the work was cancelled before.
    func hold(_ end: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            if case .cancelled = state { return true }
            state = .begun(end)
            return false
        }
        if isCancelled { end() }
    }

    func call() {
        let state = state.withLock { state in
            defer { state = .cancelled }
            return state
        }
        if case .begun(let end) = state { end() }
    }
}
