// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Writing leaves that are one node of packed integers: Int, Bool, links, object keys, indexes of enumerated strings,
/// collections and backlinks (content 6.1, 6.3, 6.6.4, 6.12, 6.15, 6.16, 7.4).
extension NodeStore {
    func createPacked(_ kind: LeafKind, _ elements: some Collection<Int64>) throws -> Ref {
        try create(elements, flags: kind.holdsRefs ? NodeHeader.Flags.hasRefs : NodeHeader.Flags.plain)
    }

    func packedInsert(_ ref: inout Ref, _ kind: LeafKind, at row: Int, _ element: Int64) throws {
        guard row <= (try packed(ref, kind).count) else { throw ColumnLeaf.noRow(ref) }
        try insert(&ref, row, element)
    }

    func packedInsert(_ ref: inout Ref, _ kind: LeafKind, at row: Int, contentsOf elements: [Int64]) throws {
        guard row <= (try packed(ref, kind).count) else { throw ColumnLeaf.noRow(ref) }
        try insert(&ref, row, contentsOf: elements)
    }

    /// Replaces an element and frees nothing.
    func packedSet(_ ref: inout Ref, _ kind: LeafKind, at row: Int, _ element: Int64) throws {
        guard row < (try packed(ref, kind).count) else { throw ColumnLeaf.noRow(ref) }
        try set(&ref, row, element)
    }

    /// Replaces an element and frees the tree that it pointed to, unless it still does.
    func packedReplace(_ ref: inout Ref, _ kind: LeafKind, at row: Int, _ element: Int64) throws {
        let node = try packed(ref, kind)
        guard row < node.count else { throw ColumnLeaf.noRow(ref) }
        if kind.holdsRefs, node[row] != element { try freeElement(node[row]) }
        try set(&ref, row, element)
    }

    func packedErase(_ ref: inout Ref, _ kind: LeafKind, _ range: Range<Int>) throws {
        let node = try packed(ref, kind)
        guard range.upperBound <= node.count else { throw ColumnLeaf.noRow(ref) }
        if kind.holdsRefs { for row in range { try freeElement(node[row]) } }
        try remove(&ref, node, range)
    }

    func packedMoveSuffix(_ ref: inout Ref, _ kind: LeafKind, from row: Int) throws -> Ref {
        let node = try packed(ref, kind)
        guard row <= node.count else { throw ColumnLeaf.noRow(ref) }
        let suffix = try createPacked(kind, (row..<node.count).map { node[$0] })
        try truncate(&ref, to: row)
        return suffix
    }

    func packedAppend(_ ref: inout Ref, _ kind: LeafKind, contentsOf other: Ref) throws {
        _ = try packed(ref, kind)
        for element in try packed(other, kind).elements() { try append(&ref, element) }
        try free(other)
    }

    /// Frees the tree below an element of a node with refs, if the element is a ref.
    func freeElement(_ element: Int64) throws {
        if !Tagged.isTagged(element) { try freeTree(Ref(element: element)) }
    }

    private func packed(_ ref: Ref, _ kind: LeafKind) throws -> Node {
        kind.holdsRefs ? try space.refs(ref) : try space.node(ref).plain()
    }
}
