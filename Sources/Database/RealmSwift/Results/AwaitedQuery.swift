// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A query of a class that has no table yet, in a read-only Realm whose file receives downloads.
///
/// The steps of the query are compiled after the table and its columns exist.
///
/// Immutable; the functions of the steps have only immutable values, hence `@unchecked`.
final class AwaitedQuery: @unchecked Sendable {
    let type: ObjectBase.Type
    private let steps: [(ResultsCore) -> ResultsCore]

    init(_ type: ObjectBase.Type, _ steps: [(ResultsCore) -> ResultsCore] = []) {
        (self.type, self.steps) = (type, steps)
    }

    func adding(_ step: @escaping (ResultsCore) -> ResultsCore) -> AwaitedQuery { AwaitedQuery(type, steps + [step]) }

    /// nil if the version that is read doesn't have the table.
    func query(in realm: RealmInstance) -> ResultsCore? {
        let managed = realm.requireManaged(type)
        guard managed.isStored, realm.table(managed.tableKey) != nil else { return nil }
        return steps.reduce(ResultsCore(realm, .table, elementClass: managed)) { $1($0) }
    }
}
