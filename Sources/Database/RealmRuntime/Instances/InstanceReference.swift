// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

internal import CSwiftRuntime

/// A weak reference to an instance, for the caches and notifications that look it up.
///
/// `weak` isn't used: the first weak reference moves an object's counts to a side table. Each retain and release of the
/// Realm, and so every read of a link or a list, would be four times as slow.
///
/// The address is guarded by its lock. The instance takes the lock before it is deallocated. So a thread that holds the
/// lock and finds an address can check whether the instance is still referenced.
package final class InstanceReference: Sendable {
    /// Guarded by the lock of `address`.
    @safe private struct Address: @unchecked Sendable {
        var instance: Unmanaged<RealmInstance>?
    }

    private let address = Locked(Address())

    init() {}

    /// The instance, unless its deallocation has begun.
    package var instance: RealmInstance? {
        address.withLock { address in
            guard let instance = unsafe address.instance, unsafe swift_tryRetain(instance.toOpaque()) != nil else {
                return nil
            }
            return unsafe instance.takeRetainedValue()
        }
    }

    func refer(to instance: RealmInstance) {
        address.withLock { unsafe $0.instance = unsafe .passUnretained(instance) }
    }

    /// The instance must call this before it is deallocated.
    func clear() {
        address.withLock { unsafe $0.instance = nil }
    }
}
