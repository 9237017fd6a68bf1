// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Searching trees whose elements ascend. Elements are looked at where they lie, so that strings need not be made, and
/// branches are gone down once: in each the search is among the first elements of its children.
extension BPlusTree {
    /// Where `value` is or belongs.
    func place(of value: StoredValue, _ order: ElementOrder) throws -> (index: Int, isFound: Bool) {
        switch (kind, value) {
        case (.int, .int(let number)):
            return try place { leaf, row in
                let element = try leaf.element(row)
                return element < number ? -1 : element > number ? 1 : 0
            }
        case (.string, .string(var text)):
            return try text.withUTF8 { bytes in
                let bytes = UnsafeRawBufferPointer(bytes)
                return try place { unsafe try $0.compare($1, withBytes: bytes) }
            }
        default: return try place { try $0.compare($1, with: value, order) }
        }
    }

    /// As above, of what `compare` finds equal; it gives the order of an element and what is sought.
    private func place(_ compare: (ColumnLeaf, Int) throws -> Int) throws -> (index: Int, isFound: Bool) {
        guard count > 0 else { return (0, false) }
        let leaf = try lastLeaf { try compare($0, 0) < 0 }
        var (low, high) = (0, leaf.leaf.count)
        while low < high {
            let middle = (low + high) >> 1
            if try compare(leaf.leaf, middle) < 0 { low = middle + 1 } else { high = middle }
        }
        let index = leaf.start + low
        guard leaf.range.upperBound <= count else {
            throw StorageError.corrupt("list offsets out of order", at: leaf.leaf.node.ref)
        }
        if low < leaf.leaf.count { return (index, try compare(leaf.leaf, low) == 0) }
        guard index < count else { return (count, false) }
        let next = try self.leaf(holding: index)
        return (index, try compare(next.leaf, index - next.start) == 0)
    }

    /// The last leaf that `isBelow` holds for, or the first one of all. It must hold for some of the first leaves only.
    private func lastLeaf(where isBelow: (ColumnLeaf) throws -> Bool) throws -> Leaf {
        var (ref, start) = (root, 0)
        for _ in 0..<BPlusTree.maximumDepth {
            let node = try space.node(ref)
            guard node.header.isInner else { return Leaf(leaf: try BPlusTree.leaf(space, ref, kind), start: start) }
            var (low, high) = (0, node.count - 3)
            while low < high {
                let middle = (low + high + 1) >> 1
                let first = try firstLeaf(below: node.child(middle + 1))
                if try isBelow(first) { low = middle } else { high = middle - 1 }
            }
            start += try TreeBranch.offset(of: low, in: node, in: space)
            ref = try node.child(low + 1)
        }
        throw StorageError.corrupt("list nodes nested without end", at: ref)
    }

    private func firstLeaf(below root: Ref) throws -> ColumnLeaf {
        var ref = root
        for _ in 0..<BPlusTree.maximumDepth {
            let node = try space.node(ref)
            guard node.header.isInner else { return try BPlusTree.leaf(space, ref, kind) }
            ref = try node.child(1)
        }
        throw StorageError.corrupt("list nodes nested without end", at: ref)
    }
}
