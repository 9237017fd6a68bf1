// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Changes search indexes (content 9.3 to 9.5), both value indexes and word indexes. `SearchIndex` and `FullTextIndex`
/// read them.
///
/// Each function takes the root of an index `inout`, as `NodeStore` takes a ref; the caller stores the new root in the
/// table. An editor is stateless and is created for each call. Confined to one transaction and one thread at a time.
package struct SearchIndexEditor {
    let store: NodeStore

    @inline(__always)
    package init(_ store: NodeStore) { self.store = store }

    @inline(__always) var space: NodeSpace { store.space }

    package func create() throws -> Ref { try createNode(keys: [], elements: [], isInner: false) }

    /// Ignores a root of 0.
    package func free(_ root: Ref) throws { try store.freeTree(root) }
}
