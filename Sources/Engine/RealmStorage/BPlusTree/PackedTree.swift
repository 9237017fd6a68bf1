// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A tree of ints or object keys for random reads. Its root is decoded once.
///
/// Immutable. Valid until a node of the tree moves.
@frozen @usableFromInline
package struct PackedTree {
    @usableFromInline let space: NodeSpace
    @usableFromInline let root: Node
    /// The width of the elements in the first leaf, in bits.
    @usableFromInline let likelyWidth: Int
    /// The number of the root's children, if it is in compact form (container 4.2); 0 otherwise.
    @usableFromInline let childCount: UInt64
    /// The number of elements of each child except the last. `inverse` is 2^64 divided by it, rounded up:
    /// multiplication by it replaces a division.
    @usableFromInline let childSize: UInt64
    @usableFromInline let inverse: UInt64

    /// Nil for an empty tree, for elements of another kind, and for a damaged tree.
    package init?(_ tree: BPlusTree) {
        guard tree.kind == .int || tree.kind == .key, tree.root != 0, let root = tree.space.nodeOrNil(tree.root),
            let first = try? tree.leaf(holding: 0)
        else { return nil }
        space = tree.space
        self.root = root
        likelyWidth = first.leaf.node.width
        let size = root.header.isInner && Tagged.isTagged(root[0]) ? Tagged.decode(root[0]) : 0
        guard 2...UInt64(UInt32.max) ~= size else {
            (childCount, childSize, inverse) = (0, 0, 0)
            return
        }
        childCount = UInt64(root.count) - 2
        childSize = size
        inverse = UInt64.max / size + 1
    }

    /// Element `index`, which must not be negative, below a root in compact form.
    ///
    /// Nil also if a slower search may find it: the caller then uses `elementBelowAnyRoot`. A call from here would copy
    /// this value for each element. The element and the header of its leaf are prefetched together, so the processor
    /// waits once.
    @inlinable @inline(__always)
    package func elementBelowCompactRoot(at index: Int) -> Int64? {
        let place = UInt64(bitPattern: Int64(index))
        // The product is exact for indices below 2^32.
        let child = place.multipliedFullWidth(by: inverse).high
        guard child < childCount, place <= UInt64(UInt32.max) else { return nil }
        let row = Int(truncatingIfNeeded: place &- child &* childSize)
        let element = unsafe Node.load(root.payload, Int(truncatingIfNeeded: child) &+ 1, root.header.widthCode)
        let ref = Ref(truncatingIfNeeded: Int(element))
        space.prefetch(ref, 8 &+ (row &* likelyWidth) >> 3)
        guard let leaf = space.plainOrNil(ref), row < leaf.count else { return nil }
        return unsafe Node.load(leaf.payload, row, leaf.header.widthCode)
    }

    /// Nil if `index` is out of bounds, or if the tree is damaged, which a read through `BPlusTree` reports.
    package func elementBelowAnyRoot(at index: Int) -> Int64? {
        var (node, index) = (root, index)
        for _ in 0..<BPlusTree.maximumDepth {
            guard node.header.isInner else { return node.isPlain && index < node.count ? node[index] : nil }
            guard let (child, offset) = try? TreeBranch.child(of: node, holding: index, in: space),
                let ref = try? node.child(child &+ 1)
            else { return nil }
            index &-= offset
            space.prefetch(ref, 8 &+ (index &* likelyWidth) >> 3)
            guard let next = space.nodeOrNil(ref) else { return nil }
            node = next
        }
        return nil
    }
}
