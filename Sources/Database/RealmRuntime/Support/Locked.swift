// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// A value guarded by a lock. The lock isn't recursive.
///
/// The value can be accessed only through the lock, so sharing it between threads is safe whatever `Value` is.
///
/// Wrap a function in a structure instead of storing it directly: each time a function passes through generic code, the
/// compiler adds another reabstraction thunk, and these would accumulate.
@usableFromInline
package final class Locked<Value>: @unchecked Sendable {
    /// Accessed only while the lock is held.
    @safe @usableFromInline @exclusivity(unchecked) var value: Value
    @usableFromInline let lock = Lock()

    @inlinable package init(_ value: Value) {
        self.value = value
    }

    @inlinable package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try lock.locked { try body(&value) }
    }
}

extension Locked {
    /// Sets the value to nil. The old value is released after the lock, because its captures may end other observations
    /// when they are deallocated.
    func clear<Wrapped>() where Value == Wrapped? {
        let old = withLock { value in
            defer { value = nil }
            return value
        }
        withExtendedLifetime(old) {}
    }
}
