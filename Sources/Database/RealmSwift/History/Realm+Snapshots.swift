// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

extension Realm {
    /// The number of the version that is read; it grows by one with each commit, also of other processes. During a
    /// write it is that of the version that the write began with. An addition to Realm's API.
    public var version: UInt64 {
        instance.verifyThread()
        return instance.transaction?.baseVersion ?? instance.currentSnapshot?.version ?? 0
    }

    /// This version of the Realm, unchanging, with a name that says why it is kept. An addition to Realm's API.
    ///
    /// ```swift
    /// let before = realm.freeze(label: "before import")
    /// try realm.write { importDogs() }
    /// print(try realm.changes(since: before))
    /// ```
    ///
    /// `Realm.pins()` and `realm pins FILE` list it under this name, about a hundred bytes of it, until it is released:
    /// what the newest version does not need of a version that is kept cannot be used again meanwhile, so the file
    /// grows with further writes. Otherwise as `freeze()`; other holders of the version have instances of their own.
    /// Traps if the version cannot be kept because the lock file has no free entry.
    public func freeze(label: String) -> Realm { Realm(instance.frozen(label: label)) }
}

extension RealmInstance {
    /// A frozen instance of the version that is read, whose pin has this name.
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
