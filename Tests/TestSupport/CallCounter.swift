// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// Counts the calls of a callback, and waits for them. Guarded by `condition`.
public final class CallCounter: @unchecked Sendable {
    private let condition = NSCondition()
    private var count = 0

    public init() {}

    public func call() {
        condition.withLock {
            count += 1
            condition.broadcast()
        }
    }

    public var number: Int { condition.withLock { count } }

    /// Waits until there have been `number` calls. Returns false after a timeout.
    public func wait(for number: Int, seconds: Double = 1200) -> Bool {
        let end = Date(timeIntervalSinceNow: seconds)
        return condition.withLock {
            while count < number { if !condition.wait(until: end) { return false } }
            return true
        }
    }
}
