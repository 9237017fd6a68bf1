// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Insertion into a B+tree (container 4.4, 4.5).
extension BPlusTreeEditor {
    /// An `index` equal to the count appends. For a root of 0, creates a tree.
    package func insert(_ root: inout Ref, at index: Int, _ value: StoredValue) throws {
        if root == 0 { root = try create() }
        try splitOversizedRoot(&root)
        let count = try BPlusTree.count(space, root, kind)
        guard index >= 0, index <= count else {
            throw StorageError.absent("position \(index) in a list of \(count)")
        }
        let append = try index == count && isRegularlyCompact(root)
        guard let split = try insert(&root, at: index, value, append: append, depth: 0) else { return }
        try growRoot(&root, split, total: count + 1, compact: append)
    }

    struct TreeSplit {
        var sibling: Ref
        /// The number of elements before the sibling's.
        var leftCount: Int
    }

    private func insert(
        _ ref: inout Ref, at index: Int, _ value: StoredValue, append: Bool, depth: Int
    ) throws -> TreeSplit? {
        let node = try store.node(ref)
        guard node.header.isInner else { return try insertInLeaf(&ref, at: index, value) }
        guard depth < BPlusTree.maximumDepth else {
            throw StorageError.corrupt("list nodes nested without end", at: ref)
        }
        if !append { try makeGeneral(&ref) }
        let branch = try store.node(ref)
        let position = try childForInsert(branch, at: index)
        var child = try branch.child(position.child + 1)
        let before = child
        let split = try insert(&child, at: index - position.offset, value, append: append, depth: depth + 1)
        if child != before { try store.set(&ref, position.child + 1, child.element) }
        try addToBranch(&ref, child: position.child, by: 1)
        guard let split else { return nil }
        return try insertSibling(&ref, after: position.child, childOffset: position.offset, split, append: append)
    }

    private func insertInLeaf(_ ref: inout Ref, at index: Int, _ value: StoredValue) throws -> TreeSplit? {
        let count = try ColumnLeaf(space, ref, kind).count
        if count < store.treeCapacity {
            try leaves.insert(&ref, at: index, value)
            return nil
        }
        if index == count {
            var sibling = try create()
            try leaves.insert(&sibling, at: 0, value)
            return TreeSplit(sibling: sibling, leftCount: count)
        }
        let sibling = try leaves.moveSuffix(&ref, from: index)
        try leaves.insert(&ref, at: index, value)
        return TreeSplit(sibling: sibling, leftCount: index + 1)
    }

    private func childForInsert(_ node: Node, at index: Int) throws -> (child: Int, offset: Int) {
        let total = Int(clamping: try node.tagged(node.count - 1))
        guard index == total, total > 0 else { return try TreeBranch.child(of: node, holding: index, in: space) }
        return try TreeBranch.child(of: node, holding: total - 1, in: space)
    }

    func addToBranch(_ ref: inout Ref, child index: Int, by delta: Int) throws {
        let node = try store.node(ref)
        // The last child has no offset after it.
        if index < node.count - 3, !Tagged.isTagged(node[0]) {
            var offsets = Ref(element: node[0])
            let before = offsets
            try store.adjustUnsigned(&offsets, from: index, by: Int64(delta))
            if offsets != before { try store.set(&ref, 0, offsets.element) }
        }
        let last = node.count - 1
        try store.set(&ref, last, Tagged.encode(Tagged.decode(node[last]) &+ UInt64(bitPattern: Int64(delta))))
    }

    private func insertSibling(
        _ ref: inout Ref, after index: Int, childOffset: Int, _ split: TreeSplit, append: Bool
    ) throws -> TreeSplit? {
        let node = try store.node(ref)
        let childCount = node.count - 2
        guard childCount >= store.treeCapacity else {
            if !Tagged.isTagged(node[0]) {
                var offsets = Ref(element: node[0])
                try store.insertUnsigned(&offsets, index, UInt64(childOffset + split.leftCount))
                try store.set(&ref, 0, offsets.element)
            }
            try store.insert(&ref, index + 2, split.sibling.element)
            return nil
        }
        return try splitBranch(&ref, after: index, childOffset: childOffset, split, append: append)
    }

