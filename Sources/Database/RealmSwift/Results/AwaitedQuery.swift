// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A query of a class whose table has not come yet: the Realm is a read-only one whose file is written by downloads.
///
/// What is to be done with the elements can be compiled only once there are columns.
final class AwaitedQuery {
    let type: ObjectBase.Type
    private let steps: [(ResultsCore) -> ResultsCore]

    init(_ type: ObjectBase.Type, _ steps: [(ResultsCore) -> ResultsCore] = []) {
        (self.type, self.steps) = (type, steps)
    }

    func adding(_ step: @escaping (ResultsCore) -> ResultsCore) -> AwaitedQuery { AwaitedQuery(type, steps + [step]) }

    /// The query, if the version that is read has the table.
    func query(in realm: RealmInstance) -> ResultsCore? {
        let managed = realm.requireManaged(type)
        guard managed.isStored, realm.table(managed.tableKey) != nil else { return nil }
        return steps.reduce(ResultsCore(realm, .table, elementClass: managed)) { $1($0) }
    }
}
