// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// What the rows of a cluster tree are made of: the live columns with their leaves' layouts and defaults.
package struct ClusterLayout: Sendable {
    package struct Column: Sendable {
        package let leafIndex: Int
        package let kind: LeafKind
        package let defaultValue: StoredValue
    }
    package var columns: [Column]

    /// Slots of a cluster leaf.
    var slotCount: Int { (columns.map(\.leafIndex).max() ?? -1) + 2 }
}

/// Growing a cluster tree (content 5.5).
extension NodeStore {
    /// An empty tree: a leaf without rows.
    package func clusterCreate(_ layout: ClusterLayout) throws -> Ref {
        try createClusterLeaf(layout)
    }

    /// Adds a row of `values` (by leaf index; the default where absent) for an object key that is not in use.
    package func clusterInsert(
        _ root: inout Ref, _ layout: ClusterLayout, key: ObjectKey, _ values: (ClusterLayout.Column) -> StoredValue
    ) throws {
        let key = UInt64(bitPattern: key.rawValue)
        guard let split = try insertRow(&root, layout, key, depth: .max, values) else { return }
        let depth = try clusterDepth(of: root) + 1
        let count = try ClusterTree.count(space, root) + ClusterTree.count(space, split.sibling)
        root = try ClusterBranch(
            depth: depth, count: count, children: [root, split.sibling], offsets: [0, split.offset]
        ).encode(in: self)
    }

    /// What a split hands to the parent: the sibling, and its offset relative to the node that was split.
    private struct ClusterSplit {
        var sibling: Ref
        var offset: UInt64
    }

    func clusterDepth(of ref: Ref) throws -> UInt64 {
        let node = try node(ref)
        return node.header.isInner ? try ClusterBranch.depth(of: node, below: .max) : 0
    }

    private func createClusterLeaf(_ layout: ClusterLayout) throws -> Ref {
        var slots = [Int64](repeating: 0, count: layout.slotCount)
        slots[0] = Tagged.encode(0)
        for column in layout.columns {
            slots[column.leafIndex + 1] = try createLeaf(column.kind, count: 0, default: column.defaultValue).element
        }
        return try create(slots, flags: NodeHeader.Flags.hasRefs)
    }

    private func insertRow(
        _ ref: inout Ref, _ layout: ClusterLayout, _ key: UInt64, depth: UInt64,
        _ values: (ClusterLayout.Column) -> StoredValue
    ) throws -> ClusterSplit? {
        let node = try node(ref)
        guard node.header.isInner else { return try insertRowInLeaf(&ref, layout, key, values) }
        let depth = try ClusterBranch.depth(of: node, below: depth)
        let position = try ClusterBranch.child(of: node, depth: depth, for: key, in: space)
        let slot = position.index + ClusterBranch.firstChildSlot
        var child = try node.child(slot)
        let before = child
        let split = try insertRow(&child, layout, key &- position.offset, depth: depth, values)
        if child != before { try set(&ref, slot, child.element) }
        let count = try self.node(ref).tagged(ClusterBranch.countSlot)
        try set(&ref, ClusterBranch.countSlot, Tagged.encode(count + 1))
        guard let split else { return nil }
        return try insertClusterSibling(&ref, after: position.index, split, childOffset: position.offset)
    }

