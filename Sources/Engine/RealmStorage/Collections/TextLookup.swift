// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A searched text, in a tree of strings. Valid only as long as the bytes it was created with.
@safe
struct TextLookup: RankedElement {
    private let bytes: UnsafeRawBufferPointer
    private let short: ShortText

    @inline(__always)
    init(_ bytes: UnsafeRawBufferPointer) {
        unsafe self.bytes = unsafe bytes
        short = unsafe ShortText(bytes)
    }

    func isBelow(_ space: NodeSpace, _ root: Node, _ kind: LeafKind) throws -> Bool {
        if ShortText.makeUp(root) { return try short.isBelow(ShortText(root, 0)) }
        return unsafe try BPlusTree.leaf(space, root, kind).compare(0, withBytes: bytes) > 0
    }

    @inline(__always)
    func rank(behind prefix: CommonPrefix) -> FenceKey {
        guard let count = prefix.shortCount else { return unsafe FenceKey(of: bytes, behind: prefix.bytes) }
        let first = short.first(count)
        if first != prefix.number { return first < prefix.number ? .below : .above }
        return unsafe bytes.count < count ? .below : .word(short.word(behind: count), isWhole: false)
    }

    func place(in leaf: ColumnLeaf) throws -> (row: Int, isFound: Bool) {
        if ShortText.makeUp(leaf.node) { return try place(in: leaf.node, 0..<leaf.node.count) }
        let count = leaf.count
        let row = try SortedSearch.prefix(of: count) { unsafe try leaf.compare($0, withBytes: bytes) < 0 }
        return unsafe (row, try row < count && leaf.compare(row, withBytes: bytes) == 0)
    }

    /// For leaves of the short form. The text must belong in `rows` or directly after them.
    func place(in leaf: Node, _ rows: Range<Int>) throws -> (row: Int, isFound: Bool) {
        let (start, width) = (rows.lowerBound, leaf.width)
        if width == 16, rows.upperBound <= leaf.count { return try placeAmongSixteen(leaf, rows) }
        let count = try SortedSearch.prefix(of: rows.count, fetching: { leaf.prefetch((start &+ $0) &* width) }) {
            try ShortText(leaf, start &+ $0).isBelow(short)
        }
        let row = start &+ count
        return (row, try row < leaf.count && ShortText(leaf, row) == short)
    }

    /// Elements of 16 bytes are compared in their stored form.
    @inline(__always)
    private func placeAmongSixteen(_ leaf: Node, _ rows: Range<Int>) throws -> (row: Int, isFound: Bool) {
        let start = rows.lowerBound
        var padding: UInt64 = 0
        let count = SortedSearch.prefix(of: rows.count, fetching: { leaf.prefetch((start &+ $0) &* 16) }) {
            unsafe short.isAbove(leaf.payload + (start &+ $0) &* 16, &padding)
        }
        guard padding <= 16 else { throw BytesLeaf.damaged(leaf) }
        let row = start &+ count
        return (row, try row < leaf.count && ShortText(leaf, row) == short)
    }
}
