// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A task that waits for a new version.
///
/// The continuation is guarded by its lock, and resumed once.
package final class ChangeWaiter: Sendable {
    private let state = Locked<State>(.starting)

    private enum State {
        case starting
        case waiting(CheckedContinuation<Bool, Never>)
        case over(Bool)
    }

    package init() {}

    package func start(_ continuation: CheckedContinuation<Bool, Never>) {
        let outcome = state.withLock { state -> Bool? in
            if case .over(let outcome) = state { return outcome }
            state = .waiting(continuation)
            return nil
        }
        if let outcome { continuation.resume(returning: outcome) }
    }

    /// Resumes the task; only the first call has an effect.
    package func resume(_ outcome: Bool) {
        let continuation = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            switch state {
            case .over: return nil
            case .starting:
                state = .over(outcome)
                return nil
            case .waiting(let continuation):
                state = .over(outcome)
                return continuation
            }
        }
        continuation?.resume(returning: outcome)
    }
}
