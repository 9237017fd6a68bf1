// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Numbers stored over others, by callers that know the place.
///
/// A loop that assigns a property of one object after the other finds the leaf dirty for all rows but the first. Then
/// nothing moves, no index is asked, and all there is to do is to write the number.
extension WriteTransaction {
    /// Stores an integer, or a Bool as 0 or 1, in row `row` of a cluster leaf of this transaction's view.
    ///
    /// False, and nothing was done, where that takes more than writing it: the column leaf is not dirty or too narrow,
    /// or the column has an index, null, or another type than `type`. `leaf` must be where the object is now, as it is
    /// for as long as `clock.clusterLeaf` stays.
    package func overwrite(
        _ value: Int64, _ type: ColumnType, _ column: ColumnKey, in table: TableKey, row: Int, of leaf: Node
    ) -> Bool {
        guard let node = numbers(type, column, in: table, of: leaf), store.overwrite(node, row, value) else {
            return false
        }
        record(.value)
        return true
    }

    /// Stores a Double over another one, under the same conditions as `overwrite` of an integer.
    package func overwrite(
        _ value: Double, _ column: ColumnKey, in table: TableKey, row: Int, of leaf: Node
    ) -> Bool {
        guard let node = numbers(.double, column, in: table, of: leaf), store.overwrite(node, row, value) else {
            return false
        }
        record(.value)
        return true
    }

    /// The column's own node in a leaf, if values are nothing but its elements.
    @inline(__always)
    private func numbers(
        _ type: ColumnType, _ column: ColumnKey, in table: TableKey, of leaf: Node
    ) -> Node? {
        // A dirty leaf is that of a table that is noted as changed already.
        guard space.isDirty(leaf.ref), !isRecorded else { return nil }
        if unsafe !plainColumn.is(column, of: type, in: table, clock.rows) {
            guard isPlain(column, of: type, in: table) else { return nil }
            unsafe plainColumn = OverwritableColumn(
                column: column, type: type, table: table, stamp: clock.rows)
        }
        let slot = column.leafIndex &+ 1
        guard slot < leaf.count else { return nil }
        // A number instead of a ref leads nowhere.
        return space.nodeOrNil(Ref(element: unsafe Node.load(leaf.payload, slot, leaf.header.widthCode)))
    }

    private func isPlain(_ column: ColumnKey, of type: ColumnType, in key: TableKey) -> Bool {
        guard column.type == type, column.attributes.isDisjoint(with: [.nullable, .list, .set, .dictionary]),
            let table = try? table(key), table.position(of: column) != nil
        else { return false }
        return !table.hasIndex(column) && column != table.primaryKey
    }
}
