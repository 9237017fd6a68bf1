// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Erasure in a B+tree (container 4.4, 4.5).
extension BPlusTreeEditor {
    /// A tree without elements keeps an empty leaf.
    package func erase(_ root: inout Ref, at index: Int) throws {
        try splitOversizedRoot(&root)
        try requireElement(index, of: root)
        let context = try kind == .key && store.node(root).header.hasContext
        try erase(&root, at: index, depth: 0)
        while true {
            let node = try store.node(root)
            guard node.header.isInner, node.count == 3 else { break }
            let child = try node.child(1)
            try freeBranch(root)
            root = child
        }
        if kind == .key { try store.setContext(&root, context) }
    }

    private func erase(_ ref: inout Ref, at index: Int, depth: Int) throws {
        guard try store.node(ref).header.isInner else { return try leaves.erase(&ref, at: index) }
        guard depth < BPlusTree.maximumDepth else {
            throw StorageError.corrupt("list nodes nested without end", at: ref)
        }
        try makeGeneral(&ref)
        let node = try store.node(ref)
        let position = try TreeBranch.child(of: node, holding: index, in: space)
        var child = try node.child(position.child + 1)
        let before = child
        try erase(&child, at: index - position.offset, depth: depth + 1)
        if child != before { try store.set(&ref, position.child + 1, child.element) }
        try addToBranch(&ref, child: position.child, by: -1)
        try rebalance(&ref, child: position.child)
    }

    private func rebalance(_ ref: inout Ref, child index: Int) throws {
        let node = try store.node(ref)
        let childCount = node.count - 2
        let child = try node.child(index + 1)
        let size = try width(of: child)
        if size == 0 {
            guard childCount > 1 else { return }
            try store.freeTree(child)
            try removeChild(&ref, index, endingAt: index)
        } else if index + 1 < childCount, size < store.treeCapacity / 2 {
            let sibling = try node.child(index + 2)
            guard size + (try width(of: sibling)) < store.treeCapacity * 3 / 4 else { return }
            var merged = child
            try merge(&merged, with: sibling)
            try store.set(&ref, index + 1, merged.element)
            try removeChild(&ref, index + 1, endingAt: index)
        }
    }

    /// A branch without elements counts as empty.
    private func width(of ref: Ref) throws -> Int {
        let node = try store.node(ref)
        guard node.header.isInner else { return try ColumnLeaf(space, ref, kind).count }
        return try node.tagged(node.count - 1) == 0 ? 0 : node.count - 2
    }

    private func removeChild(_ ref: inout Ref, _ index: Int, endingAt offset: Int) throws {
        let node = try store.node(ref)
        var offsets = try node.child(0)
        let count = try store.node(offsets).count
        // The last child has no offset; its predecessor's is removed.
        try store.removeUnsigned(&offsets, min(offset, count - 1))
        try store.set(&ref, 0, offsets.element)
        try store.remove(&ref, index + 1)
    }

    private func merge(_ ref: inout Ref, with sibling: Ref) throws {
        guard try store.node(ref).header.isInner else { return try leaves.append(&ref, contentsOf: sibling) }
        var left = try TreeBranch(try store.node(ref), in: space)
        let right = try TreeBranch(try store.node(sibling), in: space)
        let total = left.total
        left.compactSize = nil
        left.children += right.children
        left.ends += right.ends.map { $0 + total }
        try freeBranch(sibling)
        try left.replace(&ref, in: store)
    }

    /// Doesn't free the children.
    private func freeBranch(_ ref: Ref) throws {
        let node = try store.node(ref)
        if !Tagged.isTagged(node[0]) { try store.free(Ref(element: node[0])) }
        try store.free(ref)
    }
}
