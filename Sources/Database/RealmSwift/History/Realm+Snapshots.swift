// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

extension Realm {
    /// The number of the current version; it grows by one with each commit, including those of other processes. During
    /// a write it is the number of the version at the beginning of the write. An addition to Realm's API.
    public var version: UInt64 {
        instance.verifyThread()
        return instance.transaction?.baseVersion ?? instance.currentSnapshot?.version ?? 0
    }

    /// Returns a frozen Realm of this version, pinned under a label that describes the reason. An addition to Realm's
    /// API.
    ///
    /// ```swift
    /// let before = realm.freeze(label: "before import")
    /// try realm.write { importDogs() }
    /// print(try realm.changes(since: before))
    /// ```
    ///
    /// `Realm.pins()` and `realm pins FILE` list the pin under this label, limited to about 100 bytes, until the frozen
    /// Realm is released. While the version is pinned, the file can't reuse its space and grows with further writes.
    /// Each call returns its own instance; otherwise this behaves like `freeze()`. Traps if the version can't be pinned
    /// because the lock file has no free entry.
    public func freeze(label: String) -> Realm { Realm(instance.frozen(label: label)) }
}

extension RealmInstance {
    fileprivate func frozen(label: String) -> RealmInstance {
        verifyThread()
        return requiring {
            guard let version = frozen().snapshot else {
                throw StorageError(.fileAccess, "the Realm has no version to read from")
            }
            return RealmInstance(coordinator, configuration, frozen: try version.again(label: label))
        }
    }
}
