// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

extension Audit {
    /// A node with a valid header: it is inside the snapshot.
    struct Node {
        let ref: Int64
        let header: NodeHeader

        /// Header flags by role (content appendix A).
        static let plain = NodeHeader.Flags.plain
        static let refs = NodeHeader.Flags.hasRefs
        static let bytes = NodeHeader.Flags.bytes
        static let blob = NodeHeader.Flags.blob
        static let context = NodeHeader.Flags.context
        static let markedRefs = NodeHeader.Flags.hasRefs | NodeHeader.Flags.context
        static let inner = NodeHeader.Flags.inner | NodeHeader.Flags.hasRefs
        static let markedInner = inner | NodeHeader.Flags.context
        static let markedBytes = NodeHeader.Flags.bytes | NodeHeader.Flags.context

        var flags: UInt8 { header.flags }
        var isInner: Bool { header.isInner }
        var hasRefs: Bool { header.hasRefs }
        var hasContext: Bool { header.hasContext }
        var width: Int { header.width }
        var count: Int { header.count }
        var byteCount: Int { header.byteCount }
        var payload: Int { Int(ref) + NodeHeader.byteCount }
    }

    /// Whether a node can begin at `ref` (container 2.1).
    func isPlace(_ ref: Int64) -> Bool { ref >= 24 && ref & 7 == 0 && ref <= end - 8 }

    func node(_ ref: Int64) throws(Damage) -> Node {
        guard ref & 7 == 0, ref >= 24 else {
            throw Damage(ref, "1:2.1 R23", "\(ref) cannot be a ref (not a multiple of 8, or below 24)")
        }
        guard isPlace(ref) else { throw Damage(ref, "1:2.1 R23", "ref \(ref) is outside [24, \(end))") }
        let node = rawNode(ref)
        if node.header.schemeCode == 3 { throw Damage(ref, "1:2.2 R8", "width type 3") }
        if ref + Int64(node.byteCount) > end {
            throw Damage(ref, "1:5.4 R23", "node of \(node.byteCount) bytes ends after \(end)")
        }
        if node.byteCount >= NodeHeader.maximumByteCount {
            throw Damage(ref, "1:2.8 W4", "node of \(node.byteCount) bytes")
        }
        if node.isInner, !node.hasRefs { throw Damage(ref, "1:2.2 W5", "inner node without the hasRefs flag") }
        return node
    }

    /// Returns the node at `ref` without validation. `isPlace(ref)` must be true.
    func rawNode(_ ref: Int64) -> Node {
        Node(ref: ref, header: NodeHeader(bits: bytes.load(UInt32.self, at: Int(ref) + 4).byteSwapped))
    }

    /// In a node with `hasRefs`, every even element other than 0 is a child (container 2.6).
    func forEachChild(of node: Node, _ body: (Int64) -> Void) {
        guard node.hasRefs, node.header.schemeCode == 0, node.width > 1 else { return }
        // In pieces: a node may have sixteen million elements.
        let piece = 4096
        for start in stride(from: 0, to: node.count, by: piece) {
            let elements: [Int64] = bytes.elements(
                at: node.payload + start * node.width / 8, count: min(piece, node.count - start), width: node.width)
            for element in elements where isRef(element) { body(element) }
        }
    }

    /// The value of a tagged integer (container 2.6). A raw 0 is read as 0 where that is allowed.
    func tagged(_ element: Int64, _ ref: Int64, _ slot: Int, orZero: Bool = true) throws(Damage) -> UInt64 {
        if Tagged.isTagged(element) { return Tagged.decode(element) }
        if element == 0, orZero { return 0 }
        throw Damage(ref, "1:2.6 W5", "slot \(slot) holds \(element) where a tagged integer belongs")
    }
}
