// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The observation kept alive by a token: the observer of an instance's versions, or of a value.
package protocol Observation: AnyObject, Sendable {
    /// Ends the observation, from any thread.
    func stop()

    func isIn(_ instance: RealmInstance) -> Bool
}

/// An observation that starts in another confinement than the one in which its token was created.
package final class PendingObservation: Observation {
    private let state = Locked(State.waiting)

    private enum State {
        case waiting
        case begun(Observer)
        case over
    }

    package init() {}

    /// Starts the observation unless it has already ended.
    package func begin(_ make: () -> Observer?) {
        guard case .waiting = state.withLock({ $0 }), let observer = make() else { return }
        let isWanted = state.withLock { state in
            guard case .waiting = state else { return false }
            state = .begun(observer)
            return true
        }
        if !isWanted { observer.stop() }
    }

    package func stop() {
        let last = state.withLock { state in
            defer { state = .over }
            return state
        }
        if case .begun(let observer) = last { observer.stop() }
    }

    package func isIn(_ instance: RealmInstance) -> Bool { observer?.isIn(instance) ?? false }

    package var observer: Observer? {
        state.withLock { if case .begun(let observer) = $0 { observer } else { nil } }
    }
}
