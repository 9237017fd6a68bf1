// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A cluster leaf that a write transaction has changed. Further values can be stored in it without a descent from the
/// root: it and all nodes above it are dirty, and its slots are wide enough for any ref.
///
/// Valid until an object may have moved to another leaf or row.
struct LastEditedLeaf {
    let leaf: ClusterLeaf
    /// `Table.rows` when the leaf was found.
    let stamp: ChangeStamp<RowExtent>

    /// Nil if the leaf may move when a slot changes.
    init?(_ space: NodeSpace, _ ref: Ref, row: Int, key: ObjectKey, at stamp: ChangeStamp<RowExtent>) throws {
        let node = try space.refs(ref)
        guard space.isDirty(ref), node.width == 64 else { return nil }
        let relative = try ClusterLeaf(space, node, keyOffset: 0).relativeKey(at: row)
        leaf = try ClusterLeaf(space, node, keyOffset: UInt64(bitPattern: key.rawValue) &- relative)
        self.stamp = stamp
    }
}
