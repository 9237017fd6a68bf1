// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Notifies an instance, from any thread, that a newer version exists.
///
/// The instance is accessed only in its own confinement.
final class DeliveryPort: WakeReceiver {
    private let reference: InstanceReference
    private let confinement: Confinement
    private let isPending = Locked(true)

    init(_ instance: RealmInstance) {
        reference = instance.reference
        confinement = instance.confinement
        send()
    }

    /// Schedules a check for a newer version. Several calls may be combined into one check.
    func wake() {
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

    func receiveWake() {
        isPending.withLock { $0 = false }
        guard let instance = reference.instance else { return }
        // No observer can be notified before the confinement runs work, so watching for other processes also starts
        // then: a program that never runs any has no cost.
        instance.coordinator.watchOtherProcesses()
        instance.delivery.followOthers()
    }
}

/// A task that waits for a new version.
///
/// The continuation is guarded by its lock, and resumed once.
final class ChangeWaiter: Sendable {
    private let state = Locked<State>(.starting)

    private enum State {
        case starting
        case waiting(CheckedContinuation<Bool, Never>)
        case over(Bool)
    }

    func start(_ continuation: CheckedContinuation<Bool, Never>) {
        let outcome = state.withLock { state -> Bool? in
            if case .over(let outcome) = state { return outcome }
            state = .waiting(continuation)
            return nil
        }
        if let outcome { continuation.resume(returning: outcome) }
    }

    /// Resumes the task; only the first call has an effect.
    func resume(_ outcome: Bool) {
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
