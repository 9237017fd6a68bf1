// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

extension Realm {
    /// The number of the current version; it grows by one with each commit, including those of other processes. During
    /// a write it is the number of the version at the beginning of the write. An addition to Realm's API.
    public var version: UInt64 {
        instance.verifyThread()
        return instance.transaction?.baseVersion ?? instance.currentSnapshot?.version ?? 0
    }

    /// Returns a frozen Realm of this version, pinned under a label that describes the reason. The result can be sent
    /// to other threads and actors. An addition to Realm's API.
    ///
    /// ```swift
    /// let before = try realm.snapshot(label: "before import")
    /// try realm.write { importDogs() }
    /// print(try realm.diff(since: before))
    /// ```
    ///
    /// `Realm.pins()` and `realm pins FILE` list the pin under this label, limited to about 100 bytes, until the
    /// snapshot is released. While the version is pinned, the file can't reuse its space and grows with further writes.
    /// Each call returns its own instance; otherwise the frozen Realm is like that of `freeze()`.
    ///
    /// - Throws: `Realm.Error` if the version can't be pinned, for example because the lock file has no free entry.
    public func snapshot(label: String) throws -> Frozen<Realm> {
        do {
            let version = try instance.pinnedVersion(label: label)
            return Frozen(Realm(RealmInstance(instance.coordinator, configuration, frozen: version)))
        } catch {
            throw Realm.Error(error)
        }
    }
}

extension RealmInstance {
    /// Returns the version that is read, with a pin of its own; during a write, the version before the write.
    func pinnedVersion(label: String) throws -> Snapshot {
        verifyThread()
        let version = try isFrozen ? snapshot : settledVersion()
        return try version?.again(label: label) ?? coordinator.database.snapshot(label: label)
    }
}
