// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Changes in a leaf that stays open from one call to the next.
extension BPlusTreeEditor {
    /// Inserts a value.
    package func insert(_ root: inout Ref, at index: Int, _ value: StoredValue, in open: inout EditCursor?) throws {
        if try change(root, at: index, in: &open, { try $0.insert(value, at: index, &root, in: store) }) { return }
        try insert(&root, at: index, value)
    }

    /// Inserts values one after another, with the same tree as one `insert` for each. If it fails, some may have been
    /// inserted.
    package func insert(_ root: inout Ref, at index: Int, contentsOf values: [StoredValue], in open: inout EditCursor?)
        throws
    {
        var done = 0
        while done < values.count {
            let rest = values[done...]
            let place = index + done
            var inserted = 0
            let isInserted = try change(root, at: place, in: &open) {
                inserted = try $0.insert(rest, at: place, &root, in: store)
                return inserted > 0
            }
            if !isInserted { try insert(&root, at: place, values[done]) }
            done += max(inserted, 1)
        }
    }

    /// Removes element `index` and the nodes it owns.
    package func erase(_ root: inout Ref, at index: Int, in open: inout EditCursor?) throws {
        if try change(root, at: index, in: &open, { try $0.erase(at: index, &root, in: store) }) { return }
        try erase(&root, at: index)
    }

    /// Lets `body` change the leaf that is open, or else the one that `index` is in. If neither will do, none is open.
    private func change(
        _ root: Ref, at index: Int, in open: inout EditCursor?, _ body: (inout EditCursor) throws -> Bool
    ) throws -> Bool {
        open?.verify(in: root, space)
        if open != nil, try body(&open!) { return true }
        open = nil
        guard root != 0, var leaf = try EditCursor(self, root, at: index), try body(&leaf) else { return false }
        open = leaf
        return true
    }
}
