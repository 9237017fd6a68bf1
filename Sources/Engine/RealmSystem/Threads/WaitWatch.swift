// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Monitors waits in system calls, which can't check a clock themselves, and reports long ones.
///
/// One thread monitors all of them. A wait starts the thread if it isn't running. The thread sleeps until the first
/// wait is due, and exits when no waits are left. So a short wait costs an entry and no thread of its own.
///
/// State guarded by `monitor`: `waits`, the pending ones that aren't reported, `nextNumber`, `watcher` and `alarm`.
final class WaitWatch: @unchecked Sendable {
    static let shared = WaitWatch()

    private struct Wait {
        /// The `CurrentProcess.uptime` at which it is reported.
        let due: Int64
        let report: @Sendable () -> Void
    }

    private let monitor = Monitor()
    private var waits: [UInt64: Wait] = [:]
    private var nextNumber: UInt64 = 0
    /// The process whose thread monitors the waits; 0 if none does. After `fork` the child has no such thread.
    private var watcher = 0
    /// The `CurrentProcess.uptime` of the thread's next check.
    private var alarm: Int64 = 0

    /// Calls `report` once, on another thread, unless `end` is called before `due`.
    func begin(due: Int64, report: @escaping @Sendable () -> Void) -> UInt64 {
        monitor.locked {
            nextNumber += 1
            let isWatched = watcher == CurrentProcess.identifier
            if !isWatched { waits = [:] }
            waits[nextNumber] = Wait(due: due, report: report)
            if !isWatched {
                // Without a thread the wait isn't reported; the next wait tries again.
                watcher = SystemThread.runApart { self.watch() } ? CurrentProcess.identifier : 0
            } else if due < alarm {
                monitor.signal()
            }
            return nextNumber
        }
    }

    func end(_ number: UInt64) -> Bool { monitor.locked { waits.removeValue(forKey: number) == nil } }

    private func watch() {
        while let due = nextDue() { for wait in due { wait.report() } }
    }

    /// Waits until some are due. Returns nil if no waits are left: then the thread ends.
    private func nextDue() -> [Wait]? {
        monitor.locked {
            let now = CurrentProcess.uptime
            let due = waits.filter { $0.value.due <= now }
            if !due.isEmpty {
                for number in due.keys { waits[number] = nil }
                return Array(due.values)
            }
            guard let first = waits.values.map(\.due).min() else {
                watcher = 0
                return nil
            }
            alarm = first
            monitor.wait(nanoseconds: first - now)
            return []
        }
    }
}
