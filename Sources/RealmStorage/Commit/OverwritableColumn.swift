// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A column whose values may be stored over each other, as was found when `structureCount` was that of the transaction:
/// it is there, it has neither index nor null, and it is not the primary key.
struct OverwritableColumn {
    let column: ColumnKey
    let type: ColumnType
    let table: TableKey
    let structureCount: UInt64

    static let none = OverwritableColumn(column: .null, type: .int, table: .null, structureCount: .max)

    @inline(__always)
    func `is`(_ column: ColumnKey, of type: ColumnType, in table: TableKey, _ structureCount: UInt64) -> Bool {
        self.structureCount == structureCount && self.column == column && self.type == type && self.table == table
    }
}
