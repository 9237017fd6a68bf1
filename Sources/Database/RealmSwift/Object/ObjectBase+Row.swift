// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmStorage
import RealmSystem

extension ObjectBase {
    /// Whether a Realm manages the object, whether or not its row exists.
    @usableFromInline final var isManaged: Bool { unsafe _rlmRow.state != nil }

    /// Whether the row exists. Checks the thread.
    final var hasRow: Bool { isInKnownRow || locate() != nil }

    /// Whether the cached position of the row is valid, and the caller's thread is the Realm's.
    final var isInKnownRow: Bool {
        guard let state = _rlmRow.state, unsafe state.pointee.clock.clusterLeaf == _rlmRow.stamp else { return false }
        return unsafe state.pointee.isOnOwnerThread && !_rlmRow.isDeleted
    }

    /// Returns the row's position in another Realm that reads the same version; nil if it isn't cached.
    final func place(in other: RealmInstance) -> RowLocation? {
        guard isInKnownRow, let leaf = _rlmRow.leaf, _rlmRow.realm?.readsSameVersion(as: other) == true else {
            return nil
        }
        return unsafe RowLocation(
            leaf: leaf, leafHeader: _rlmRow.leafHeader, row: _rlmRow.row, stamp: other.state.pointee.clock.clusterLeaf)
    }

    /// Makes the object an accessor of a row: its properties are read from the table from now on.
    final func manage(_ realm: RealmInstance, _ managed: ManagedClass, _ key: ObjectKey) {
        _rlmRow.realm = realm
        _rlmRow.owner = realm
        _rlmRow.state = realm.state
        _rlmRow.managed = managed
        _rlmRow.key = key
        _rlmRow.stamp = .never
        _rlmRow.createdInWrite = realm.currentWrite
        _rlmRow.epoch = realm.epoch
        let start = unsafe Unmanaged.passUnretained(self).toOpaque()
        for binding in managed.own.bindings {
            unsafe binding.field.wrapper.bind(binding.key, of: self, at: start + binding.field.offset)
        }
    }

    /// Makes a newly initialised object an accessor of a row, like `manage`. The default values of its wrappers remain
    /// unread.
    final func manageFresh(
        _ realm: RealmInstance, _ managed: ManagedClass, _ key: ObjectKey, at place: RowLocation?,
        keptBy owner: AnyObject
    ) {
        // A single call, which is one check of exclusive access, without a copy.
        _rlmRow.become(realm, managed, key, at: place, keptBy: owner)
        if place == nil, realm.isFrozen { freezeLocation(realm, managed) }
        let start = unsafe Unmanaged.passUnretained(self).toOpaque()
        for store in managed.own.keyStores {
            unsafe (start + store.offset).storeBytes(of: store.key, as: PropertyKey.self)
        }
        for binding in managed.own.collectionBindings where unsafe binding.isNeeded(at: start) {
            unsafe binding.field.wrapper.bind(binding.key, of: self, at: start + binding.field.offset)
        }
    }

    /// Whether the accessor can't be reused for another row of its class: one of `collections` is in use, and must
    /// remain that of its current row.
    @inline(__always)
    final func isUsing(_ collections: [ClassModel.Binding]) -> Bool {
        let start = unsafe Unmanaged.passUnretained(self).toOpaque()
        for binding in collections where unsafe binding.isNeeded(at: start) { return true }
        return false
    }

    /// Looks up the row of a frozen object permanently: no other thread has access to the object yet.
    private final func freezeLocation(_ realm: RealmInstance, _ managed: ManagedClass) {
        guard let position = realm.reading(nil, { try realm.table(managed.tableKey)?.find(_rlmRow.key) }) else {
            return
        }
        remember(position, realm)
    }

    private final func remember(_ position: ClusterTree.Position, _ realm: RealmInstance) {
        _rlmRow.remember(
            RowLocation(position.leaf.node, row: position.row, stamp: realm.state.pointee.clock.clusterLeaf))
    }

    /// Whether the newest version contains the row. Reads no state that the Realm's own thread may be changing.
    final func isInNewestVersion(of realm: RealmInstance) -> Bool {
        guard let managed = _rlmRow.managed else { return false }
        return realm.reading(false) {
            let version = try realm.coordinator.database.snapshot(label: VersionReader.holder)
            return try version.table(managed.tableKey)?.find(_rlmRow.key) != nil
        }
    }

    /// Whether the row exists, unless it was removed elsewhere. Checks the thread.
    final func mayHaveRow(in realm: RealmInstance) -> Bool {
        realm.verifyThread()
        return !_rlmRow.isDeleted && _rlmRow.epoch == realm.epoch && !realm.wasCancelled(self)
    }

    /// Returns the row's position in the current version; nil if the object was deleted. Caches it for the fast reads,
    /// unless other threads may be reading.
    final func locate() -> ClusterTree.Position? {
        guard let realm = _rlmRow.realm, let managed = _rlmRow.managed else { return nil }
        guard mayHaveRow(in: realm), let table = realm.table(managed.tableKey) else { return nil }
        guard let position = realm.reading(nil, { try realm.find(_rlmRow.key, in: table) }) else { return nil }
        if !realm.isFrozen { remember(position, realm) }
        return position
    }

    /// Traps if the row doesn't exist, with the documented text for a change.
    final func verifyRow(in realm: RealmInstance) {
        if locate() == nil { realm.refuse("Object has been deleted or invalidated.") }
    }

    /// Handles a read of a deleted object.
    final func readWithoutRow(_ key: PropertyKey) {
        if let probe { return probe.record(self, key) }
        guard let realm = _rlmRow.realm, let managed = _rlmRow.managed else {
            throwRealmException("The object is not managed by a Realm.")
        }
        realm.readWithoutRow(managed, managed.propertyName(key), "Object has been deleted or invalidated.")
    }

    /// Returns the last sentence of the error text for an unreadable value, which names its property.
    final func propertyNote(of key: PropertyKey) -> String {
        guard let managed = _rlmRow.managed else { return "" }
        return " It is the value of '\(managed.info.name).\(managed.propertyName(key))'."
    }
}

extension ObjectBase {
    /// The cached position of the row; valid while its stamp is the Realm's.
    final var lastPlace: RowLocation? {
        unsafe _rlmRow.leaf.map {
            unsafe RowLocation(leaf: $0, leafHeader: _rlmRow.leafHeader, row: _rlmRow.row, stamp: _rlmRow.stamp)
        }
    }
}
