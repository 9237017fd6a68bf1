// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The right to write: one holder at a time, granted in the order of asking, and given back from any thread.
///
/// All state is guarded by `monitor`, which is signalled whenever `served` changes.
package final class TicketLock: @unchecked Sendable {
    private let monitor = Monitor()
    private var next: UInt64 = 0
    private var served: UInt64 = 0
    /// Those who asked and have gone before it was their turn.
    private var gone: Set<UInt64> = []
    /// When it became the turn of the one whose turn it is, in nanoseconds since 1970.
    private var since: Int64 = 0

    package init() {}

    /// Returns when it is this caller's turn.
    package func enter() {
        var waiting = Waiting()
        // It throws where there is a limit.
        try? enter(&waiting)
    }

    /// Returns when it is this caller's turn, or throws `WriteTimeout`. Whoever has the turn may himself wait for
    /// somebody, whom `other` tells.
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

    /// How many have asked, the one whose turn it is included.
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
