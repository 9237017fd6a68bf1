// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension BPlusTreeEditor {
    package func set(_ root: inout Ref, at index: Int, _ value: StoredValue) throws {
        try modifyLeaf(&root, holding: index) { leaves, leaf, row in
            try leaves.set(&leaf, at: row, value)
        }
    }

    /// `body` must not change the length of the leaf.
    package func modifyLeaf<Result>(
        _ root: inout Ref, holding index: Int, _ body: (ColumnLeafEditor, inout Ref, Int) throws -> Result
    ) throws -> Result {
        try splitOversizedRoot(&root)
        try requireElement(index, of: root)
        return try modifyLeaf(&root, index, depth: 0, body)
    }

    private func modifyLeaf<Result>(
        _ ref: inout Ref, _ index: Int, depth: Int,
        _ body: (ColumnLeafEditor, inout Ref, Int) throws -> Result
    ) throws -> Result {
        let node = try store.node(ref)
        guard node.header.isInner else { return try body(leaves, &ref, index) }
        guard depth < BPlusTree.maximumDepth else {
            throw StorageError.corrupt("list nodes nested without end", at: ref)
        }
        let position = try TreeBranch.child(of: node, holding: index, in: space)
        var child = try node.child(position.child + 1)
        let before = child
        let result = try modifyLeaf(&child, index - position.offset, depth: depth + 1, body)
        if child != before { try store.set(&ref, position.child + 1, child.element) }
        return result
    }

    func requireElement(_ index: Int, of root: Ref) throws {
        let count = try BPlusTree.count(space, root, kind)
        guard index >= 0, index < count else {
            throw StorageError.absent("element \(index) of a list of \(count)")
        }
    }
}
