// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Checks for changes made elsewhere, in its own confinement.
package protocol WakeReceiver: AnyObject, Sendable {
    /// Called in the confinement, after one or more wake-ups.
    func receiveWake()
}

/// The instances of one queue that have to check for a newer version.
///
/// A single closure for all of them is scheduled on the queue: in a program that never runs its main queue, one closure
/// for each opened Realm would accumulate.
package final class WaitingPorts: Sendable {
    private struct Waiting {
        weak var port: (any WakeReceiver)?
    }

    private struct State {
        var ports: [Waiting] = []
        var isSent = false
    }

    private let state = Locked(State())

    package init() {}

    /// The number of waiting ports, except for those that were already deallocated when a port was last added.
    package var count: Int { state.withLock { $0.ports.count } }

    /// Schedules a wake-up of the port. `send` must always schedule on the same queue.
    package func add(_ port: any WakeReceiver, _ send: (@escaping @Sendable () -> Void) -> Void) {
        let isFirst = state.withLock { state in
            state.ports.removeAll { $0.port == nil }
            state.ports.append(Waiting(port: port))
            defer { state.isSent = true }
            return !state.isSent
        }
        if isFirst { send { self.receiveWake() } }
    }

    private func receiveWake() {
        let ports = state.withLock { state in
            defer { state = State() }
            return state.ports
        }
        for waiting in ports { waiting.port?.receiveWake() }
    }
}
