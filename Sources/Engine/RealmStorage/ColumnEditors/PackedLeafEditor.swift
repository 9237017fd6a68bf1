// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Changes leaves that are one node of packed integers: Int, Bool, links, object keys, indices of enumerated strings,
/// collections, and backlinks (content 6.1, 6.3, 6.6.4, 6.12, 6.15, 6.16, 7.4).
struct PackedLeafEditor {
    let store: NodeStore
    let kind: LeafKind

    @inline(__always)
    init(_ store: NodeStore, _ kind: LeafKind) {
        self.store = store
        self.kind = kind
    }

    @inline(__always) var space: NodeSpace { store.space }

    func create(_ elements: some Collection<Int64>) throws -> Ref {
        try store.create(elements, flags: kind.holdsRefs ? NodeHeader.Flags.hasRefs : NodeHeader.Flags.plain)
    }

    func insert(_ ref: inout Ref, at row: Int, _ element: Int64) throws {
        guard row <= (try checkedNode(ref).count) else { throw ColumnLeaf.noRow(ref) }
        try store.insert(&ref, row, element)
    }

    func insert(_ ref: inout Ref, at row: Int, contentsOf elements: [Int64]) throws {
        guard row <= (try checkedNode(ref).count) else { throw ColumnLeaf.noRow(ref) }
        try store.insert(&ref, row, contentsOf: elements)
    }

    /// Frees nothing.
    func set(_ ref: inout Ref, at row: Int, _ element: Int64) throws {
        guard row < (try checkedNode(ref).count) else { throw ColumnLeaf.noRow(ref) }
        try store.set(&ref, row, element)
    }

    /// Frees the old tree, unless the new element has the same.
    func replace(_ ref: inout Ref, at row: Int, _ element: Int64) throws {
        let node = try checkedNode(ref)
        guard row < node.count else { throw ColumnLeaf.noRow(ref) }
        if kind.holdsRefs, node[row] != element { try store.freeElement(node[row]) }
        try store.set(&ref, row, element)
    }

    func erase(_ ref: inout Ref, _ range: Range<Int>) throws {
        let node = try checkedNode(ref)
        guard range.upperBound <= node.count else { throw ColumnLeaf.noRow(ref) }
        if kind.holdsRefs { for row in range { try store.freeElement(node[row]) } }
        try store.remove(&ref, node, range)
    }

    func moveSuffix(_ ref: inout Ref, from row: Int) throws -> Ref {
        let node = try checkedNode(ref)
        guard row <= node.count else { throw ColumnLeaf.noRow(ref) }
        let suffix = try create((row..<node.count).map { node[$0] })
        try store.truncate(&ref, to: row)
        return suffix
    }

    func append(_ ref: inout Ref, contentsOf other: Ref) throws {
        _ = try checkedNode(ref)
        for element in try checkedNode(other).elements() { try store.append(&ref, element) }
        try store.free(other)
    }

    private func checkedNode(_ ref: Ref) throws -> Node {
        kind.holdsRefs ? try space.refs(ref) : try space.node(ref).plain()
    }
}
