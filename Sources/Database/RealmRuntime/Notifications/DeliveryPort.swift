// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Notifies an instance, from any thread, that a newer version exists.
package final class DeliveryPort: WakeReceiver {
    private let confinement: Confinement
    private let check: @Sendable () -> Void
    private let isPending = Locked(true)

    /// Creates a port that calls `check` in the confinement after each wake-up, and once after its creation. `check`
    /// must not retain the instance.
    package init(_ confinement: Confinement, check: @escaping @Sendable () -> Void) {
        self.confinement = confinement
        self.check = check
        send()
    }

    /// Schedules a check for a newer version. Several calls may be combined into one check.
    package func wake() {
        let isFirst = isPending.withLock { isPending in
            defer { isPending = true }
            return !isPending
        }
        if isFirst { send() }
    }

    private func send() {
        switch confinement {
        case .queue(let mark, let queue): mark.waiting.add(self) { mark.run($0, on: queue) }
        default: confinement.run { [weak self] in self?.receiveWake() }
        }
    }

    package func receiveWake() {
        isPending.withLock { $0 = false }
        check()
    }
}
