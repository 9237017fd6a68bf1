// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

struct ObjectDetector: ChangeDetector {
    let managed: ManagedClass
    let object: ObjectKey
    /// If nil, the object's own stored properties are observed.
    let filter: KeyPathFilter?

    var hasInitialCall: Bool { false }

    func mayHaveChanged(_ changes: VersionChanges) throws -> Bool {
        if !changes.diff.isSame(managed.tableKey) { return true }
        guard let filter else { return false }
        return changes.diff.changedTables.contains(where: filter.tables.contains)
    }

    func find(_ changes: VersionChanges, _ contents: ResultsCore.Contents?) throws -> DetectionResult {
        guard try changes.new.locate(object, in: managed.tableKey) != nil else {
            return DetectionResult(change: .deleted, isLast: true)
        }
        let changed = try filter?.changedProperties(of: object, changes) ?? ownProperties(changes)
        return DetectionResult(change: changed.isEmpty ? nil : .properties(changed))
    }

    private func ownProperties(_ changes: VersionChanges) throws -> [Int] {
        guard let columns = try changes.table(managed.tableKey).modification(of: object)?.columns else { return [] }
        return managed.columns.indices.filter { columns.contains(managed.columns[$0]) }
    }
}