    private func splitBranch(
        _ ref: inout Ref, after index: Int, childOffset: Int, _ split: TreeSplit, append: Bool
    ) throws -> TreeSplit? {
        let branch = try TreeBranch(try store.node(ref), in: space)
        let leftEnd = childOffset + split.leftCount
        var left = TreeBranch(
            children: Array(branch.children[...index]), ends: Array(branch.ends[..<index]) + [leftEnd],
            compactSize: append ? branch.compactSize : nil)
        let newEnd = branch.ends[index]
        var right: TreeBranch
        if index == branch.children.count - 1 {
            right = TreeBranch(
                children: [split.sibling], ends: [newEnd - leftEnd], compactSize: append ? branch.compactSize : nil)
        } else {
            left.children.append(split.sibling)
            left.ends.append(newEnd)
            right = TreeBranch(
                children: Array(branch.children[(index + 1)...]), ends: branch.ends[(index + 1)...].map { $0 - newEnd })
        }
        try left.replace(&ref, in: store)
        return TreeSplit(sibling: try right.encode(in: store), leftCount: left.total)
    }

    private func growRoot(_ root: inout Ref, _ split: TreeSplit, total: Int, compact: Bool) throws {
        // The root of a list of links has the flag for unresolved keys (content 7.4). For other kinds the bit belongs
        // to the leaf.
        let context = try kind == .key && store.node(root).header.hasContext
        if context { try store.setContext(&root, false) }
        let branch = TreeBranch(
            children: [root, split.sibling], ends: [split.leftCount, total],
            compactSize: compact ? split.leftCount : nil)
        root = try branch.encode(in: store, context: context)
    }

    /// Converts a branch to general form, as required by every erasure and every insertion except an append
    /// (container 4.5).
    func makeGeneral(_ ref: inout Ref) throws {
        let node = try store.node(ref)
        guard Tagged.isTagged(node[0]) else { return }
        let branch = try TreeBranch(node, in: space)
        let offsets = try store.create(unsigned: branch.ends.dropLast().map { UInt64($0) })
        try store.set(&ref, 0, offsets.element)
    }

    /// Whether an append may keep the branches compact. True if the root is a leaf, or if the rightmost branches are
    /// compact, with the sizes of full nodes of this capacity.
    func isRegularlyCompact(_ root: Ref) throws -> Bool {
        var node = try store.node(root)
        guard node.header.isInner else { return true }
        var size: Int?
        for _ in 0..<BPlusTree.maximumDepth {
            guard node.count >= 3, Tagged.isTagged(node[0]) else { return false }
            let childSize = Int(clamping: Tagged.decode(node[0]))
            guard size == nil || size == childSize &* store.treeCapacity else { return false }
            size = childSize
            node = try store.node(node.child(node.count - 2))
            if !node.header.isInner { return childSize == store.treeCapacity }
        }
        return false
    }

    /// Splits an oversized leaf before a change. Formats before 24 stored a list of backlinks as one leaf of any length
    /// (content 13.2).
    func splitOversizedRoot(_ root: inout Ref) throws {
        let node = try store.node(root)
        guard !node.header.isInner else { return }
        let count = try ColumnLeaf(space, root, kind).count
        guard count > store.treeCapacity else { return }
        var suffixes: [Ref] = []
        for start in stride(from: (count - 1) / store.treeCapacity * store.treeCapacity, to: 0, by: -store.treeCapacity)
        {
            suffixes.append(try leaves.moveSuffix(&root, from: start))
        }
        root = try join([root] + suffixes.reversed(), count: count)
    }
}
