// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The last leaf of a cluster tree, for successive appends, with the branches above it.
///
/// All of them are dirty, with slots wide enough for any ref: they keep their locations, and only counts and column
/// leaves change. The leaf has compact form, and the appended object has the next key. `ClusterTreeEditor` makes all
/// other insertions (content 5.5), after which the leaf is opened again. Valid until an object may have moved to
/// another leaf or row.
struct AppendCursor {
    let leaf: Ref
    private let branches: [Ref]
    private let keyOffset: UInt64
    private var count: Int
    /// `Table.rows` when the leaf was opened.
    let stamp: ChangeStamp<RowExtent>

    /// Nil unless `key` is the last of the tree, and no node must be copied.
    init?(_ space: NodeSpace, root: Ref, last key: ObjectKey, at stamp: ChangeStamp<RowExtent>) throws {
        let key = UInt64(bitPattern: key.rawValue)
        var (ref, offset, depth) = (root, UInt64(0), UInt64.max)
        var branches: [Ref] = []
        var node = try space.refs(root)
        while node.header.isInner {
            guard space.isDirty(ref), node.width == 64 else { return nil }
            depth = try ClusterBranch.depth(of: node, below: depth)
            let child = try ClusterBranch.child(of: node, depth: depth, for: key &- offset, in: space)
            let slot = child.index + ClusterBranch.firstChildSlot
            guard slot == node.count - 1 else { return nil }
            branches.append(ref)
            ref = try node.child(slot)
            offset &+= child.offset
            node = try space.refs(ref)
        }
        guard space.isDirty(ref), node.width == 64 else { return nil }
        let cluster = try ClusterLeaf(space, node, keyOffset: offset)
        guard cluster.keys == nil, offset &+ UInt64(cluster.count) == key &+ 1 else { return nil }
        (leaf, keyOffset, count) = (ref, offset, cluster.count)
        self.branches = branches
        self.stamp = stamp
    }

    @inline(__always)
    func takes(_ key: ObjectKey, in store: NodeStore) -> Bool {
        UInt64(bitPattern: key.rawValue) == keyOffset &+ UInt64(count) && count < store.clusterCapacity
    }

    @inline(__always)
    func row(of key: ObjectKey) -> Int? {
        let relative = UInt64(bitPattern: key.rawValue) &- keyOffset
        return relative < UInt64(count) ? Int(relative) : nil
    }

    /// If this throws, some columns may already have the row.
    mutating func append(_ values: RowValues, _ layout: ClusterLayout, in store: NodeStore) throws {
        let cluster = try store.node(leaf)
        for index in layout.columns.indices {
            let (leafIndex, kind) = (layout.columns[index].leafIndex, layout.columns[index].kind)
            let value = values[leafIndex: leafIndex] ?? layout.columns[index].defaultValue
            if ColumnLeafEditor(store, kind).appendInPlace(try cluster.child(leafIndex + 1), at: count, value) {
                continue
            }
            try stays(leaf) {
                try ClusterTreeEditor(store).changeColumn(&$0, cluster, leafIndex) {
                    try ColumnLeafEditor(store, kind).insert(&$0, at: count, value)
                }
            }
        }
        count += 1
        store.add(1, toTagged: 0, of: cluster)
        for branch in branches { store.add(1, toTagged: ClusterBranch.countSlot, of: try store.node(branch)) }
    }

    @inline(__always)
    private func stays(_ node: Ref, _ change: (inout Ref) throws -> Void) rethrows {
        var ref = node
        try change(&ref)
        precondition(ref == node, "a dirty node of wide slots stays where it is")
    }
}
