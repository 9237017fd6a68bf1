// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension ClusterTreeEditor {
    /// Passes the leaf of the object with `key`, and its row. Throws if no object has `key`.
    package func modify<Result>(
        _ root: inout Ref, key: ObjectKey, _ body: (inout Ref, Int) throws -> Result
    ) throws -> Result {
        var place = try place(root, key)
        let before = place.leaf
        let result = try body(&place.leaf, place.row)
        try replaceLeaf(&root, key, before, with: place.leaf)
        return result
    }

    /// Throws if no object has `key`.
    func place(_ root: Ref, _ key: ObjectKey) throws -> (leaf: Ref, row: Int) {
        var (ref, key, depth) = (root, UInt64(bitPattern: key.rawValue), UInt64.max)
        while true {
            let node = try store.node(ref)
            guard node.header.isInner else {
                let leaf = try ClusterLeaf(space, node, keyOffset: 0)
                if let row = leaf.row(of: ObjectKey(Int64(bitPattern: key))) { return (ref, row) }
                throw StorageError.absent("no object has this key")
            }
            depth = try ClusterBranch.depth(of: node, below: depth)
            let position = try ClusterBranch.child(of: node, depth: depth, for: key, in: space)
            ref = try node.child(position.index + ClusterBranch.firstChildSlot)
            key &-= position.offset
        }
    }

    /// Stores the new location of the leaf that holds `key`. A leaf usually moves only on its first change in a
    /// transaction, so a second descent costs less than a specialized copy of this code in each caller of `modify`.
    func replaceLeaf(_ root: inout Ref, _ key: ObjectKey, _ before: Ref, with leaf: Ref) throws {
        if leaf != before {
            try replaceLeaf(&root, UInt64(bitPattern: key.rawValue), depth: .max, before, with: leaf)
        }
    }

    private func replaceLeaf(_ ref: inout Ref, _ key: UInt64, depth: UInt64, _ before: Ref, with leaf: Ref) throws {
        // The node at the old location may be free.
        guard ref != before else { return ref = leaf }
        let node = try store.node(ref)
        let depth = try ClusterBranch.depth(of: node, below: depth)
        let position = try ClusterBranch.child(of: node, depth: depth, for: key, in: space)
        let slot = position.index + ClusterBranch.firstChildSlot
        var child = try node.child(slot)
        let held = child
        try replaceLeaf(&child, key &- position.offset, depth: depth, before, with: leaf)
        if child != held { try store.set(&ref, slot, child.element) }
    }

    package func modify<Result>(
        _ root: inout Ref, key: ObjectKey, column leafIndex: Int, _ body: (inout Ref, Int) throws -> Result
    ) throws -> Result {
        try modify(&root, key: key) { leaf, row in
            try changeColumn(&leaf, leafIndex) { try body(&$0, row) }
        }
    }

    /// Passes every leaf, and its number of rows. Used to add and remove columns (content 5.3).
    package func modifyLeaves(_ root: inout Ref, _ body: (inout Ref, Int) throws -> Void) throws {
        try modifyLeaves(&root, depth: .max, body)
    }

    private func modifyLeaves(_ ref: inout Ref, depth: UInt64, _ body: (inout Ref, Int) throws -> Void) throws {
        let node = try store.node(ref)
        guard node.header.isInner else { return try body(&ref, try ClusterLeaf(space, node, keyOffset: 0).count) }
        let depth = try ClusterBranch.depth(of: node, below: depth)
        for slot in ClusterBranch.firstChildSlot..<node.count {
            var child = try store.node(ref).child(slot)
            let before = child
            try modifyLeaves(&child, depth: depth, body)
            if child != before { try store.set(&ref, slot, child.element) }
        }
    }

    package func addColumns(_ root: inout Ref, _ columns: [ClusterLayout.Column]) throws {
        let slotCount = ClusterLayout(columns: columns).slotCount
        try modifyLeaves(&root) { leaf, rows in
            var slots = try store.node(leaf).elements()
            if slots.count < slotCount { slots += Array(repeating: 0, count: slotCount - slots.count) }
            for column in columns {
                slots[column.leafIndex + 1] = try leaves(column).create(count: rows, default: column.defaultValue)
                    .element
            }
            try store.free(leaf)
            leaf = try store.create(slots, flags: NodeHeader.Flags.hasRefs)
        }
    }

    package func removeColumn(_ root: inout Ref, leafIndex: Int) throws {
        try modifyLeaves(&root) { leaf, _ in
            let node = try store.node(leaf)
            try store.freeTree(try node.child(leafIndex + 1))
            if leafIndex + 2 == node.count {
                try store.remove(&leaf, leafIndex + 1)
            } else {
                try store.set(&leaf, leafIndex + 1, 0)
            }
        }
    }
}
