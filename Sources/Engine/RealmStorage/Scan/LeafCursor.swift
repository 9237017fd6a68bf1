// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Iterates over the leaves of a cluster tree in key order, for callers that decide after each leaf whether to
/// continue.
///
/// Valid as long as the source from which the tree was read.
package struct LeafCursor {
    private var pieces: PieceCursor
    private var leaves: PieceLeaves
    private var index: Int

    package init(_ tree: ClusterTree) throws {
        pieces = PieceCursor(tree)
        leaves = try PieceLeaves(ClusterPiece(parent: tree.root, keyOffset: 0), in: tree.space)
        index = leaves.indices.upperBound
    }

    /// Returns the next leaf that has rows, or nil at the end. Prefetches the leaf after it.
    package mutating func next() throws -> ClusterLeaf? {
        while true {
            if index == leaves.indices.upperBound {
                guard let piece = try pieces.next() else { return nil }
                leaves = try PieceLeaves(piece, in: leaves.space)
                index = leaves.indices.lowerBound
            }
            let leaf = try leaves.leaf(index)
            index += 1
            if index < leaves.indices.upperBound { leaves.space.prefetch(leaves.ref(index)) }
            if leaf.count > 0 { return leaf }
        }
    }
}
