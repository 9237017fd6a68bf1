// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A version that observers were notified of, or the next one for which they will be notified. Pinned while
/// an observer retains it.
///
/// Immutable; the instance is a frozen one, which all threads may read, hence `@unchecked`.
final class ObservedVersion: @unchecked Sendable {
    static let label = "observer"

    let instance: RealmInstance
    let snapshot: Snapshot

    init(_ snapshot: Snapshot, _ coordinator: RealmCoordinator, _ configuration: Realm.Configuration) {
        self.snapshot = snapshot
        instance = RealmInstance(coordinator, configuration, frozen: snapshot)
    }

    var number: UInt64 { snapshot.version }
}
