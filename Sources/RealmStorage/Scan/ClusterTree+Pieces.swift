// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Neighbouring leaves of a cluster tree: what one thread scans at a time.
package struct ClusterPiece: Sendable {
    let leaves: [(ref: Ref, keyOffset: UInt64)]
}

extension ClusterTree {
    /// All leaves in key order, in pieces of at most `leafCount`.
    package func pieces(leafCount: Int) throws -> [ClusterPiece] {
        var pieces: [ClusterPiece] = []
        try forEachPiece { piece in
            for start in stride(from: 0, to: piece.leaves.count, by: leafCount) {
                pieces.append(ClusterPiece(leaves: Array(piece.leaves[start...].prefix(leafCount))))
            }
            return true
        }
        return pieces
    }

    /// Visits the leaves in key order, all below one branch at a time, until `body` returns false.
    func forEachPiece(_ body: (ClusterPiece) throws -> Bool) throws {
        _ = try visit(root, offset: 0, depth: .max, body)
    }

    private func visit(
        _ ref: Ref, offset: UInt64, depth: UInt64, _ body: (ClusterPiece) throws -> Bool
    ) throws -> Bool {
        let node = try space.refs(ref)
        guard node.header.isInner else { return try body(ClusterPiece(leaves: [(ref, offset)])) }
        let below = try ClusterBranch.depth(of: node, below: depth)
        let branch = try ClusterBranch(node, in: space)
        let children = zip(branch.children, branch.offsets).lazy.map { (ref: $0, keyOffset: offset &+ $1) }
        if below == 1 { return try body(ClusterPiece(leaves: Array(children))) }
        for child in children {
            guard try visit(child.ref, offset: child.keyOffset, depth: below, body) else { return false }
        }
        return true
    }

    /// Visits the leaves of a piece in key order until `body` returns false, and returns whether it went through;
    /// `body` will read the leaves of `column`.
    func forEachLeaf(
        in piece: ClusterPiece, reading column: Column?, _ body: (ClusterLeaf) throws -> Bool
    ) throws -> Bool {
        for (index, place) in piece.leaves.enumerated() {
            if let column { space.fetch(column.leafIndex, of: piece, ahead: index) }
            let node = try space.refs(place.ref)
            guard !node.header.isInner else {
                throw StorageError.corrupt("a cluster branch where a leaf belongs", at: place.ref)
            }
            let leaf = try ClusterLeaf(space, node, keyOffset: place.keyOffset)
            // Only the root may be empty (content 5.2); hostile branches could lead to empty leaves without end.
            guard leaf.count > 0 || place.ref == root else {
                throw StorageError.corrupt("an empty cluster below a branch", at: place.ref)
            }
            guard try leaf.count == 0 || body(leaf) else { return false }
        }
        return true
    }
}
