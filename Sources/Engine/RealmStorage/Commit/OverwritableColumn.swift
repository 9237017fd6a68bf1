// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A column whose values can be overwritten in place: it exists, has no index, isn't nullable, and isn't the primary
/// key. Verified when the transaction's clock had the value `stamp`.
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
