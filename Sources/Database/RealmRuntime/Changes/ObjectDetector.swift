// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Finds the changes of an object.
package struct ObjectDetector: ValueDetector {
    package let table: TableKey
    /// The columns of the stored properties, in the order of the class.
    package let columns: [ColumnKey]
    package let object: ObjectKey
    /// If nil, the object's own stored properties are observed.
    package let filter: KeyPathFilter?

    package init(table: TableKey, columns: [ColumnKey], object: ObjectKey, filter: KeyPathFilter?) {
        self.table = table
        self.columns = columns
        self.object = object
        self.filter = filter
    }

    package var hasInitialCall: Bool { false }

    package func mayHaveChanged(_ changes: VersionChanges) throws -> Bool {
        if !changes.diff.isSame(table) { return true }
        guard let filter else { return false }
        return changes.diff.changedTables.contains(where: filter.tables.contains)
    }

    package func find(_ changes: VersionChanges) throws -> DetectionResult {
        guard try changes.new.locate(object, in: table) != nil else {
            return DetectionResult(change: .deleted, isLast: true)
        }
        let changed = try filter?.changedProperties(of: object, changes) ?? ownProperties(changes)
        return DetectionResult(change: changed.isEmpty ? nil : .properties(changed))
    }

    private func ownProperties(_ changes: VersionChanges) throws -> [Int] {
        guard let changed = try changes.table(table).modification(of: object)?.columns else { return [] }
        return columns.indices.filter { changed.contains(columns[$0]) }
    }
}
