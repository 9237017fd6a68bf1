// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension BPlusTreeEditor {
    /// Inserts like `insert(_:at:_:)` into a tree of `count` elements, and updates the fence keys.
    func insert(
        _ root: inout Ref, _ value: StoredValue, at place: LeafPosition, of count: Int, by fenceIndex: FenceKeyIndex
    )
        throws
    {
        if var leaf = try EditCursor(self, root, place), try leaf.insert(value, at: place.index, &root, in: store) {
            return
        }
        try insert(&root, at: place.index, value)
        fenceIndex.changed(place.changedNumber(of: count), in: BPlusTree(space, root, kind, count: count + 1))
    }

    /// Erases like `erase(_:at:)` from a tree of `count` elements, and updates the fence keys.
    func erase(_ root: inout Ref, at place: LeafPosition, of count: Int, by fenceIndex: FenceKeyIndex) throws {
        if var leaf = try EditCursor(self, root, place), try leaf.erase(at: place.index, &root, in: store) {
            return
        }
        try erase(&root, at: place.index)
        fenceIndex.changed(place.number, in: BPlusTree(space, root, kind, count: count - 1))
    }

    /// Inserts like `insert(_:at:_:)` at the index of `place`, a position in a tree with mostly the same leaf lengths.
    func insert(_ root: inout Ref, _ value: StoredValue, near place: LeafPosition) throws {
        let index = place.index
        if kind == .mixed, let descriptor = MixedDescriptor(inline: value),
            insertInPlace(root, descriptor, near: place)
        {
            return
        }
        if var leaf = try EditCursor(self, root, at: index, near: place),
            try leaf.insert(value, at: index, &root, in: store)
        {
            return
        }
        try insert(&root, at: index, value)
    }

    func erase(_ root: inout Ref, near place: LeafPosition) throws {
        let index = place.index
        if var leaf = try EditCursor(self, root, at: index), try leaf.erase(at: index, &root, in: store) { return }
        try erase(&root, at: index)
    }
}
