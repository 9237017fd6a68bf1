// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Changes cluster trees (content 5); `ClusterTree` reads them.
///
/// Each function takes the root of a tree `inout`: the caller stores the new root in the table. An editor is stateless
/// and created for each call. Confined to the thread of its transaction.
package struct ClusterTreeEditor {
    let store: NodeStore

    @inline(__always)
    package init(_ store: NodeStore) { self.store = store }

    @inline(__always) var space: NodeSpace { store.space }

    @inline(__always)
    func leaves(_ column: ClusterLayout.Column) -> ColumnLeafEditor { ColumnLeafEditor(store, column.kind) }

    package func create(_ layout: ClusterLayout) throws -> Ref {
        var slots = [Int64](repeating: 0, count: layout.slotCount)
        slots[0] = Tagged.encode(0)
        for column in layout.columns {
            let leaf = try leaves(column).create(count: 0, default: column.defaultValue)
            slots[column.leafIndex + 1] = leaf.element
        }
        return try store.create(slots, flags: NodeHeader.Flags.hasRefs)
    }

    @discardableResult
    func changeColumn<Result>(
        _ leaf: inout Ref, _ leafIndex: Int, _ body: (inout Ref) throws -> Result
    ) throws -> Result {
        try changeColumn(&leaf, try store.node(leaf), leafIndex, body)
    }

    @discardableResult @inline(__always)
    func changeColumn<Result>(_ leaf: inout Ref, _ node: Node, _ leafIndex: Int, _ body: (inout Ref) throws -> Result)
        throws -> Result
    {
        var column = try node.child(leafIndex + 1)
        let before = column
        let result = try body(&column)
        if column != before { try store.set(&leaf, leafIndex + 1, column.element) }
        return result
    }
}
