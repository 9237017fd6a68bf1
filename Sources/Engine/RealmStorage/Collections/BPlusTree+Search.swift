// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Search in trees of ascending elements. Elements are compared in the node, without creating strings. A search makes
/// one descent; in each branch it compares the first elements of the children.
extension BPlusTree {
    func place(of value: StoredValue, _ order: ElementOrder) throws -> (index: Int, isFound: Bool) {
        switch (kind, value) {
        case (.int, .int(let number)): try place(of: NumberLookup(number))
        case (.key, .link(let key)): try place(of: NumberLookup(key.rawValue))
        case (.string, .string(let text)): try place(of: text)
        default: try place(of: ValueLookup(value: value, order: order))
        }
    }

    /// Returns `nil` if the fence keys can't locate `value`, or don't exist for elements of this kind.
    ///
    /// `companion` is the root of a tree with mostly the same leaf lengths. Its leaf at the same index is prefetched.
    func place(of value: StoredValue, by fenceIndex: FenceKeyIndex, companion: Ref = 0) throws -> LeafPosition? {
        let place = try fencedPosition(of: value, fenceIndex, companion)
        verify(value, place)
        return place
    }

    @inline(__always)
    private func fencedPosition(of value: StoredValue, _ fenceIndex: FenceKeyIndex, _ companion: Ref) throws
        -> LeafPosition?
    {
        switch (kind, value) {
        case (.int, .int(let number)):
            return try fenceIndex.place(of: NumberLookup(number), in: self, companion: companion)
        case (.key, .link(let key)): return try fenceIndex.place(of: NumberLookup(key.rawValue), in: self)
        case (.string, .string(var text)):
            return try text.withUTF8 {
                unsafe try fenceIndex.place(of: TextLookup(UnsafeRawBufferPointer($0)), in: self, companion: companion)
            }
        default: return nil
        }
    }

    func entry(of key: String, by fenceIndex: FenceKeyIndex, in values: BPlusTree) throws -> LookupResult? {
        var text = key
        let entry = try text.withUTF8 {
            unsafe try fenceIndex.entry(of: TextLookup(UnsafeRawBufferPointer($0)), in: self, values)
        }
        verify(key, entry, in: values)
        return entry
    }

    func place(of text: String) throws -> (index: Int, isFound: Bool) {
        var text = text
        return try text.withUTF8 { unsafe try place(of: TextLookup(UnsafeRawBufferPointer($0))) }
    }

    private func place(of sought: some ElementLookup) throws -> (index: Int, isFound: Bool) {
        guard count > 0 else { return (0, false) }
        let leaf = try lastLeaf(notAbove: sought)
        guard leaf.range.upperBound <= count else {
            throw StorageError.corrupt("list offsets out of order", at: leaf.leaf.node.ref)
        }
        let (row, isFound) = try sought.place(in: leaf.leaf)
        return (leaf.start + row, isFound)
    }

    /// The last leaf whose first element isn't greater than the searched one, or the first leaf.
    private func lastLeaf(notAbove sought: some ElementLookup) throws -> Leaf {
        var (ref, start) = (root, 0)
        for _ in 0..<BPlusTree.maximumDepth {
            let node = try space.node(ref)
            guard node.header.isInner else { return Leaf(leaf: try BPlusTree.leaf(space, node, kind), start: start) }
            let child = try SortedSearch.prefix(of: max(0, node.count - 3)) {
                let child = try node.child($0 &+ 2)
                if let leaf = space.nodeOrNil(child), !leaf.header.isInner {
                    return try !sought.isBelow(space, leaf, kind)
                }
                return try !sought.isBelow(space, firstLeaf(below: child), kind)
            }
            start += try TreeBranch.offset(of: child, in: node, in: space)
            ref = try node.child(child + 1)
        }
        throw StorageError.corrupt("list nodes nested without end", at: ref)
    }

    private func firstLeaf(below root: Ref) throws -> Node {
        var node = try space.node(root)
        for _ in 0..<BPlusTree.maximumDepth {
            guard node.header.isInner else { return node }
            node = try space.node(node.child(1))
        }
        throw StorageError.corrupt("list nodes nested without end", at: root)
    }
}

/// A searched element, in the form that compares fastest with leaves.
protocol ElementLookup {
    /// Compares with the first element of the leaf.
    func isBelow(_ space: NodeSpace, _ root: Node, _ kind: LeafKind) throws -> Bool
    /// The row of the element, or the row at which it would be inserted.
    func place(in leaf: ColumnLeaf) throws -> (row: Int, isFound: Bool)
}

protocol RankedElement: ElementLookup {
    func rank(behind prefix: CommonPrefix) -> FenceKey
}

private struct ValueLookup: ElementLookup {
    let value: StoredValue
    let order: ElementOrder

    func isBelow(_ space: NodeSpace, _ root: Node, _ kind: LeafKind) throws -> Bool {
        try BPlusTree.leaf(space, root, kind).compare(0, with: value, order) > 0
    }

    func place(in leaf: ColumnLeaf) throws -> (row: Int, isFound: Bool) {
        let row = try SortedSearch.prefix(of: leaf.count) { try leaf.compare($0, with: value, order) < 0 }
        return (row, try row < leaf.count && leaf.compare(row, with: value, order) == 0)
    }
}

private struct NumberLookup: RankedElement {
    let number: Int64

    init(_ number: Int64) { self.number = number }

    func isBelow(_ space: NodeSpace, _ root: Node, _ kind: LeafKind) throws -> Bool {
        try root.plain().element(0) > number
    }

    func rank(behind prefix: CommonPrefix) -> FenceKey { .word(FenceKey.word(of: number), isWhole: true) }

    func place(in leaf: ColumnLeaf) throws -> (row: Int, isFound: Bool) {
        let node = leaf.node
        let row =
            switch node.width {
            case 64: row(of: Int64.self, in: node)
            case 32: row(of: Int32.self, in: node)
            case 16: row(of: Int16.self, in: node)
            default: SortedSearch.prefix(of: leaf.count) { node[$0] < number }
            }
        return (row, row < leaf.count && node[row] == number)
    }

    private func row<Element: FixedWidthInteger>(of type: Element.Type, in node: Node) -> Int {
        let width = Element.bitWidth >> 3
        return SortedSearch.prefix(of: node.count, fetching: { node.prefetch($0 &* width) }) {
            unsafe Int64(node.payload.loadUnaligned(fromByteOffset: $0 &* width, as: type)) < number
        }
    }
}
