// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

#if canImport(Observation)
    import Observation

    /// Properties of live objects, and their collections, support Swift's Observation: reads within
    /// `withObservationTracking` are tracked until the values change.
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    extension ObjectBase: Observable {}
#endif

extension ObjectBase {
    /// Called for every read whose confinement isn't checked by thread alone.
    @inline(__always) final func trackRead(_ key: PropertyKey) {
        guard let realm = _rlmRow.realm, let tracker = realm.tracker, tracker.isTracking else { return }
        trackRead(key, realm, tracker)
    }

    @inline(never) private final func trackRead(_ key: PropertyKey, _ realm: RealmInstance, _ tracker: ReadTracker) {
        guard let managed = _rlmRow.managed else { return }
        tracker.read(.property(managed.tableKey, _rlmRow.key, managed.columnKey(key)), in: realm)
    }

    final func trackExistence() {
        guard let realm = _rlmRow.realm, let tracker = realm.tracker, tracker.isTracking,
            let managed = _rlmRow.managed
        else { return }
        tracker.read(.object(managed.tableKey, _rlmRow.key), in: realm)
    }
}