    private func insertClusterSibling(
        _ ref: inout Ref, after index: Int, _ split: ClusterSplit, childOffset: UInt64
    ) throws -> ClusterSplit? {
        var branch = try ClusterBranch(try node(ref), in: space)
        let offset = childOffset &+ split.offset
        if branch.children.count < clusterCapacity {
            branch.children.insert(split.sibling, at: index + 1)
            branch.offsets.insert(offset, at: index + 1)
            try branch.replace(&ref, in: self)
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
        try branch.replace(&ref, in: self)
        return ClusterSplit(sibling: try right.encode(in: self), offset: first)
    }

    private func insertRowInLeaf(
        _ ref: inout Ref, _ layout: ClusterLayout, _ key: UInt64, _ values: (ClusterLayout.Column) -> StoredValue
    ) throws -> ClusterSplit? {
        let leaf = try ClusterLeaf(space, try node(ref), keyOffset: 0)
        let row = leaf.lowerBound(of: key)
        guard row == leaf.count || leaf.relativeKey(at: row) != key else {
            throw StorageError.absent("object key \(key) is in use")
        }
        if leaf.count < clusterCapacity {
            try insertRow(&ref, layout, at: row, key, values)
            return nil
        }
        if row == leaf.count {
            var sibling = try createClusterLeaf(layout)
            try insertRow(&sibling, layout, at: 0, 0, values)
            return ClusterSplit(sibling: sibling, offset: key)
        }
        let offset = leaf.relativeKey(at: row)
        let sibling = try splitClusterLeaf(&ref, layout, at: row)
        try insertRow(&ref, layout, at: row, key, values)
        return ClusterSplit(sibling: sibling, offset: offset)
    }

    /// Puts a row into a leaf that has room for it.
    private func insertRow(
        _ ref: inout Ref, _ layout: ClusterLayout, at row: Int, _ key: UInt64,
        _ values: (ClusterLayout.Column) -> StoredValue
    ) throws {
        let leaf = try ClusterLeaf(space, try node(ref), keyOffset: 0)
        if leaf.keys == nil, key == UInt64(leaf.count) {
            try set(&ref, 0, Tagged.encode(leaf.count + 1))
        } else {
            var keys = try generalKeys(&ref, leaf)
            try insertUnsigned(&keys, row, key)
            try set(&ref, 0, keys.element)
        }
        for column in layout.columns {
            try changeColumn(&ref, column.leafIndex) { try leafInsert(&$0, column.kind, at: row, values(column)) }
        }
    }

    /// The keys node of a leaf; a compact leaf gets one, which the caller stores.
    func generalKeys(_ ref: inout Ref, _ leaf: ClusterLeaf) throws -> Ref {
        if let keys = leaf.keys { return keys.ref }
        return try create(unsigned: (0..<UInt64(leaf.count)))
    }

    /// Moves the rows from `row` on into a new general leaf, whose keys are relative to the first of them.
    private func splitClusterLeaf(_ ref: inout Ref, _ layout: ClusterLayout, at row: Int) throws -> Ref {
        let leaf = try ClusterLeaf(space, try node(ref), keyOffset: 0)
        let first = leaf.relativeKey(at: row)
        let moved = (row..<leaf.count).map { leaf.relativeKey(at: $0) &- first }
        var slots = [Int64](repeating: 0, count: layout.slotCount)
        slots[0] = try create(unsigned: moved).element
        if leaf.keys == nil {
            try set(&ref, 0, Tagged.encode(row))
        } else {
            var keys = try generalKeys(&ref, leaf)
            try rebuildUnsigned(&keys) { $0.removeSubrange(row...) }
            try set(&ref, 0, keys.element)
        }
        for column in layout.columns {
            let suffix = try changeColumn(&ref, column.leafIndex) { try leafMoveSuffix(&$0, column.kind, from: row) }
            slots[column.leafIndex + 1] = suffix.element
        }
        return try create(slots, flags: NodeHeader.Flags.hasRefs)
    }

    /// Lets `body` change the column leaf of `leafIndex`.
    @discardableResult
    func changeColumn<Result>(
        _ leaf: inout Ref, _ leafIndex: Int, _ body: (inout Ref) throws -> Result
    ) throws -> Result {
        try changeColumn(&leaf, try node(leaf), leafIndex, body)
    }

    /// Lets `body` change the column leaf of `leafIndex` in a cluster leaf whose `node` is at hand.
    @discardableResult @inline(__always)
    func changeColumn<Result>(
        _ leaf: inout Ref, _ node: Node, _ leafIndex: Int, _ body: (inout Ref) throws -> Result
    ) throws -> Result {
        var column = try node.child(leafIndex + 1)
        let before = column
        let result = try body(&column)
        if column != before { try set(&leaf, leafIndex + 1, column.element) }
        return result
    }
}
