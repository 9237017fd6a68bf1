// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A query of a class that has no table yet, in a read-only Realm whose file receives downloads.
///
/// The steps of the query are compiled after the table and its columns exist.
///
/// Immutable; the functions of the steps have only immutable values, hence `@unchecked`.
package final class AwaitedQuery: @unchecked Sendable {
    /// The class without its table.
    let unstored: ManagedClass
    /// Returns the class as an instance stores it.
    private let find: (RealmInstance) -> ManagedClass
    private let steps: [(LiveQuery) -> LiveQuery]

    package convenience init(_ unstored: ManagedClass, _ find: @escaping (RealmInstance) -> ManagedClass) {
        self.init(unstored, find, [])
    }

    private init(
        _ unstored: ManagedClass, _ find: @escaping (RealmInstance) -> ManagedClass, _ steps: [(LiveQuery) -> LiveQuery]
    ) {
        self.unstored = unstored
        self.find = find
        self.steps = steps
    }

    func adding(_ step: @escaping (LiveQuery) -> LiveQuery) -> AwaitedQuery {
        AwaitedQuery(unstored, find, steps + [step])
    }

    /// nil if the version that is read doesn't have the table.
    func query(in realm: RealmInstance) -> LiveQuery? {
        let managed = find(realm)
        guard managed.isStored, realm.table(managed.tableKey) != nil else { return nil }
        return steps.reduce(LiveQuery(realm, .table, elementClass: managed)) { $1($0) }
    }
}
