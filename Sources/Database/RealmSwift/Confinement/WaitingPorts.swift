// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// What looks, at its own place, for what has happened elsewhere.
protocol WakeReceiver: AnyObject, Sendable {
    /// Called at the place, after any number of wake-ups.
    func receiveWake()
}

/// The instances of one queue that are to look for a newer version.
///
/// One closure for all of them is on its way to the queue: in a program that never runs its main queue, one for each
/// Realm that is opened there would pile up.
final class WaitingPorts: Sendable {
    private struct Waiting {
        weak var port: (any WakeReceiver)?
    }

    private struct State {
        var ports: [Waiting] = []
        var isSent = false
    }

    private let state = Locked(State())

    /// How many wait, but for those that were gone when a port was added last.
    var count: Int { state.withLock { $0.ports.count } }

    /// Has the port arrive soon where `send` sends it, which always is the same queue.
    func add(_ port: any WakeReceiver, _ send: (@escaping @Sendable () -> Void) -> Void) {
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
