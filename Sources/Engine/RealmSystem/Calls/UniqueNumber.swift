// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

internal import Atomics

/// Numbers of which this process gives none twice, and another one none of these, as far as chance goes: it is asked
/// for random ones once.
package enum UniqueNumber {
    private static let first = UInt64.random(in: .min ... .max)
    private static let count = ManagedAtomic<UInt64>(0)

    package static func next() -> UInt64 { first &+ count.loadThenWrappingIncrement(ordering: .relaxed) }
}
