// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Erasure of rows from a cluster tree (content 5.6).
extension ClusterTreeEditor {
    /// Throws if no object has `key`.
    package func erase(_ root: inout Ref, _ layout: ClusterLayout, key: ObjectKey) throws {
        try eraseRow(&root, layout, UInt64(bitPattern: key.rawValue), depth: .max)
        try collapse(&root)
    }

    func collapse(_ root: inout Ref) throws {
        while true {
            let node = try store.node(root)
            guard node.header.isInner, node.count == ClusterBranch.firstChildSlot + 1 else { return }
            let child = try node.child(ClusterBranch.firstChildSlot)
            try ClusterBranch.free(root, in: store)
            root = child
        }
    }

    private func eraseRow(_ ref: inout Ref, _ layout: ClusterLayout, _ key: UInt64, depth: UInt64) throws {
        let node = try store.node(ref)
        guard node.header.isInner else { return try eraseRowFromLeaf(&ref, layout, key) }
        let depth = try ClusterBranch.depth(of: node, below: depth)
        let position = try ClusterBranch.child(of: node, depth: depth, for: key, in: space)
        let slot = position.index + ClusterBranch.firstChildSlot
        var child = try node.child(slot)
        let before = child
        try eraseRow(&child, layout, key &- position.offset, depth: depth)
        if child != before { try store.set(&ref, slot, child.element) }
        let count = try store.node(ref).tagged(ClusterBranch.countSlot)
        try store.set(&ref, ClusterBranch.countSlot, Tagged.encode(count &- 1))
        try rebalance(&ref, layout, child: position.index)
    }

    private func eraseRowFromLeaf(_ ref: inout Ref, _ layout: ClusterLayout, _ key: UInt64) throws {
        let leaf = try ClusterLeaf(space, try store.node(ref), keyOffset: 0)
        guard let row = leaf.row(of: ObjectKey(Int64(bitPattern: key))) else {
            throw StorageError.absent("no object has this key")
        }
        if leaf.keys == nil, row == leaf.count - 1 {
            try store.set(&ref, 0, Tagged.encode(row))
        } else {
            var keys = try generalKeys(&ref, leaf)
            try store.removeUnsigned(&keys, row)
            try store.set(&ref, 0, keys.element)
        }
        for column in layout.columns {
            try changeColumn(&ref, column.leafIndex) { try leaves(column).erase(&$0, at: row) }
        }
    }

    func rebalance(_ ref: inout Ref, _ layout: ClusterLayout, child index: Int) throws {
        let node = try store.node(ref)
        let childCount = node.count - ClusterBranch.firstChildSlot
        let child = try node.child(index + ClusterBranch.firstChildSlot)
        let size = try width(of: child)
        if size == 0 {
            guard childCount > 1 else { return }
            try removeEmptyChild(&ref, index)
        } else if index + 1 < childCount, size < store.clusterCapacity / 2 {
            let sibling = try node.child(index + 1 + ClusterBranch.firstChildSlot)
            guard size + (try width(of: sibling)) < store.clusterCapacity * 3 / 4 else { return }
            var branch = try ClusterBranch(node, in: space)
            let distance = branch.offsets[index + 1] &- branch.offsets[index]
            try merge(&branch.children[index], layout, with: sibling, distance: distance)
            branch.children.remove(at: index + 1)
            branch.offsets.remove(at: index + 1)
            try branch.replace(&ref, in: store)
        }
    }

    /// A branch without objects counts as empty.
    private func width(of ref: Ref) throws -> Int {
        let node = try store.node(ref)
        guard node.header.isInner else { return try ClusterLeaf(space, node, keyOffset: 0).count }
        return try node.tagged(ClusterBranch.countSlot) == 0 ? 0 : node.count - ClusterBranch.firstChildSlot
    }

    /// The first child's offset must be 0, so the removal of child 0 shifts the keys of the next one.
    private func removeEmptyChild(_ ref: inout Ref, _ index: Int) throws {
        var branch = try ClusterBranch(try store.node(ref), in: space)
        try store.freeTree(branch.children.remove(at: index))
        branch.offsets.remove(at: index)
        let shift = branch.offsets[0]
        if shift != 0 {
            try shiftKeys(&branch.children[0], by: shift)
            branch.offsets[0] = 0
        }
        try branch.replace(&ref, in: store)
    }

    /// Adds `shift` to the relative keys of a leaf, or to the offsets of a branch. The first offset must stay 0, so the
    /// first child is shifted instead.
    private func shiftKeys(_ ref: inout Ref, by shift: UInt64) throws {
        let node = try store.node(ref)
        guard node.header.isInner else {
            let leaf = try ClusterLeaf(space, node, keyOffset: 0)
            var keys = try generalKeys(&ref, leaf)
            try store.rebuildUnsigned(&keys) { $0 = $0.map { $0 &+ shift } }
            try store.set(&ref, 0, keys.element)
            return
        }
        var branch = try ClusterBranch(node, in: space)
        try shiftKeys(&branch.children[0], by: shift)
        for index in branch.offsets.indices.dropFirst() { branch.offsets[index] &+= shift }
        try branch.replace(&ref, in: store)
    }

    /// Appends all of `sibling` to `ref`. The offset of `sibling` is larger by `distance`.
    private func merge(_ ref: inout Ref, _ layout: ClusterLayout, with sibling: Ref, distance: UInt64) throws {
        let node = try store.node(ref)
        if node.header.isInner {
            var left = try ClusterBranch(node, in: space)
            let right = try ClusterBranch(try store.node(sibling), in: space)
            left.children += right.children
            left.offsets += right.offsets.map { $0 &+ distance }
            left.count += right.count
            try ClusterBranch.free(sibling, in: store)
            try left.replace(&ref, in: store)
            return
        }
        let left = try ClusterLeaf(space, node, keyOffset: 0)
        let right = try ClusterLeaf(space, try store.node(sibling), keyOffset: 0)
        let moved = (0..<right.count).map { right.relativeKey(at: $0) &+ distance }
        var keys = try generalKeys(&ref, left)
        try store.rebuildUnsigned(&keys) { $0 += moved }
        try store.set(&ref, 0, keys.element)
        for column in layout.columns {
            let other = try right.node.child(column.leafIndex + 1)
            try changeColumn(&ref, column.leafIndex) { try leaves(column).append(&$0, contentsOf: other) }
        }
        if let keys = right.keys { try store.free(keys.ref) }
        try store.free(sibling)
    }
}
