// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The objects of a table as a tree keyed by object key (content 5). Read-only; see `ClusterTreeEditor` for changes.
///
/// Keys are unsigned and relative to the offsets of the nodes above. All sums are modulo 2^64.
@frozen @usableFromInline
package struct ClusterTree {
    @usableFromInline package let space: NodeSpace
    @usableFromInline package let root: Ref

    package init(_ space: NodeSpace, root: Ref) {
        self.space = space
        self.root = root
    }

    package struct Position {
        package let leaf: ClusterLeaf
        package let row: Int

        package init(leaf: ClusterLeaf, row: Int) {
            self.leaf = leaf
            self.row = row
        }
    }

    package struct LeafPlace {
        package var ref: Ref
        package var keyOffset: UInt64
    }

    package func count() throws -> Int { try ClusterTree.count(space, root) }

    static func count(_ space: NodeSpace, _ ref: Ref) throws -> Int {
        let node = try space.refs(ref)
        if node.header.isInner { return Int(clamping: try node.tagged(ClusterBranch.countSlot)) }
        return try ClusterLeaf(space, node, keyOffset: 0).count
    }

    package func find(_ key: ObjectKey) throws -> Position? {
        let leaf = try leaf(for: UInt64(bitPattern: key.rawValue))
        return leaf.row(of: key).map { Position(leaf: leaf, row: $0) }
    }

    package func leaf(for key: UInt64) throws -> ClusterLeaf { try leaf(at: leafPlace(for: key)) }

    /// Reads the branches but not the leaf. The object may not exist.
    package func leafPlace(for key: UInt64) throws -> LeafPlace {
        var place = LeafPlace(ref: root, keyOffset: 0)
        var depth = UInt64.max
        repeat {
            let node = try space.refs(place.ref)
            guard node.header.isInner else { return place }
            depth = try ClusterBranch.depth(of: node, below: depth)
            let child = try ClusterBranch.child(of: node, depth: depth, for: key &- place.keyOffset, in: space)
            place.ref = try node.child(child.index + ClusterBranch.firstChildSlot)
            place.keyOffset &+= child.offset
        } while depth > 1
        return place
    }

    package func leaf(at place: LeafPlace) throws -> ClusterLeaf {
        let node = try space.refs(place.ref)
        guard !node.header.isInner else {
            throw StorageError.corrupt("a cluster branch of impossible form", at: place.ref)
        }
        return try ClusterLeaf(space, node, keyOffset: place.keyOffset)
    }

    /// `index` must be less than the count.
    package func position(at index: Int) throws -> Position {
        var ref = root
        var offset: UInt64 = 0
        var depth = UInt64.max
        var rest = index
        while true {
            let node = try space.refs(ref)
            guard node.header.isInner else {
                let leaf = try ClusterLeaf(space, node, keyOffset: offset)
                guard rest >= 0, rest < leaf.count else {
                    throw StorageError.corrupt("a cluster with a wrong count", at: ref)
                }
                return Position(leaf: leaf, row: rest)
            }
            depth = try ClusterBranch.depth(of: node, below: depth)
            let child = try ClusterBranch.child(of: node, skipping: &rest, in: space)
            ref = try node.child(child + ClusterBranch.firstChildSlot)
            offset &+= try ClusterBranch.offset(ofChild: child, of: node, depth: depth, in: space)
        }
    }

    /// `column` is the one that `body` reads.
    package func forEachLeaf(reading column: Column? = nil, _ body: (ClusterLeaf) throws -> Bool) throws {
        try forEachPiece { try forEachLeaf(in: $0, reading: column, body) }
    }

    /// `keys` must ascend. A repeated key repeats its row; keys without an object are skipped.
    package func forEachLeaf(holding keys: [ObjectKey], _ body: (ClusterLeaf, [Int]) throws -> Void) throws {
        var rows: [Int] = []
        var index = 0
        while index < keys.count {
            let leaf = try leaf(for: UInt64(bitPattern: keys[index].rawValue))
            rows.removeAll(keepingCapacity: true)
            let last = leaf.count == 0 ? keys[index] : leaf.key(at: leaf.count - 1)
            repeat {
                if let row = leaf.row(of: keys[index]) { rows.append(row) }
                index += 1
            } while index < keys.count && keys[index] <= last
            if !rows.isEmpty { try body(leaf, rows) }
        }
    }
}
