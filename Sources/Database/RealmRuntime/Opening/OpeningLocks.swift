// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSystem

/// A recursive lock for each database, by its name in `RealmRegistry`, which is held while the database is opened.
///
/// The block of an opening, such as a migration, may open other databases, and may wait for threads that open some. If
/// threads would deadlock because the block of each opens the other's database, the process traps with a message.
///
/// `condition` guards `holders` and `waiting`.
package final class OpeningLocks: @unchecked Sendable {
    private struct Holder {
        let thread: UInt
        var depth = 1
        var isOpening = false
    }

    private let condition = NSCondition()
    private var holders: [String: Holder] = [:]
    /// The name of the lock that each thread waits for.
    private var waiting: [UInt: String] = [:]
    /// A process created by `fork` has none of its parent's other threads, so their locks are discarded there.
    private var owner = CurrentProcess.identifier

    package init() {}

    package func locked<Result>(_ name: String, _ body: () throws -> Result) rethrows -> Result {
        acquire(name, ThreadToken.current())
        defer { release(name) }
        return try body()
    }

    /// Runs `body`, which opens the database, within `locked`. Traps if the thread is opening it already.
    package func opening<Result>(_ name: String, _ body: () throws -> Result) rethrows -> Result {
        let isOpening = setOpening(name, true)
        if isOpening {
            throwRealmException("Cannot open the Realm at '\(name)' while it is being migrated on the same thread.")
        }
        defer { _ = setOpening(name, false) }
        return try body()
    }

    private func acquire(_ name: String, _ thread: UInt) {
        condition.lock()
        defer { condition.unlock() }
        if owner != CurrentProcess.identifier {
            (holders, waiting, owner) = ([:], [:], CurrentProcess.identifier)
        }
        if holders[name]?.thread == thread {
            holders[name]?.depth += 1
            return
        }
        while let holder = holders[name] {
            waiting[thread] = name
            if isWaiting(holder.thread, for: thread) {
                throwRealmException(
                    """
                    Cannot open the Realm at '\(name)': the thread that is opening it waits for a Realm that this \
                    thread is opening.
                    """)
            }
            condition.wait()
        }
        waiting[thread] = nil
        holders[name] = Holder(thread: thread)
    }

    /// Whether a thread waits, directly or through others, for a lock that `holder` holds. Each thread waits for at
    /// most one.
    private func isWaiting(_ thread: UInt, for holder: UInt) -> Bool {
        var next = thread
        while let name = waiting[next], let owner = holders[name]?.thread {
            if owner == holder { return true }
            next = owner
        }
        return false
    }

    private func release(_ name: String) {
        condition.lock()
        defer { condition.unlock() }
        guard var holder = holders[name] else { return }
        holder.depth -= 1
        holders[name] = holder.depth == 0 ? nil : holder
        if holder.depth == 0 { condition.broadcast() }
    }

    private func setOpening(_ name: String, _ isOpening: Bool) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        defer { holders[name]?.isOpening = isOpening }
        return holders[name]?.isOpening ?? false
    }
}
