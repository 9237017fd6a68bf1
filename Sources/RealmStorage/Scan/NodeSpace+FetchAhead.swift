// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

public import CProcessor

/// Having the processor fetch what a scan will read, while it looks at what it has.
///
/// The next leaf of a column lies far away, and where, two or three nodes say that are far away as well: each would be
/// waited for in turn.
extension NodeSpace {
    /// How many bytes are fetched at once.
    private static let line = 64

    /// While leaf `index` of the piece is looked at, of those that follow: where the column's leaf is, then its header,
    /// then all of it or, where it consists of several nodes, their headers and then these.
    @inline(never)
    func fetch(_ column: Int, of piece: ClusterPiece, ahead index: Int) {
        let (leaves, slot) = (piece.leaves, column &+ 1)
        if index &+ 6 < leaves.count {
            prefetch(leaves[index &+ 6].ref)
            prefetch(leaves[index &+ 6].ref, 8 &+ slot &* 8)
        }
        if index &+ 4 < leaves.count, let ref = child(slot, of: leaves[index &+ 4].ref) { prefetch(ref) }
        if index &+ 2 < leaves.count, let leaf = child(slot, of: leaves[index &+ 2].ref).flatMap(nodeOrNil) {
            if leaf.header.hasRefs { forEachPart(of: leaf) { prefetch($0) } } else { prefetchAll(of: leaf) }
        }
        if index &+ 1 < leaves.count, let leaf = child(slot, of: leaves[index &+ 1].ref).flatMap(nodeOrNil) {
            if leaf.header.hasRefs { forEachPart(of: leaf) { nodeOrNil($0).map(prefetchAll) } }
        }
    }

    private func child(_ index: Int, of ref: Ref) -> Ref? {
        guard let node = nodeOrNil(ref), index < node.count else { return nil }
        return Ref(element: node[index])
    }

    /// Mixed values have the most parts.
    private func forEachPart(of node: Node, _ body: (Ref) -> Void) {
        for index in 0..<min(node.count, FileFormat.Mixed.count) { body(Ref(element: node[index])) }
    }

    private func prefetchAll(of node: Node) {
        for offset in stride(from: NodeSpace.line, to: node.header.byteCount, by: NodeSpace.line) {
            prefetch(node.ref, offset)
        }
    }

    /// Begins to fetch what is at a ref, or so many bytes behind it. Any ref may be given: nothing is read.
    @inlinable @inline(__always)
    package func prefetch(_ ref: Ref, _ offset: Int = 0) {
        let address = UInt(bitPattern: unsafe base) &+ UInt(truncatingIfNeeded: ref) &+ UInt(bitPattern: offset)
        unsafe regnum_prefetch(UnsafeRawPointer(bitPattern: address))
    }
}

extension Node {
    /// Begins to fetch what is so many bytes behind the beginning of the payload.
    @inline(__always)
    func prefetch(_ offset: Int) {
        unsafe regnum_prefetch(UnsafeRawPointer(bitPattern: UInt(bitPattern: payload) &+ UInt(bitPattern: offset)))
    }
}
