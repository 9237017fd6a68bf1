// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

internal import Atomics

/// Numbers that this process never repeats. Other processes use them only by chance, because the first one is random.
package enum UniqueNumber {
    private static let first = UInt64.random(in: .min ... .max)
    private static let count = ManagedAtomic<UInt64>(0)

    package static func next() -> UInt64 { first &+ count.loadThenWrappingIncrement(ordering: .relaxed) }
}
