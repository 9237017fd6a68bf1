// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

public import CProcessor

/// Prefetches the data that a scan of one column reads next.
///
/// The next leaf of a column is far away in memory, and so are the two or three nodes that lead to it. Without
/// prefetching, the scan would wait for each in turn.
struct ScanPrefetcher {
    /// The column's entry in a cluster leaf, read before the scan reaches the leaf.
    struct Found {
        let cluster: Ref
        /// The first element of the cluster leaf, which encodes the number of rows.
        let rows: Int64
        let column: Ref
    }

    private let leaves: PieceLeaves
    private let slot: Int
    /// The entries of the scan's current leaf and of the following ones. Nil after the last leaf, and for a damaged
    /// one.
    private var found: (Found?, Found?, Found?, Found?, Found?)

    init(of leaves: PieceLeaves, _ leafIndex: Int) {
        (self.leaves, slot) = (leaves, leafIndex + 1)
        let first = leaves.indices.lowerBound
        for index in leaves.indices.prefix(8) { fetchCluster(index) }
        found = (nil, find(first), find(first + 1), find(first + 2), find(first + 3))
    }

    /// Advances to the next leaf, which is `index`, and returns its entry. For the following leaves, this first
    /// prefetches the ref of the column's leaf, then its header. Then it prefetches the whole leaf or, if that has
    /// several nodes, their headers and later the nodes.
    @inline(__always)
    mutating func advance(to index: Int) -> Found? {
        fetchCluster(index &+ 8)
        found = (found.1, found.2, found.3, found.4, find(index &+ 4))
        let space = leaves.space
        if let leaf = found.2.flatMap({ space.nodeOrNil($0.column) }) {
            if leaf.header.hasRefs { space.fetchHeaders(ofPartsOf: leaf) } else { space.prefetchAll(of: leaf) }
        }
        if let leaf = found.1.flatMap({ space.nodeOrNil($0.column) }), leaf.header.hasRefs {
            space.fetchParts(of: leaf)
        }
        return found.0
    }

    @inline(__always)
    private func fetchCluster(_ index: Int) {
        guard index < leaves.indices.upperBound else { return }
        let ref = leaves.ref(index)
        leaves.space.prefetch(ref)
        leaves.space.prefetch(ref, 8 &+ slot &* 8)
    }

    @inline(__always)
    private func find(_ index: Int) -> Found? {
        guard index < leaves.indices.upperBound, let node = leaves.space.nodeOrNil(leaves.ref(index)),
            node.isPackedRefs, slot < node.count
        else { return nil }
        let (rows, column) = (node[0], Ref(element: node[slot]))
        leaves.space.prefetch(column)
        if !Tagged.isTagged(rows) { leaves.space.prefetch(Ref(element: rows)) }
        return Found(cluster: node.ref, rows: rows, column: column)
    }
}

extension NodeSpace {
    private static let line = 64

    @inline(never)
    fileprivate func fetchHeaders(ofPartsOf node: Node) { forEachPart(of: node) { prefetch($0) } }

    @inline(never)
    fileprivate func fetchParts(of node: Node) { forEachPart(of: node) { nodeOrNil($0).map(prefetchAll) } }

    /// Bounded, because no leaf has more parts than one of Mixed values.
    private func forEachPart(of node: Node, _ body: (Ref) -> Void) {
        for index in 0..<min(node.count, FileFormat.Mixed.count) { body(Ref(element: node[index])) }
    }

    fileprivate func prefetchAll(of node: Node) {
        for offset in stride(from: NodeSpace.line, to: node.header.byteCount, by: NodeSpace.line) {
            prefetch(node.ref, offset)
        }
    }

    /// Prefetches the memory at `offset` bytes after a ref. Any ref is allowed, because nothing is read.
    @inlinable @inline(__always)
    package func prefetch(_ ref: Ref, _ offset: Int = 0) {
        let address = UInt(bitPattern: unsafe base) &+ UInt(truncatingIfNeeded: ref) &+ UInt(bitPattern: offset)
        unsafe regnum_prefetch(UnsafeRawPointer(bitPattern: address))
    }

    /// Prefetches the header of a column's leaf, and the value in `row`. `header` is that of another leaf of the
    /// column: the value's location is a guess.
    @inlinable @inline(__always)
    package func prefetch(_ leaf: Ref, _ header: NodeHeader, row: Int) {
        prefetch(leaf)
        prefetch(leaf, 8 &+ header.likelyOffset(of: row))
    }
}

extension NodeHeader {
    /// The offset of the element at `index` in the payload, if all elements of the node have the same size.
    @inlinable @inline(__always)
    package func likelyOffset(of index: Int) -> Int { (index &* (schemeCode == 0 ? width : width &* 8)) >> 3 }
}

extension Node {
    @inline(__always)
    func prefetch(_ offset: Int) {
        unsafe regnum_prefetch(UnsafeRawPointer(bitPattern: UInt(bitPattern: payload) &+ UInt(bitPattern: offset)))
    }
}
