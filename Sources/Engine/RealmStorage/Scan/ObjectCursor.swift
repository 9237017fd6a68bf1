// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Finds objects one after the other. Caches the leaf of the last one, which often contains the next one.
///
/// Borrows nodes, so it must not outlive one call on a snapshot or write transaction.
package struct ObjectCursor {
    private let clusters: ClusterTree
    private var leaf: ClusterLeaf?

    package init(_ table: Table) { clusters = table.clusters }

    package mutating func find(_ key: ObjectKey) throws -> ClusterTree.Position? {
        guard key.rawValue >= 0 else { return nil }
        if let leaf, let row = leaf.row(of: key) { return ClusterTree.Position(leaf: leaf, row: row) }
        let leaf = try clusters.leaf(for: UInt64(bitPattern: key.rawValue))
        self.leaf = leaf
        return leaf.row(of: key).map { ClusterTree.Position(leaf: leaf, row: $0) }
    }
}
