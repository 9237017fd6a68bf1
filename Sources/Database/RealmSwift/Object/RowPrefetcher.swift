// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Has the values of a row fetched before they are read, those of the first columns of its class: the processor waits
/// once for the memory of all, and not at the read of each.
///
/// Where a value lies in its leaf depends on the leaf's header, which would have to be waited for first. Leaves of one
/// column mostly have the same, so the one that was seen last tells. Confined as the Realm is.
@safe final class RowPrefetcher {
    /// A node of each row that is fetched: the leaf of a column, or a child of one.
    fileprivate struct Part {
        /// Which child it is.
        let child: Int
        /// As it was in the row before.
        var header = NodeHeader(bits: 0)
        /// Where it is.
        var ref: Ref = 0
    }

    private struct Column {
        var leaf: Part
        /// Its two children, where it has some: what a date is made of, or where a string ends and its bytes.
        var first = Part(child: 0)
        var second = Part(child: 1)
        /// The leaf, if it has children.
        var parent: Node?
    }

    private let columns: UnsafeMutableBufferPointer<Column>

    init(_ managed: ManagedClass) {
        unsafe columns = .allocate(capacity: managed.firstColumns.count)
        _ = unsafe columns.initialize(from: managed.firstColumns.map { Column(leaf: Part(child: $0 + 1)) })
    }

    deinit { unsafe columns.deallocate() }

    /// Begins to fetch the values at `place`, of the version that is read.
    func fetch(_ place: RowLocation, _ state: UnsafeMutablePointer<ReadState>) {
        for index in unsafe columns.indices {
            unsafe state.prefetch(&columns[index].leaf, of: place.leaf, place.leafHeader, place.row)
        }
        // Leaves that have children first, as far as is known: they are small and mostly lie beside their parent, so
        // that the children are on their way while the others are waited for.
        var hasParts = false
        for index in unsafe columns.indices where unsafe columns[index].parent != nil {
            hasParts = unsafe lookAt(index, place, state) || hasParts
        }
        for index in unsafe columns.indices where unsafe columns[index].parent == nil {
            hasParts = unsafe lookAt(index, place, state) || hasParts
        }
        guard hasParts else { return }
        for index in unsafe columns.indices {
            guard let parent = unsafe columns[index].parent else { continue }
            _ = unsafe state.remember(&columns[index].first, of: parent.payload)
            _ = unsafe state.remember(&columns[index].second, of: parent.payload)
        }
    }

    /// Looks at a column's leaf, and begins to fetch its children; whether it has some.
    @inline(__always)
    private func lookAt(_ index: Int, _ place: RowLocation, _ state: UnsafeMutablePointer<ReadState>) -> Bool {
        let leaf = unsafe state.remember(&columns[index].leaf, of: place.leaf)
        guard let leaf, leaf.header.hasRefs else {
            unsafe columns[index].parent = nil
            return false
        }
        unsafe columns[index].parent = leaf
        unsafe state.prefetch(&columns[index].first, of: leaf.payload, leaf.header, place.row)
        unsafe state.prefetch(&columns[index].second, of: leaf.payload, leaf.header, place.row)
        return true
    }
}

extension UnsafeMutablePointer<ReadState> {
    /// Begins to fetch a child of a node, and element `row` of it, where it would be if the child had the same header
    /// as the one before.
    @inline(__always)
    fileprivate func prefetch(
        _ part: inout RowPrefetcher.Part, of payload: UnsafeRawPointer, _ header: NodeHeader, _ row: Int
    ) {
        guard let ref = unsafe Node.childRef(part.child, of: payload, header) else {
            part.ref = 0
            return
        }
        part.ref = ref
        unsafe pointee.space.prefetch(part.ref, part.header, row: row)
    }

    /// Looks at the header of what is being fetched, for the next row and for the reads that follow.
    @inline(__always)
    fileprivate func remember(_ part: inout RowPrefetcher.Part, of payload: UnsafeRawPointer) -> Node? {
        let node = unsafe findNode(part.ref, part.child, of: payload)
        if let node { part.header = node.header }
        return node
    }
}
