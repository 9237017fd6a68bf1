// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension BPlusTree {
    /// The first position whose element `isBelow` denies; it must hold for the elements of some prefix only.
    ///
    /// Elements are looked at where they lie, one leaf at a time, so that strings need not be made.
    func partition(where isBelow: (ColumnLeaf, Int) throws -> Bool) throws -> Int {
        var cursor = BPlusTreeCursor(self)
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) >> 1
            let (leaf, row) = try cursor.position(middle)
            if try isBelow(leaf, row) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
