// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A column whose values may be stored over each other, as was found when `stamp` was that of the transaction's clock:
/// it is there, it has neither index nor null, and it is not the primary key.
struct OverwritableColumn {
    let column: ColumnKey
    let type: ColumnType
    let table: TableKey
    let stamp: ChangeStamp<RowExtent>

    static let none = OverwritableColumn(column: .null, type: .int, table: .null, stamp: .never)

    @inline(__always)
    func `is`(_ column: ColumnKey, of type: ColumnType, in table: TableKey, _ stamp: ChangeStamp<RowExtent>) -> Bool {
        self.stamp == stamp && self.column == column && self.type == type && self.table == table
    }
}
