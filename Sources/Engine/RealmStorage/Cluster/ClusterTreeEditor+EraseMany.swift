// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Erasure of many objects from a cluster tree (content 5.6). Every node on their paths is changed once.
extension ClusterTreeEditor {
    /// The keys must be ascending and unique, and each must have an object.
    package func erase(_ root: inout Ref, _ layout: ClusterLayout, keys: [ObjectKey]) throws {
        guard keys.count > 1 else { return try keys.forEach { try erase(&root, layout, key: $0) } }
        try eraseRows(&root, layout, keys[...], offset: 0, depth: .max)
        try collapse(&root)
    }

    private func eraseRows(
        _ ref: inout Ref, _ layout: ClusterLayout, _ keys: ArraySlice<ObjectKey>, offset: UInt64, depth: UInt64
    ) throws {
        let node = try store.node(ref)
        guard node.header.isInner else { return try eraseRowsFromLeaf(&ref, layout, keys, offset) }
        let depth = try ClusterBranch.depth(of: node, below: depth)
        var children: [Int] = []
        var rest = keys
        while let first = rest.first {
            let node = try store.node(ref)
            let key = UInt64(bitPattern: first.rawValue) &- offset
            let position = try ClusterBranch.child(of: node, depth: depth, for: key, in: space)
            let end = try ClusterBranch.end(ofChild: position.index, of: node, depth: depth, in: space)
            let share = rest.dropFirst().prefix { other in
                end.map { UInt64(bitPattern: other.rawValue) &- offset < $0 } ?? true
            }
            let slot = position.index + ClusterBranch.firstChildSlot
            var child = try node.child(slot)
            let before = child
            try eraseRows(
                &child, layout, rest[rest.startIndex..<share.endIndex], offset: offset &+ position.offset, depth: depth)
            if child != before { try store.set(&ref, slot, child.element) }
            children.append(position.index)
            rest = rest[share.endIndex...]
        }
        let count = try store.node(ref).tagged(ClusterBranch.countSlot)
        try store.set(&ref, ClusterBranch.countSlot, Tagged.encode(count &- UInt64(keys.count)))
        // In reverse order, because a change of a child moves those after it.
        for child in children.reversed() { try rebalance(&ref, layout, child: child) }
    }

    private func eraseRowsFromLeaf(
        _ ref: inout Ref, _ layout: ClusterLayout, _ keys: ArraySlice<ObjectKey>, _ offset: UInt64
    ) throws {
        let leaf = try ClusterLeaf(space, try store.node(ref), keyOffset: offset)
        var rows: [Int] = []
        rows.reserveCapacity(keys.count)
        for key in keys {
            guard let row = leaf.row(of: key), row > rows.last ?? -1 else {
                throw StorageError.absent("no object has this key")
            }
            rows.append(row)
        }
        if leaf.keys == nil, rows[0] + rows.count == leaf.count {
            try store.set(&ref, 0, Tagged.encode(rows[0]))
        } else {
            var relative = try generalKeys(&ref, leaf)
            try store.rebuildUnsigned(&relative) { values in
                guard values.count == leaf.count else { throw StorageError.corrupt("an impossible cluster", at: ref) }
                for row in rows.reversed() { values.remove(at: row) }
            }
            try store.set(&ref, 0, relative.element)
        }
        for column in layout.columns {
            try changeColumn(&ref, column.leafIndex) { try leaves(column).erase(&$0, rows: rows) }
        }
    }
}
