// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch

/// The instances of one queue that are to look for a newer version.
///
/// One closure for all of them is on its way to the queue: in a program that never runs its main queue, one for each
/// Realm that is opened there would pile up.
final class WaitingPorts: Sendable {
    private struct State {
        var ports: [Weak<DeliveryPort>] = []
        var isSent = false
    }

    private let state = Locked(State())

    /// How many wait, but for those that were gone when a port was added last.
    var count: Int { state.withLock { $0.ports.count } }

    /// Has the port arrive soon at `queue`, which always is the same.
    func add(_ port: DeliveryPort, to queue: DispatchQueue) {
        let isFirst = state.withLock { state in
            state.ports.removeAll { $0.object == nil }
            state.ports.append(Weak(object: port))
            defer { state.isSent = true }
            return !state.isSent
        }
        if isFirst { queue.async { self.receiveWake() } }
    }

    private func receiveWake() {
        let ports = state.withLock { state in
            defer { state = State() }
            return state.ports
        }
        for port in ports { port.object?.receiveWake() }
    }
}
