// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Changing and shrinking a B+tree (container 4.4, 4.5).
extension NodeStore {
    /// Replaces element `index`.
    package func treeSet(_ root: inout Ref, _ kind: LeafKind, at index: Int, _ value: StoredValue) throws {
        try treeModifyLeaf(&root, kind, holding: index) { store, leaf, row in
            try store.leafSet(&leaf, kind, at: row, value)
        }
    }

    /// Lets `body` change, without changing its length, the leaf that holds element `index`.
    package func treeModifyLeaf<Result>(
        _ root: inout Ref, _ kind: LeafKind, holding index: Int,
        _ body: (NodeStore, inout Ref, Int) throws -> Result
    ) throws -> Result {
        try splitOversizedRoot(&root, kind)
        try requireElement(index, of: root, kind)
        return try modifyLeaf(&root, kind, index, depth: 0, body)
    }

    private func modifyLeaf<Result>(
        _ ref: inout Ref, _ kind: LeafKind, _ index: Int, depth: Int,
        _ body: (NodeStore, inout Ref, Int) throws -> Result
    ) throws -> Result {
        let node = try node(ref)
        guard node.header.isInner else { return try body(self, &ref, index) }
        guard depth < BPlusTree.maximumDepth else {
            throw StorageError.corrupt("list nodes nested without end", at: ref)
        }
        let position = try TreeBranch.child(of: node, holding: index, in: space)
        var child = try node.child(position.child + 1)
        let before = child
        let result = try modifyLeaf(&child, kind, index - position.offset, depth: depth + 1, body)
        if child != before { try set(&ref, position.child + 1, child.element) }
        return result
    }

    /// Removes element `index` and what it owns. An emptied tree stays as an empty leaf.
    package func treeErase(_ root: inout Ref, _ kind: LeafKind, at index: Int) throws {
        try splitOversizedRoot(&root, kind)
        try requireElement(index, of: root, kind)
        let context = try kind == .key && node(root).header.hasContext
        try erase(&root, kind, at: index, depth: 0)
        while true {
            let node = try node(root)
            guard node.header.isInner, node.count == 3 else { break }
            let child = try node.child(1)
            try freeBranch(root)
            root = child
        }
        if kind == .key { try setContext(&root, context) }
    }

    private func erase(_ ref: inout Ref, _ kind: LeafKind, at index: Int, depth: Int) throws {
        guard try node(ref).header.isInner else { return try leafErase(&ref, kind, at: index) }
        guard depth < BPlusTree.maximumDepth else {
            throw StorageError.corrupt("list nodes nested without end", at: ref)
        }
        try makeGeneral(&ref)
        let node = try node(ref)
        let position = try TreeBranch.child(of: node, holding: index, in: space)
        var child = try node.child(position.child + 1)
        let before = child
        try erase(&child, kind, at: index - position.offset, depth: depth + 1)
        if child != before { try set(&ref, position.child + 1, child.element) }
        try addToBranch(&ref, child: position.child, by: -1)
        try rebalance(&ref, kind, child: position.child)
    }

    /// Removes an emptied child, or merges a small one with its right sibling.
    private func rebalance(_ ref: inout Ref, _ kind: LeafKind, child index: Int) throws {
        let node = try node(ref)
        let childCount = node.count - 2
        let child = try node.child(index + 1)
        let size = try width(of: child, kind)
        if size == 0 {
            guard childCount > 1 else { return }
            try freeTree(child)
            try removeChild(&ref, index, endingAt: index)
        } else if index + 1 < childCount, size < treeCapacity / 2 {
            let sibling = try node.child(index + 2)
            guard size + (try width(of: sibling, kind)) < treeCapacity * 3 / 4 else { return }
            var merged = child
            try merge(&merged, kind, with: sibling)
            try set(&ref, index + 1, merged.element)
            try removeChild(&ref, index + 1, endingAt: index)
        }
    }

    /// Elements of a leaf or children of a branch. A branch that lost all its elements counts as empty.
    private func width(of ref: Ref, _ kind: LeafKind) throws -> Int {
        let node = try node(ref)
        guard node.header.isInner else { return try ColumnLeaf(space, ref, kind).count }
        return try node.tagged(node.count - 1) == 0 ? 0 : node.count - 2
    }

    /// Takes child `index` out of a general branch; the offset at `offset` goes with it.
    private func removeChild(_ ref: inout Ref, _ index: Int, endingAt offset: Int) throws {
        let node = try node(ref)
        var offsets = try node.child(0)
        let count = try self.node(offsets).count
        // The last child has no offset of its own: what goes is the one of the child before it.
        try removeUnsigned(&offsets, min(offset, count - 1))
        try set(&ref, 0, offsets.element)
        try remove(&ref, index + 1)
    }

    private func merge(_ ref: inout Ref, _ kind: LeafKind, with sibling: Ref) throws {
        guard try node(ref).header.isInner else { return try leafAppend(&ref, kind, contentsOf: sibling) }
        var left = try TreeBranch(try node(ref), in: space)
        let right = try TreeBranch(try node(sibling), in: space)
        let total = left.total
        left.compactSize = nil
        left.children += right.children
        left.ends += right.ends.map { $0 + total }
        try freeBranch(sibling)
        try left.replace(&ref, in: self)
    }

    /// Frees a branch node and its offsets, but not its children.
    private func freeBranch(_ ref: Ref) throws {
        let node = try node(ref)
        if !Tagged.isTagged(node[0]) { try free(Ref(element: node[0])) }
        try free(ref)
    }

    private func requireElement(_ index: Int, of root: Ref, _ kind: LeafKind) throws {
        let count = try BPlusTree.count(space, root, kind)
        guard index >= 0, index < count else {
            throw StorageError.absent("element \(index) of a list of \(count)")
        }
    }
}
