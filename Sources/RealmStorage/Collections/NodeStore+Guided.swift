// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Changes of trees of ascending elements in places that a guide has led to.
extension NodeStore {
    /// Inserts like `treeInsert`, into a tree of `count` elements, and reports the change to the guide.
    func treeInsert(
        _ root: inout Ref, _ kind: LeafKind, _ value: StoredValue, at place: LeafPosition, of count: Int,
        by guide: FenceKeyIndex
    ) throws {
        if var leaf = try EditCursor(self, root, kind, place), try leaf.insert(value, at: place.index, &root, in: self)
        {
            return
        }
        try treeInsert(&root, kind, at: place.index, value)
        guide.changed(place.changedNumber(of: count), in: BPlusTree(space, root, kind, count: count + 1))
    }

    /// Erases like `treeErase`, from a tree of `count` elements, and reports the change to the guide.
    func treeErase(
        _ root: inout Ref, _ kind: LeafKind, at place: LeafPosition, of count: Int, by guide: FenceKeyIndex
    ) throws {
        if var leaf = try EditCursor(self, root, kind, place), try leaf.erase(at: place.index, &root, in: self) {
            return
        }
        try treeErase(&root, kind, at: place.index)
        guide.changed(place.number, in: BPlusTree(space, root, kind, count: count - 1))
    }

    /// Inserts like `treeInsert`, at the same index of a tree that mostly has leaves of the same lengths.
    func treeInsert(_ root: inout Ref, _ kind: LeafKind, _ value: StoredValue, beside place: LeafPosition) throws {
        let index = place.index
        if kind == .mixed, let descriptor = MixedDescriptor(inline: value),
            valueInsertInPlace(root, descriptor, beside: place)
        {
            return
        }
        if var leaf = try EditCursor(self, root, kind, at: index, beside: place),
            try leaf.insert(value, at: index, &root, in: self)
        {
            return
        }
        try treeInsert(&root, kind, at: index, value)
    }

    /// Erases like `treeErase`, at the same index of a tree that mostly has leaves of the same lengths.
    func treeErase(_ root: inout Ref, _ kind: LeafKind, beside place: LeafPosition) throws {
        let index = place.index
        if var leaf = try EditCursor(self, root, kind, at: index), try leaf.erase(at: index, &root, in: self) { return }
        try treeErase(&root, kind, at: index)
    }
}
