// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The editors of a column's own collection.
extension WriteTransaction {
    package func list(_ column: ColumnKey, of object: ObjectKey, in table: TableKey) -> ListWriter {
        list(at: CollectionPath(column, of: object, in: table))
    }

    package func set(_ column: ColumnKey, of object: ObjectKey, in table: TableKey) -> SetWriter {
        set(at: CollectionPath(column, of: object, in: table))
    }

    package func dictionary(_ column: ColumnKey, of object: ObjectKey, in table: TableKey) -> DictionaryWriter {
        dictionary(at: CollectionPath(column, of: object, in: table))
    }
}
