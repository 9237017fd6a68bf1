// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The later changes that prevent undoing a group of changes.
package struct UndoConflict: Error {
    package let conflicts: [Conflict]

    package struct Conflict: Sendable {
        package let reason: Reason
        package let table: TableKey
        package let object: ObjectKey
        package let column: ColumnKey?
        /// The version in which the object exists.
        package let version: Snapshot
    }

    /// See `Realm.UndoConflict.Conflict.Reason`.
    package enum Reason: Sendable {
        case deletedSince, modifiedSince, insertedSince, linkedSince, targetDeletedSince, schemaChanged
    }
}
