// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

package struct ReachDetector: ValueDetector {
    package let table: TableKey
    package let object: ObjectKey

    package init(table: TableKey, object: ObjectKey) {
        self.table = table
        self.object = object
    }

    package var hasInitialCall: Bool { false }

    package func mayHaveChanged(_ changes: VersionChanges) throws -> Bool { try changes.touches(table) }

    package func find(_ changes: VersionChanges) throws -> DetectionResult {
        guard try changes.new.locate(object, in: table) != nil else {
            return DetectionResult(change: .deleted, isLast: true)
        }
        return DetectionResult(change: try changes.reaches(object, of: table) ? .properties([]) : nil)
    }
}
