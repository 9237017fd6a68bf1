// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if DEBUG
    import RealmStorage

    extension ManagedCollection {
        /// Stops the process unless the cached state of the collection is correct. That of a frozen Realm can't be
        /// stale.
        @usableFromInline final func verifyFound() {
            guard !realm.isFrozen, !realm.isTroubled, let table = realm.table(owner.managed.tableKey),
                !table.hasDeferredDeletes
            else { return }
            do {
                if isCached(try realm.source?.collectionIfPresent(path)) { return }
            } catch { return }
            if realm.reader.host.foundDamage() != nil { return }
            preconditionFailure(
                "\(path.column) of \(owner.managed.name), \(owner.key), moved, but its cached position isn't stale"
            )
        }
    }
#endif
