// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

/// The part of writes that notifies observers.
extension RealmInstance: WriteOwner {
    var port: DeliveryPort? { delivery.port }

    func commit(withoutNotifying skipped: [any Observation] = []) throws {
        let base = try throwing { try writes.commit() }
        coordinator.host.notifyOthers(than: port)
        delivery.skip(skipped, since: base)
        delivery.notifyRealmObservers(.didChange, except: skipped)
        tracker?.moved(self)
    }

    func writeDidBegin(hasMoved: Bool) {
        if hasMoved { delivery.movedByOthers() }
        delivery.deliverBeforeWrite(hasMoved: hasMoved)
        if hasMoved { tracker?.moved(self) }
    }

    func writeDidCommit() {
        delivery.notifyRealmObservers(.didChange)
        tracker?.moved(self)
    }

    func writeWasCancelled() { tracker?.moved(self) }

    func writeDidEnd() { delivery.wakeIfObserved() }

    func commitDidEnd() { delivery.followOthers() }
}

extension CancelledWrites {
    /// Whether an object was created in a write that was cancelled later.
    func contains(_ key: ObjectKey, of managed: ManagedClass, createdInWrite: UInt64) -> Bool {
        guard createdInWrite != 0 else { return false }
        return contains(
            key, of: managed.tableKey, hasPrimaryKey: managed.primaryKey != nil, createdInWrite: createdInWrite)
    }
}
