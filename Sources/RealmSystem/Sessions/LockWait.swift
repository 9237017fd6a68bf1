// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A wait for the right to write among processes that can be given up, on a thread of its own: the system's locks can
/// only be waited for without end, and those who wait so come in the order of their asking.
///
/// A wait that was given up stays in the line until its turn comes, and then gives the right back; who asks anew
/// meanwhile takes it over. State guarded by `monitor`: `outcome`, nil before the turn has come, and `isWanted`.
final class LockWait: @unchecked Sendable {
    private let monitor = Monitor()
    private var outcome: Result<Void, any Error>?
    private var isWanted = true

    /// Runs `wait`, at whose end the caller has the right; `giveBack` is called with it if it is not wanted any more.
    func run(_ wait: () throws -> Void, giveBack: () -> Void) {
        let outcome = Result { try wait() }
        monitor.locked {
            self.outcome = outcome
            if !isWanted, case .success = outcome { giveBack() }
            monitor.signal()
        }
    }

    /// Takes over a wait that was given up; false if it is over.
    func resume() -> Bool {
        monitor.locked {
            guard outcome == nil else { return false }
            isWanted = true
            return true
        }
    }

    /// Returns when the right is the caller's.
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
