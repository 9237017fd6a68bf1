// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The delays after consecutive failures, in milliseconds. They increase, and are randomised so that the clients of a
/// restarted server don't all reconnect at once (§2.9).
package struct BackOff: Hashable, Sendable {
    private let first: UInt64
    private let greatest: UInt64
    private let multiplier: UInt64
    private var next: UInt64

    package init(first: UInt64 = 1000, greatest: UInt64 = 300_000, multiplier: UInt64 = 2) {
        self.first = min(first, greatest)
        self.greatest = greatest
        self.multiplier = multiplier
        next = self.first
    }

    /// Limits the delays to an hour.
    package init(_ rule: ServerError.BackOff) {
        let limit: UInt64 = 3600
        self.init(
            first: min(rule.interval, limit) * 1000, greatest: min(rule.maxDelay, limit) * 1000,
            multiplier: min(max(rule.multiplier, 1), 1000))
    }

    package mutating func reset() { next = first }

    /// Returns the next delay. Up to a quarter is subtracted at random.
    package mutating func delay(_ random: inout any RandomNumberGenerator) -> UInt64 {
        let delay = next
        next = min(next * multiplier, greatest)
        return delay - UInt64.random(in: 0...(delay / 4), using: &random)
    }
}
