// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The most frequent insertion of a dictionary's value: the value fits in its descriptor, the leaves have the same
/// lengths as those of the keys, and all nodes are dirty and have room.
extension BPlusTreeEditor {
    /// Inserts like `insert(_:at:_:)` at the index of a key. Returns `false`, without a change, if the insertion needs
    /// more than moved descriptors and updated counts in the branches.
    func insertInPlace(_ root: Ref, _ value: MixedDescriptor, near place: LeafPosition) -> Bool {
        var (ref, index) = (root, place.index)
        var (upper, lower): (CountingBranch?, CountingBranch?)
        if let step = place.grandparent {
            guard let branch = CountingBranch(space, ref, step.child, taking: index) else { return false }
            (upper, ref, index) = (branch, branch.childRef, index - branch.start)
        }
        if let step = place.parent {
            guard let branch = CountingBranch(space, ref, step.child, taking: index) else { return false }
            (lower, ref, index) = (branch, branch.childRef, index - branch.start)
        }
        guard space.isDirty(ref), let leaf = space.nodeOrNil(ref), leaf.isPackedRefs,
            leaf.count == FileFormat.Mixed.count, leaf.width == 64, leaf.wide(FileFormat.Mixed.keys) == 0,
            let descriptors = space.plainOrNil(Ref(element: leaf.wide(FileFormat.Mixed.descriptors))),
            descriptors.count < store.treeCapacity, store.insertInPlace(descriptors, at: index, value.rawValue)
        else { return false }
        if let upper { countOneMore(upper) }
        if let lower { countOneMore(lower) }
        return true
    }

    @inline(__always)
    private func countOneMore(_ branch: CountingBranch) {
        if branch.child < branch.offsets.count {
            let isDone = store.adjustUnsignedInPlace(branch.offsets, from: branch.child, by: 1)
            precondition(isDone, "the offsets have room for one more")
        }
        store.add(1, toTagged: branch.node.count - 1, of: branch.node)
    }
}

/// A dirty branch of general form in which an insertion below one child changes only counts.
private struct CountingBranch {
    let node: Node
    let offsets: Node
    let child: Int
    let start: Int

    /// Nil for other branches, and if the child can't hold an element at `index`.
    @inline(__always)
    init?(_ space: NodeSpace, _ ref: Ref, _ child: Int, taking index: Int) {
        guard space.isDirty(ref), let node = space.nodeOrNil(ref), node.header.isInner, node.width == 64,
            0..<node.count - 2 ~= child
        else { return nil }
        let first = node.wide(0)
        guard !Tagged.isTagged(first), let offsets = space.plainOrNil(Ref(element: first)), space.isDirty(offsets.ref),
            offsets.count == node.count - 3
        else { return nil }
        let bounds: (start: UInt64, end: UInt64, hasRoom: Bool)
        switch offsets.width {
        case 16: bounds = CountingBranch.bounds(of: child, offsets, UInt16.self)
        case 32: bounds = CountingBranch.bounds(of: child, offsets, UInt32.self)
        default: return nil
        }
        guard bounds.start <= index, index <= bounds.end, bounds.hasRoom else { return nil }
        let start = bounds.start
        (self.node, self.offsets, self.child, self.start) = (node, offsets, child, Int(start))
    }

    /// The indices of the child's first element and of the one after its last, and whether each offset can grow by one.
    /// The offsets ascend, so the last one decides.
    @inline(__always)
    private static func bounds<Element: FixedWidthInteger & UnsignedInteger>(
        of child: Int, _ offsets: Node, _ type: Element.Type
    ) -> (start: UInt64, end: UInt64, hasRoom: Bool) {
        func offset(_ index: Int) -> Element {
            unsafe offsets.payload.loadUnaligned(fromByteOffset: index &* (Element.bitWidth >> 3), as: type)
        }
        let start = child == 0 ? 0 : UInt64(offset(child &- 1))
        guard child < offsets.count else { return (start, .max, true) }
        return (start, UInt64(offset(child)), offset(offsets.count &- 1) < .max)
    }

    @inline(__always) var childRef: Ref { Ref(element: node.wide(child + 1)) }
}

extension Node {
    @inline(__always)
    fileprivate func wide(_ index: Int) -> Int64 {
        precondition(width == 64 && 0..<count ~= index)
        return unsafe payload.loadUnaligned(fromByteOffset: index &* 8, as: Int64.self)
    }
}
