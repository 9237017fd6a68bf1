// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

package struct UndoConflict: Error {
    package let conflicts: [Conflict]

    package struct Conflict: Sendable {
        package let reason: Reason
        package let table: TableKey
        package let object: ObjectKey
        package let column: ColumnKey?
        package let version: Snapshot
    }

    /// See `Realm.UndoConflict.Conflict.Reason`.
    package enum Reason: Sendable {
        case deletedSince, modifiedSince, insertedSince, linkedSince, targetDeletedSince, schemaChanged
    }
}
