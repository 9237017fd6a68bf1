// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

internal import Atomics

/// A number that all threads may raise. It doesn't order any other memory access.
package final class RelaxedCounter: Sendable {
    private let number = ManagedAtomic(0)

    package init() {}

    package var value: Int { number.load(ordering: .relaxed) }

    package func increment() { number.wrappingIncrement(ordering: .relaxed) }
}
