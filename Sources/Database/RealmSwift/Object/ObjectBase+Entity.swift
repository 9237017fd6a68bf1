// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

/// The identity of an object, independent of the version and confinement in which it was read: for user interfaces.
extension ObjectBase {
    /// Whether both denote the same row of one database, or are the same unmanaged object.
    package func isSameEntity(as other: ObjectBase) -> Bool {
        if self === other { return true }
        guard let realm = _rlmRow.realm, let otherRealm = other._rlmRow.realm else { return false }
        return realm.coordinator === otherRealm.coordinator && _rlmRow.key == other._rlmRow.key
            && _rlmRow.managed?.tableKey == other._rlmRow.managed?.tableKey
    }

    /// Returns the object for use in a Realm: itself if it is unmanaged, or the result of a look-up if it is of another
    /// version or confinement; nil if it was deleted. Traps for an object of another database.
    package func resident(in realm: Realm) -> Self? {
        guard let own = _rlmRow.realm, own !== realm.instance else { return isInvalidated ? nil : self }
        guard own.coordinator === realm.instance.coordinator else {
            throwRealmException(
                "Object is already managed by another Realm. Use create instead to copy it into this Realm.")
        }
        let resident = transferred(to: realm.instance)
        return resident.isInvalidated ? nil : resident
    }

    /// Whether both denote the same row in two versions, between which neither the row has changed nor any object that
    /// it links to, or that links to it through an inverse property.
    package func isUnchanged(since other: ObjectBase) -> Bool {
        if self === other { return true }
        guard isSameEntity(as: other), let realm = _rlmRow.realm, let before = other._rlmRow.realm else { return false }
        if realm === before { return true }
        guard realm.isFrozen, before.isFrozen, let managed = _rlmRow.managed else { return false }
        return realm.reading(false) {
            guard let changes = try realm.changes(since: before) else { return false }
            let origins = managed.info.allProperties.filter(\.isComputed).compactMap(\.objectClassName)
            let seesOrigins = origins.contains { name in
                realm.coordinator.managedClass(named: name).map { changes.diff.changedTables.contains($0.tableKey) }
                    ?? true
            }
            return try !seesOrigins && !changes.reaches(_rlmRow.key, of: managed.tableKey)
        }
    }
}

extension RealmInstance {
    /// Returns the differences of two frozen instances, the older one first; nil if `other` isn't older.
    fileprivate func changes(since other: RealmInstance) throws -> VersionChanges? {
        guard let old = other.snapshot, let new = snapshot, old.version < new.version else { return nil }
        if let known = coordinator.frozenChanges.withLock({ $0 }), known.old.version == old.version,
            known.new.version == new.version
        {
            return known
        }
        let made = try VersionChanges(
            from: old.again(label: ObservedVersion.label), to: new.again(label: ObservedVersion.label))
        coordinator.frozenChanges.withLock { $0 = made }
        return made
    }
}

extension Realm {
    /// Releases the cached comparison of frozen objects, and the versions that it pins.
    package func forgetComparisons() { instance.coordinator.frozenChanges.withLock { $0 = nil } }

    package var frozenVersion: UInt64? { instance.isFrozen ? instance.snapshot?.version : nil }
}
