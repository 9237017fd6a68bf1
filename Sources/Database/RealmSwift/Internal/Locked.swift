// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// A value guarded by a lock. A thread that holds it must not ask for it again.
///
/// The lock is the only way to the value, so sharing it between threads is safe whatever `Value` is.
///
/// A function must not be the value by itself, but in a structure of its own: on its way in and out of what is generic
/// here the compiler would wrap it once more each time, and the wrappers would pile up.
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
