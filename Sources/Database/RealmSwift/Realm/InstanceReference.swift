// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

internal import CSwiftRuntime

/// A reference to an instance that does not keep it, for the caches and the notifications that find it again.
///
/// What `weak` would be for, were it not that the first weak reference moves an object's counts to a table of their
/// own: each retain and release of the Realm, and every read of a link or a list has some, took four times as long.
///
/// The address is guarded by its lock. The instance takes the lock before its memory goes, so a thread that holds it
/// and finds an address may ask there whether the instance is still wanted.
final class InstanceReference: Sendable {
    /// Guarded by the lock of `address`.
    @safe private struct Address: @unchecked Sendable {
        var instance: Unmanaged<RealmInstance>?
    }

    private let address = Locked(Address())

    /// The instance, unless it has begun to go.
    var instance: RealmInstance? {
        address.withLock { address in
            guard let instance = unsafe address.instance, unsafe swift_tryRetain(instance.toOpaque()) != nil else {
                return nil
            }
            return unsafe instance.takeRetainedValue()
        }
    }

    /// Makes this the reference to a new instance, which clears it before it goes.
    func refer(to instance: RealmInstance) {
        address.withLock { unsafe $0.instance = unsafe .passUnretained(instance) }
    }

    func clear() {
        address.withLock { unsafe $0.instance = nil }
    }
}
