// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Verification of the transaction's caches of its latest changes, like `ClusterTree.verify` for trees.
///
/// Skips tables with deferred deletes, because a search would end the deferral.
extension WriteTransaction {
    @inline(__always)
    func verify(_ place: (leaf: Ref, row: Int), of object: ObjectKey, in table: Table) {
        #if DEBUG
            guard !table.hasDeferredDeletes, let leaf = space.nodeOrNil(place.leaf) else { return }
            table.clusters.verify(object, isIn: leaf, place.row)
        #endif
    }

    @inline(__always)
    func verify(_ place: ResolvedCollection) {
        #if DEBUG
            guard !place.table.hasDeferredDeletes else { return }
            place.table.clusters.verify(place.object) { found in
                guard let root = try found?.collectionRoot(place.column.leafIndex), root == place.root else {
                    return false
                }
                return try place.collection.count == place.count
            }
        #endif
    }
}
