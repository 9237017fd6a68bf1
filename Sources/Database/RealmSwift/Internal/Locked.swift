// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// A value guarded by a lock. The lock isn't recursive.
///
/// The value can be accessed only through the lock, so sharing it between threads is safe whatever `Value` is.
///
/// Wrap a function in a structure instead of storing it directly: each time a function passes through generic code, the
/// compiler adds another reabstraction thunk, and these would accumulate.
final class Locked<Value>: @unchecked Sendable {
    /// Accessed only while the lock is held.
    @safe @exclusivity(unchecked) private var value: Value
    private let lock = Lock()

    init(_ value: Value) {
        self.value = value
    }

    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try lock.locked { try body(&value) }
    }
}
