// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

/// Cancels work on behalf of a task or a caller: immediately if the work has begun, otherwise as soon as it begins.
final class Cancellation: Sendable {
    private enum State {
        case waiting
        case begun(@Sendable () -> Void)
        case cancelled
    }

    private let state = Locked(State.waiting)

    /// Stores the function that ends the work, and calls it if the work is already cancelled.
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

extension Cancellation {
    /// Returns at the end of a wait, or throws its error, which is `CancellationError` as soon as the task is
    /// cancelled.
    ///
    /// - Parameter begin: Begins the wait. Returns a function that ends it immediately, with the error passed to it.
    static func wait(
        _ begin: (@escaping @Sendable ((any Error)?) -> Void) -> @Sendable (any Error) -> Void
    ) async throws {
        let cancellation = Cancellation()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let end = begin { error in
                    if let error { continuation.resume(throwing: error) } else { continuation.resume() }
                }
                cancellation.hold { end(CancellationError()) }
            }
        } onCancel: {
            cancellation.call()
        }
    }

    /// Ends the newer of two successive waits: immediately, or as soon as the second one begins.
    final class Ending: Sendable {
        private struct State {
            var end: (@Sendable (any Error) -> Void)?
            var error: (any Error)?
        }

        private let state = Locked(State())

        /// Stores the function that ends the first wait, unless that is over and the second one has begun.
        func holdFirst(_ end: @escaping @Sendable (any Error) -> Void) {
            state.withLock { if $0.end == nil { $0.end = end } }
        }

        func hold(_ end: @escaping @Sendable (any Error) -> Void) {
            let error = state.withLock { state in
                state.end = end
                return state.error
            }
            if let error { end(error) }
        }

        func call(_ error: any Error) {
            let end = state.withLock { state in
                state.error = error
                return state.end
            }
            end?(error)
        }
    }
}
