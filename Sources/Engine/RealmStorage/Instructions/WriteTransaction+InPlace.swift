// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Overwriting numbers in place, for callers that have the object's leaf and row.
///
/// In a loop that assigns a property of one object after another, the leaf is dirty for all rows but the first. Then no
/// node moves, no index is updated, and only the number is written.
extension WriteTransaction {
    /// Stores an integer, or a Bool as 0 or 1, in row `row` of a cluster leaf of this transaction's view.
    ///
    /// Returns false, without effect, if more has to be done: if the column leaf isn't dirty or is too narrow, or if
    /// the column has an index, is nullable, or has another type than `type`. `leaf` must be the object's current leaf,
    /// which it is while `clock.clusterLeaf` is unchanged.
    package func overwrite(
        _ value: Int64, _ type: ColumnType, _ column: ColumnKey, in table: TableKey, row: Int, of leaf: Node
    ) -> Bool {
        guard let node = numbers(type, column, in: table, of: leaf), store.overwrite(node, row, value) else {
            return false
        }
        record(.value)
        return true
    }

    /// Overwrites a Double, under the same conditions as `overwrite` of an integer.
    package func overwrite(
        _ value: Double, _ column: ColumnKey, in table: TableKey, row: Int, of leaf: Node
    ) -> Bool {
        guard let node = numbers(.double, column, in: table, of: leaf), store.overwrite(node, row, value) else {
            return false
        }
        record(.value)
        return true
    }

    @inline(__always)
    private func numbers(
        _ type: ColumnType, _ column: ColumnKey, in table: TableKey, of leaf: Node
    ) -> Node? {
        // The table of a dirty leaf is already marked as changed.
        guard space.isDirty(leaf.ref), !isRecorded else { return nil }
        if unsafe !overwritableColumn.is(column, of: type, in: table, clock.rows) {
            guard isPlain(column, of: type, in: table) else { return nil }
            unsafe overwritableColumn = OverwritableColumn(
                column: column, type: type, table: table, stamp: clock.rows)
        }
        let slot = column.leafIndex &+ 1
        guard slot < leaf.count else { return nil }
        // A tagged number isn't a ref.
        return space.nodeOrNil(Ref(element: unsafe Node.load(leaf.payload, slot, leaf.header.widthCode)))
    }

    private func isPlain(_ column: ColumnKey, of type: ColumnType, in key: TableKey) -> Bool {
        guard column.type == type, column.attributes.isDisjoint(with: [.nullable, .list, .set, .dictionary]),
            let table = try? table(key), table.position(of: column) != nil
        else { return false }
        return !table.hasIndex(column) && column != table.primaryKey
    }
}
