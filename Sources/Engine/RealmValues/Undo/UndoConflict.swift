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

    package enum Reason: Sendable {
        /// An object that the group inserted or modified was deleted.
        case deletedSince
        /// An object that the group inserted was modified, or a property that it modified.
        case modifiedSince
        /// An object that the group deleted was recreated, or another one has its primary key.
        case insertedSince
        /// Another object, changed since, links to an object that the group inserted.
        case linkedSince
        /// The target of an old link was deleted.
        case targetDeletedSince
        /// The properties of the class have changed.
        case schemaChanged
    }
}
