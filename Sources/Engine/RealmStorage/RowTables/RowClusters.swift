// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

struct RowClusters {
    let store: NodeStore

    /// Creates the tree of objects with the keys 0 to `rowCount` - 1. `columns` are the leaves of each column, by leaf
    /// index.
    func tree(_ columns: [[Ref]], rowCount: Int, _ layout: ClusterLayout) throws -> Ref {
        guard rowCount > 0 else { return try ClusterTreeEditor(store).create(layout) }
        let capacity = store.clusterCapacity
        var level = try stride(from: 0, to: rowCount, by: capacity).map { start in
            let count = min(capacity, rowCount - start)
            let slots = [Tagged.encode(count)] + columns.map { $0[start / capacity].element }
            return try ColumnLeafBuilder(store).integers(slots, flags: NodeHeader.Flags.hasRefs)
        }
        var (depth, keysPerChild) = (UInt64(1), capacity)
        while level.count > 1 {
            level = try stride(from: 0, to: level.count, by: capacity).map { start in
                let children = level[start..<min(start + capacity, level.count)]
                let (first, end) = (start * keysPerChild, children.endIndex * keysPerChild)
                return try ClusterBranch(
                    depth: depth, count: min(end, rowCount) - first, children: Array(children),
                    offsets: (0..<children.count).map { UInt64($0 * keysPerChild) }
                ).encode(in: store)
            }
            (depth, keysPerChild) = (depth + 1, keysPerChild * capacity)
        }
        return level[0]
    }
}
