// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

struct RowInts {
    private var leaves: RowLeaves
    private var leaf: Node?
    private var index = 0
    private let hasMarker: Bool
    private let holdsRefs: Bool

    /// `hasMarker`: each leaf begins with the element that represents null in it.
    init(_ reader: RowReader, _ root: Ref, hasMarker: Bool = false, holdsRefs: Bool = false) {
        leaves = RowLeaves(reader, root)
        self.hasMarker = hasMarker
        self.holdsRefs = holdsRefs
    }

    /// Returns the next leaf and the index of its first value. None of its values may have been read yet.
    mutating func nextLeaf() throws -> (leaf: Node, first: Int)? {
        while let node = try leaves.next() {
            // A leaf of zeros has no refs, regardless of its header.
            guard node.header.schemeCode == 0, holdsRefs == node.header.hasRefs || node.width == 0 else {
                throw ColumnLeaf.wrongNode(node.ref)
            }
            guard !hasMarker || node.count > 0 else { throw ColumnLeaf.wrongNode(node.ref) }
            if node.count > (hasMarker ? 1 : 0) { return (node, hasMarker ? 1 : 0) }
        }
        return nil
    }

    mutating func next() throws -> (value: Int64, isNull: Bool)? {
        if leaf.map({ index >= $0.count }) ?? true {
            guard let (next, first) = try nextLeaf() else { return nil }
            (leaf, index) = (next, first)
        }
        guard let leaf else { return nil }
        defer { index += 1 }
        let value = leaf[index]
        return (value, hasMarker && value == leaf[0])
    }
}
