// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A version that observers were notified of, or are to be notified of next. Pinned as long as they need it.
///
/// Immutable; the instance is a frozen one, which all threads may read, hence `@unchecked`.
final class ObservedVersion: @unchecked Sendable {
    /// What pins of observers are called.
    static let label = "observer"

    let instance: RealmInstance
    let snapshot: Snapshot

    /// Takes over a snapshot, whose pin is that of an observer.
    init(_ snapshot: Snapshot, _ coordinator: RealmCoordinator, _ configuration: Realm.Configuration) {
        self.snapshot = snapshot
        instance = RealmInstance(coordinator, configuration, frozen: snapshot)
    }

    var number: UInt64 { snapshot.version }

    /// The row's table and its place; nil if there is no such object.
    func locate(_ key: ObjectKey, in table: TableKey) throws -> (table: Table, position: ClusterTree.Position)? {
        guard let table = try snapshot.table(table), let position = try table.find(key) else { return nil }
        return (table, position)
    }
}
