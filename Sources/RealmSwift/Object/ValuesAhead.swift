// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Has the values of a row fetched before they are read, those of the first columns of its class: the processor waits
/// once for the memory of all, and not at the read of each.
///
/// Where a value lies in its leaf depends on the leaf's header, which would have to be waited for first. Leaves of one
/// column mostly have the same, so the one that was seen last tells. Confined as the Realm is.
struct ValuesAhead {
    private struct Column {
        /// The child of a leaf of objects that holds the column.
        let child: Int
        var header = NodeHeader(bits: 0)
        /// Of its two children, where it has some: what a date is made of, or where a string ends and its bytes.
        var first = NodeHeader(bits: 0)
        var second = NodeHeader(bits: 0)
    }

    private var columns: [Column]

    init(_ managed: ManagedClass) { columns = managed.firstColumns.map { Column(child: $0 + 1) } }

    /// Begins to fetch the values at `place`, of the version that is read.
    mutating func fetch(_ place: RowPlace, _ state: UnsafeMutablePointer<ReadState>) {
        for column in columns {
            prefetch(column.child, of: place.leaf, place.leafHeader, column.header, place.row, state)
        }
        for index in columns.indices {
            guard let node = state.findChild(columns[index].child, of: place.leaf, place.leafHeader) else { continue }
            columns[index].header = node.header
            guard node.header.hasRefs else { continue }
            prefetch(0, of: node.payload, node.header, columns[index].first, place.row, state)
            prefetch(1, of: node.payload, node.header, columns[index].second, place.row, state)
        }
        for index in columns.indices where columns[index].header.hasRefs {
            guard let node = state.child(columns[index].child, of: place.leaf, place.leafHeader) else { continue }
            if let part = state.findChild(0, of: node.payload, node.header) { columns[index].first = part.header }
            if let part = state.findChild(1, of: node.payload, node.header) { columns[index].second = part.header }
        }
    }

    /// Begins to fetch a child, and element `row` of it, where it would be if the child had `likely` as its header.
    @inline(__always)
    private func prefetch(
        _ child: Int, of payload: UnsafeRawPointer, _ header: NodeHeader, _ likely: NodeHeader, _ row: Int,
        _ state: UnsafeMutablePointer<ReadState>
    ) {
        guard child < header.count else { return }
        let ref = Ref(element: Node.load(payload, child, header.widthCode))
        state.pointee.space.prefetch(ref, likely, row: row)
    }
}
