// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Insertion into a cluster tree (content 5.5).
extension ClusterTreeEditor {
    /// Adds a row for an unused object key. `values` returns the value of each column.
    package func insert(
        _ root: inout Ref, _ layout: ClusterLayout, key: ObjectKey, _ values: (ClusterLayout.Column) -> StoredValue
    ) throws {
        let key = UInt64(bitPattern: key.rawValue)
        guard let split = try insertRow(&root, layout, key, depth: .max, values) else { return }
        let depth = try depth(of: root) + 1
        let count = try ClusterTree.count(space, root) + ClusterTree.count(space, split.sibling)
        root = try ClusterBranch(
            depth: depth, count: count, children: [root, split.sibling], offsets: [0, split.offset]
        ).encode(in: store)
    }

    /// The sibling that a split created, and its offset relative to the node that was split.
    private struct ClusterSplit {
        var sibling: Ref
        var offset: UInt64
    }

    private func depth(of ref: Ref) throws -> UInt64 {
        let node = try store.node(ref)
        return node.header.isInner ? try ClusterBranch.depth(of: node, below: .max) : 0
    }

    private func insertRow(
        _ ref: inout Ref, _ layout: ClusterLayout, _ key: UInt64, depth: UInt64,
        _ values: (ClusterLayout.Column) -> StoredValue
    ) throws -> ClusterSplit? {
        let node = try store.node(ref)
        guard node.header.isInner else { return try insertRowInLeaf(&ref, layout, key, values) }
        let depth = try ClusterBranch.depth(of: node, below: depth)
        let position = try ClusterBranch.child(of: node, depth: depth, for: key, in: space)
        let slot = position.index + ClusterBranch.firstChildSlot
        var child = try node.child(slot)
        let before = child
        let split = try insertRow(&child, layout, key &- position.offset, depth: depth, values)
        if child != before { try store.set(&ref, slot, child.element) }
        let count = try store.node(ref).tagged(ClusterBranch.countSlot)
        try store.set(&ref, ClusterBranch.countSlot, Tagged.encode(count + 1))
        guard let split else { return nil }
        return try insertSibling(&ref, after: position.index, split, childOffset: position.offset)
    }

    private func insertSibling(
        _ ref: inout Ref, after index: Int, _ split: ClusterSplit, childOffset: UInt64
    ) throws -> ClusterSplit? {
        var branch = try ClusterBranch(try store.node(ref), in: space)
        let offset = childOffset &+ split.offset
        if branch.children.count < store.clusterCapacity {
            branch.children.insert(split.sibling, at: index + 1)
            branch.offsets.insert(offset, at: index + 1)
            try branch.replace(&ref, in: store)
            return nil
        }
        var right = ClusterBranch(depth: branch.depth, count: 0, children: [split.sibling], offsets: [offset])
        if index + 1 < branch.children.count {
            right.children = Array(branch.children[(index + 1)...])
            right.offsets = Array(branch.offsets[(index + 1)...])
            branch.children.replaceSubrange((index + 1)..., with: [split.sibling])
            branch.offsets.replaceSubrange((index + 1)..., with: [offset])
        }
        let first = right.offsets[0]
        right.offsets = right.offsets.map { $0 &- first }
        right.count = try right.children.reduce(0) { try $0 + ClusterTree.count(space, $1) }
        branch.count -= right.count
        try branch.replace(&ref, in: store)
        return ClusterSplit(sibling: try right.encode(in: store), offset: first)
    }

    private func insertRowInLeaf(
        _ ref: inout Ref, _ layout: ClusterLayout, _ key: UInt64, _ values: (ClusterLayout.Column) -> StoredValue
    ) throws -> ClusterSplit? {
        let leaf = try ClusterLeaf(space, try store.node(ref), keyOffset: 0)
        let row = leaf.lowerBound(of: key)
        guard row == leaf.count || leaf.relativeKey(at: row) != key else {
            throw StorageError.absent("object key \(key) is in use")
        }
        if leaf.count < store.clusterCapacity {
            try insertRow(&ref, layout, at: row, key, values)
            return nil
        }
        if row == leaf.count {
            var sibling = try create(layout)
            try insertRow(&sibling, layout, at: 0, 0, values)
            return ClusterSplit(sibling: sibling, offset: key)
        }
        let offset = leaf.relativeKey(at: row)
        let sibling = try splitLeaf(&ref, layout, at: row)
        try insertRow(&ref, layout, at: row, key, values)
        return ClusterSplit(sibling: sibling, offset: offset)
    }

    private func insertRow(
        _ ref: inout Ref, _ layout: ClusterLayout, at row: Int, _ key: UInt64,
        _ values: (ClusterLayout.Column) -> StoredValue
    ) throws {
        let leaf = try ClusterLeaf(space, try store.node(ref), keyOffset: 0)
        if leaf.keys == nil, key == UInt64(leaf.count) {
            try store.set(&ref, 0, Tagged.encode(leaf.count + 1))
        } else {
            var keys = try generalKeys(&ref, leaf)
            try store.insertUnsigned(&keys, row, key)
            try store.set(&ref, 0, keys.element)
        }
        for column in layout.columns {
            try changeColumn(&ref, column.leafIndex) { try leaves(column).insert(&$0, at: row, values(column)) }
        }
    }

    /// The node of a leaf's keys. For a compact leaf, creates one, which the caller stores.
    func generalKeys(_ ref: inout Ref, _ leaf: ClusterLeaf) throws -> Ref {
        if let keys = leaf.keys { return keys.ref }
        return try store.create(unsigned: (0..<UInt64(leaf.count)))
    }

    /// The keys of the new leaf are relative to the first moved row.
    private func splitLeaf(_ ref: inout Ref, _ layout: ClusterLayout, at row: Int) throws -> Ref {
        let leaf = try ClusterLeaf(space, try store.node(ref), keyOffset: 0)
        let first = leaf.relativeKey(at: row)
        let moved = (row..<leaf.count).map { leaf.relativeKey(at: $0) &- first }
        var slots = [Int64](repeating: 0, count: layout.slotCount)
        slots[0] = try store.create(unsigned: moved).element
        if leaf.keys == nil {
            try store.set(&ref, 0, Tagged.encode(row))
        } else {
            var keys = try generalKeys(&ref, leaf)
            try store.rebuildUnsigned(&keys) { $0.removeSubrange(row...) }
            try store.set(&ref, 0, keys.element)
        }
        for column in layout.columns {
            let suffix = try changeColumn(&ref, column.leafIndex) { try leaves(column).moveSuffix(&$0, from: row) }
            slots[column.leafIndex + 1] = suffix.element
        }
        return try store.create(slots, flags: NodeHeader.Flags.hasRefs)
    }
}
