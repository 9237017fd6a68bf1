// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Adjacent leaves of a cluster tree: the unit that one thread scans at a time.
package struct ClusterPiece: Sendable {
    /// The branch above the leaves, or the leaf itself if the tree is one leaf.
    let parent: Ref
    /// The keys below the branch are relative to this offset.
    let keyOffset: UInt64
    /// Nil if the tree is one leaf.
    var children: Range<Int>?
}

/// Iterates over the leaves of a tree in key order, in pieces of all leaves below one branch. Reads a branch only when
/// the iteration reaches it.
struct PieceCursor {
    private let space: NodeSpace
    /// The branches from the root to the current one, each with the index of its next child.
    private var path: [Step]

    private struct Step {
        let ref: Ref
        let keyOffset: UInt64
        let limit: UInt64
        var next = 0
    }

    init(_ tree: ClusterTree) {
        space = tree.space
        path = [Step(ref: tree.root, keyOffset: 0, limit: .max)]
    }

    mutating func next() throws -> ClusterPiece? {
        while let step = path.popLast() {
            let node = try space.refs(step.ref)
            guard node.header.isInner else { return ClusterPiece(parent: step.ref, keyOffset: step.keyOffset) }
            let depth = try ClusterBranch.depth(of: node, below: step.limit)
            let children = 0..<node.count - ClusterBranch.firstChildSlot
            if depth == 1 { return ClusterPiece(parent: step.ref, keyOffset: step.keyOffset, children: children) }
            guard step.next < children.count else { continue }
            let child = try node.child(step.next + ClusterBranch.firstChildSlot)
            let offset = try ClusterBranch.offset(ofChild: step.next, of: node, depth: depth, in: space)
            path.append(Step(ref: step.ref, keyOffset: step.keyOffset, limit: step.limit, next: step.next + 1))
            path.append(Step(ref: child, keyOffset: step.keyOffset &+ offset, limit: depth))
        }
        return nil
    }
}

extension ClusterTree {
    package func pieces(leafCount: Int) throws -> [ClusterPiece] {
        var pieces: [ClusterPiece] = []
        try forEachPiece { piece in
            guard let all = piece.children else {
                pieces.append(piece)
                return true
            }
            for start in stride(from: 0, to: all.count, by: leafCount) {
                var part = piece
                part.children = start..<min(start + leafCount, all.count)
                pieces.append(part)
            }
            return true
        }
        return pieces
    }

    /// Visits the leaves in key order, in pieces of all leaves below one branch, until `body` returns false.
    package func forEachPiece(_ body: (ClusterPiece) throws -> Bool) throws {
        var cursor = PieceCursor(self)
        while let piece = try cursor.next() { guard try body(piece) else { return } }
    }

    /// Visits the leaves of a piece in key order until `body` returns false. Returns whether it never did. The leaves
    /// of `column` are prefetched for `body`.
    func forEachLeaf(
        in piece: ClusterPiece, reading column: Column?, _ body: (ClusterLeaf) throws -> Bool
    ) throws -> Bool {
        let leaves = try PieceLeaves(piece, in: space)
        var ahead = column.map { ScanPrefetcher(of: leaves, $0.leafIndex) }
        for index in leaves.indices {
            _ = ahead?.advance(to: index)
            let leaf = try leaves.leaf(index)
            guard try leaf.count == 0 || body(leaf) else { return false }
        }
        return true
    }

    package func forEachColumnLeaf(
        in piece: ClusterPiece, _ leafIndex: Int, _ kind: LeafKind, _ body: (ColumnLeaf, _ count: Int) throws -> Void
    ) throws {
        let leaves = try PieceLeaves(piece, in: space)
        var ahead = ScanPrefetcher(of: leaves, leafIndex)
        for index in leaves.indices {
            let found = ahead.advance(to: index)
            let count = try found.map { try ClusterLeaf.rows(space, $0.rows, of: $0.cluster).count } ?? 0
            guard let found, count > 0 else {
                // Either damage, which this throws, or an empty root.
                let leaf = try leaves.leaf(index)
                if leaf.count > 0 { try body(try leaf.column(leafIndex, kind), leaf.count) }
                continue
            }
            let leaf = try ColumnLeaf(space, found.column, kind)
            guard leaf.count >= count else { throw ClusterLeaf.tooFewValues(in: leaf.node.ref) }
            try body(leaf, count)
        }
    }

    package func forEachColumnLeaf(
        _ leafIndex: Int, _ kind: LeafKind, _ body: (ColumnLeaf, _ count: Int) throws -> Void
    ) throws {
        try forEachPiece {
            try forEachColumnLeaf(in: $0, leafIndex, kind, body)
            return true
        }
    }
}

struct PieceLeaves {
    let space: NodeSpace
    let indices: Range<Int>
    private let piece: ClusterPiece
    /// Nil if the tree is one leaf.
    private let branch: Node?
    private let offsets: Node?

    init(_ piece: ClusterPiece, in space: NodeSpace) throws {
        self.space = space
        self.piece = piece
        guard let children = piece.children else {
            (branch, offsets, indices) = (nil, nil, 0..<1)
            return
        }
        let branch = try space.refs(piece.parent)
        self.branch = branch
        indices = children
        let offsetsRef = try branch.child(ClusterBranch.offsetsSlot)
        offsets = offsetsRef == 0 ? nil : try space.integers(offsetsRef)
        if let offsets, offsets.count != branch.count - ClusterBranch.firstChildSlot {
            throw StorageError.corrupt("a cluster branch with a wrong number of offsets", at: branch.ref)
        }
    }

    /// The ref is unchecked.
    func ref(_ index: Int) -> Ref {
        guard let branch else { return piece.parent }
        return Ref(element: branch[index + ClusterBranch.firstChildSlot])
    }

    func leaf(_ index: Int) throws -> ClusterLeaf {
        let ref = ref(index)
        let node = try space.refs(ref)
        guard !node.header.isInner else {
            throw StorageError.corrupt("a cluster branch where a leaf belongs", at: ref)
        }
        let offset = branch == nil ? 0 : offsets?.unsigned(index) ?? ClusterBranch.compactOffset(index, depth: 1)
        let leaf = try ClusterLeaf(space, node, keyOffset: piece.keyOffset &+ offset)
        // Only the root may be empty (content 5.2). In a malicious file, branches could lead to an unlimited number of
        // empty leaves.
        guard leaf.count > 0 || branch == nil else {
            throw StorageError.corrupt("an empty cluster below a branch", at: ref)
        }
        return leaf
    }
}
