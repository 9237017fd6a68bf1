// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The position of a row in the version that was current at `stamp`.
@frozen @usableFromInline
@safe package struct RowLocation {
    @safe @usableFromInline package let leaf: UnsafeRawPointer
    @usableFromInline package let leafHeader: NodeHeader
    @usableFromInline package let row: Int
    @usableFromInline package let stamp: ChangeStamp<ClusterLeafExtent>

    @inlinable package init(
        leaf: UnsafeRawPointer, leafHeader: NodeHeader, row: Int, stamp: ChangeStamp<ClusterLeafExtent>
    ) {
        self.leaf = unsafe leaf
        self.leafHeader = leafHeader
        self.row = row
        self.stamp = stamp
    }

    @inlinable package init(_ node: Node, row: Int, stamp: ChangeStamp<ClusterLeafExtent>) {
        unsafe self.init(leaf: node.payload, leafHeader: node.header, row: row, stamp: stamp)
    }
}
