// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Prefetches the values of a row before they are read, for the first columns of its class: the processor waits once
/// for all of them instead of at each read.
///
/// The position of a value in its leaf depends on the leaf's header, whose load would have to finish first. Leaves of
/// one column usually have the same header, so the one that was read last is used. Confined like the Realm.
@safe package final class RowPrefetcher {
    /// A node that is prefetched for each row: the leaf of a column, or a child of one.
    fileprivate struct Part {
        let child: Int
        /// The header of the node for the previous row.
        var header = NodeHeader(bits: 0)
        var ref: Ref = 0
    }

    private struct Column {
        var leaf: Part
        /// The leaf's two children, if it has any: the components of a date, or the ends and bytes of strings.
        var first = Part(child: 0)
        var second = Part(child: 1)
        /// The leaf, if it has children.
        var parent: Node?
    }

    private let columns: UnsafeMutableBufferPointer<Column>

    /// `leafIndexes` are those of the columns that are read first.
    package init(_ leafIndexes: [Int]) {
        unsafe columns = .allocate(capacity: leafIndexes.count)
        _ = unsafe columns.initialize(from: leafIndexes.map { Column(leaf: Part(child: $0 + 1)) })
    }

    deinit { unsafe columns.deallocate() }

    package func fetch(_ place: RowLocation, _ state: UnsafeMutablePointer<ReadState>) {
        for index in unsafe columns.indices {
            unsafe state.prefetch(&columns[index].leaf, of: place.leaf, place.leafHeader, place.row)
        }
        // Leaves expected to have children are loaded first: they are small and usually next to their parent, so that
        // the children are being fetched while the others are loaded.
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

    /// Reads a column's leaf and starts prefetching its children. Returns whether it has any.
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
    /// Starts prefetching a child of a node, and element `row` of it, at its position if the child has the same header
    /// as the previous one.
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

    /// Reads the header of a prefetched node, for the next row and for the following reads.
    @inline(__always)
    fileprivate func remember(_ part: inout RowPrefetcher.Part, of payload: UnsafeRawPointer) -> Node? {
        let node = unsafe findNode(part.ref, part.child, of: payload)
        if let node { part.header = node.header }
        return node
    }
}
