// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Changes in a leaf that stays open between calls.
extension BPlusTreeEditor {
    package func insert(_ root: inout Ref, at index: Int, _ value: StoredValue, in open: inout EditCursor?) throws {
        if try change(root, at: index, in: &open, { try $0.insert(value, at: index, &root, in: store) }) { return }
        try insert(&root, at: index, value)
    }

    /// The resulting tree equals that of one `insert` for each value. If this throws, some may have been inserted.
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

    package func erase(_ root: inout Ref, at index: Int, in open: inout EditCursor?) throws {
        if try change(root, at: index, in: &open, { try $0.erase(at: index, &root, in: store) }) { return }
        try erase(&root, at: index)
    }

    /// Calls `body` with the open leaf, and otherwise with the leaf of element `index`, which is then open. If neither
    /// can be changed, no leaf is open afterwards.
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
