// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A wait for the write lock among processes, on its own thread so that it can be abandoned. The system's locks have no
/// time limits, and are granted in the order of the requests.
///
/// An abandoned wait stays in the queue until it gets the lock, and then releases it. A caller that waits again
/// meanwhile takes it over. State guarded by `monitor`: `outcome`, nil before the lock was acquired, and `isWanted`.
final class LockWait: @unchecked Sendable {
    private let monitor = Monitor()
    private var outcome: Result<Void, any Error>?
    private var isWanted = true

    /// Runs `wait`, which returns with the lock held. Calls `giveBack` with the lock held if the wait was abandoned.
    func run(_ wait: () throws -> Void, giveBack: () -> Void) {
        let outcome = Result { try wait() }
        monitor.locked {
            self.outcome = outcome
            if !isWanted, case .success = outcome { giveBack() }
            monitor.signal()
        }
    }

    /// Takes over an abandoned wait. Returns false if it has ended.
    func resume() -> Bool {
        monitor.locked {
            guard outcome == nil else { return false }
            isWanted = true
            return true
        }
    }

    func end(_ waiting: inout Waiting, _ holder: () -> WriteHolder?) throws {
        try monitor.locked {
            while outcome == nil {
                do {
                    try waiting.look(holder)
                } catch {
                    isWanted = false
                    throw error
                }
                monitor.wait(nanoseconds: waiting.pause)
            }
            try outcome?.get()
        }
    }
}
