// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Finds objects one after the other and remembers the leaf of the last one, where the next one often is.
///
/// It borrows nodes, so it lives no longer than one call on a snapshot or write transaction.
package struct ObjectCursor {
    private let clusters: ClusterTree
    private var leaf: ClusterLeaf?

    package init(_ table: Table) { clusters = table.clusters }

    /// The position of the object, or nil if no object has this key.
    package mutating func find(_ key: ObjectKey) throws -> ClusterTree.Position? {
        guard key.rawValue >= 0 else { return nil }
        if let leaf, let row = leaf.row(of: key) { return ClusterTree.Position(leaf: leaf, row: row) }
        let leaf = try clusters.leaf(for: UInt64(bitPattern: key.rawValue))
        self.leaf = leaf
        return leaf.row(of: key).map { ClusterTree.Position(leaf: leaf, row: $0) }
    }
}
