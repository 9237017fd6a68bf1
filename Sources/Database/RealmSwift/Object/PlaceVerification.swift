// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

#if DEBUG
    import RealmStorage

    /// Compares an object's cached position with a new search, at each read of a debug build: a stale position that the
    /// clock considers valid is a bug of the library.
    ///
    /// Rows of a table with deferred deletes are skipped: a search for them would end the deferral.
    extension ObjectBase {
        /// Stops the process unless the cached position of the row is correct, and `node` is the column's there.
        @usableFromInline final func _verifyPlace(_ key: PropertyKey, _ node: Node?) {
            guard let realm = _rlmRow.realm, let managed = _rlmRow.managed, let table = realm.table(managed.tableKey),
                !table.hasDeferredDeletes, !realm.isTroubled,
                let fresh = try? table.find(_rlmRow.key)
            else { return }
            let isThere =
                unsafe fresh.leaf.node.payload == _rlmRow.leaf && fresh.leaf.node.header == _rlmRow.leafHeader
                && fresh.row == _rlmRow.row
            if !isThere { return _stopForStalePlace("the row", realm, managed) }
            guard let node, let ref = try? fresh.leaf.node.child(Int(key) + 1),
                let found = realm.state.pointee.space.nodeOrNil(ref)
            else { return }
            if unsafe found.payload != node.payload || found.header != node.header {
                _stopForStalePlace("a column leaf", realm, managed)
            }
        }

        /// The trees of a damaged file may be inconsistent.
        private final func _stopForStalePlace(_ what: String, _ realm: RealmInstance, _ managed: ManagedClass) {
            if realm.coordinator.host.foundDamage() != nil { return }
            preconditionFailure(
                "\(what) of \(managed.info.name), \(_rlmRow.key), moved, but its cached position isn't stale")
        }
    }
#endif
