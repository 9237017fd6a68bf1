// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Neighbouring leaves of a cluster tree: what one thread scans at a time.
package struct ClusterPiece: Sendable {
    fileprivate(set) var leaves: [(ref: Ref, keyOffset: UInt64)] = []
}

extension ClusterTree {
    /// All leaves in key order, in pieces of at most `leafCount`.
    package func pieces(leafCount: Int) throws -> [ClusterPiece] {
        var pieces: [ClusterPiece] = []
        func add(_ ref: Ref, _ offset: UInt64, below parent: UInt64) throws {
            let node = try space.refs(ref)
            if node.header.isInner {
                let depth = try ClusterBranch.depth(of: node, below: parent)
                let branch = try ClusterBranch(node, in: space)
                for index in branch.children.indices where depth > 1 {
                    try add(branch.children[index], offset &+ branch.offsets[index], below: depth)
                }
                for index in branch.children.indices where depth == 1 {
                    append(branch.children[index], offset &+ branch.offsets[index])
                }
            } else {
                append(ref, offset)
            }
        }
        func append(_ ref: Ref, _ offset: UInt64) {
            if pieces.last.map({ $0.leaves.count >= leafCount }) ?? true { pieces.append(ClusterPiece()) }
            pieces[pieces.count - 1].leaves.append((ref, offset))
        }
        try add(root, 0, below: .max)
        return pieces
    }

    /// Visits the rows of a piece in key order until `body` returns false; `body` will read the leaves of `column`.
    package func forEachBlock(
        in piece: ClusterPiece, reading column: Column? = nil, _ body: (RowBlock) throws -> Bool
    ) throws {
        for (index, place) in piece.leaves.enumerated() {
            if let column { space.fetch(column.leafIndex, of: piece, ahead: index) }
            let node = try space.refs(place.ref)
            guard !node.header.isInner else {
                throw StorageError.corrupt("a cluster branch where a leaf belongs", at: place.ref)
            }
            let leaf = try ClusterLeaf(space, node, keyOffset: place.keyOffset)
            for start in stride(from: 0, to: leaf.count, by: RowSet.capacity) {
                let block = RowBlock(leaf: leaf, start: start, count: min(RowSet.capacity, leaf.count - start))
                guard try body(block) else { return }
            }
        }
    }
}
