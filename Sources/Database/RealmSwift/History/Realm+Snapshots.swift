// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

extension Realm {
    /// The number of the current version; it grows by one with each commit, including those of other processes. During
    /// a write it is the number of the version at the beginning of the write. An addition to Realm's API.
    public var version: UInt64 {
        instance.verifyThread()
        return instance.transaction?.baseVersion ?? instance.currentSnapshot?.version ?? 0
    }

    /// Returns this version of the Realm, immutable, with a label that says why it is pinned. An addition to Realm's
    /// API.
    ///
    /// ```swift
    /// let before = realm.freeze(label: "before import")
    /// try realm.write { importDogs() }
    /// print(try realm.changes(since: before))
    /// ```
    ///
    /// `Realm.pins()` and `realm pins FILE` list it under this label, limited to about a hundred bytes, until it is
    /// released. Meanwhile the file can't reuse the version's space, so it grows with further writes. Otherwise as
    /// `freeze()`; other pins of the version have their own instances. Traps if the version can't be pinned because the
    /// lock file has no free entry.
    public func freeze(label: String) -> Realm { Realm(instance.frozen(label: label)) }
}

extension RealmInstance {
    /// Returns a frozen instance of the current version, whose pin has this label.
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
