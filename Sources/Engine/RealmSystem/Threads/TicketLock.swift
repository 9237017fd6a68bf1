// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The write lock among threads: one holder at a time, granted in the order of the requests, and released from any
/// thread.
///
/// All state is guarded by `monitor`, which is signalled whenever `served` changes.
package final class TicketLock: @unchecked Sendable {
    private let monitor = Monitor()
    private var next: UInt64 = 0
    private var served: UInt64 = 0
    /// Tickets of callers that timed out before they were served.
    private var gone: Set<UInt64> = []
    /// The time at which the current ticket was reached, in nanoseconds since 1970.
    private var since: Int64 = 0

    package init() {}

    package func enter() {
        var waiting = Waiting()
        // It throws only with a time limit.
        try? enter(&waiting)
    }

    /// Returns when this caller holds the lock, or throws `WriteTimeout`. `other` returns the process for which the
    /// holder itself waits.
    package func enter(_ waiting: inout Waiting, for other: () -> WriteHolder? = { nil }) throws {
        try monitor.locked {
            let ticket = next
            next += 1
            while served != ticket {
                do {
                    try waiting.look { other() ?? holder }
                } catch {
                    gone.insert(ticket)
                    throw error
                }
                monitor.wait(nanoseconds: waiting.pause)
            }
            since = CurrentProcess.time
        }
    }

    package var callerCount: Int { monitor.locked { Int(next - served) - gone.count } }

    package func leave() {
        monitor.locked {
            served += 1
            while gone.remove(served) != nil { served += 1 }
            monitor.signal()
        }
    }

    private var holder: WriteHolder {
        WriteHolder(processIdentifier: CurrentProcess.identifier, name: CurrentProcess.name, since: since)
    }
}
