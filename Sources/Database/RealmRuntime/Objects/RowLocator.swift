// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Locates rows one after the other. Fast if they are adjacent.
@frozen @usableFromInline
package struct RowLocator {
    package let managed: ManagedClass
    @usableFromInline private(set) var stamp: ChangeStamp<ClusterLeafExtent> = .never
    @usableFromInline private(set) var clusters: ClusterTree?
    private var known: ClusterLeafCache?
    @usableFromInline private(set) var leaf: ClusterLeaf?
    private var following = ObjectKey(0)

    package init(_ managed: ManagedClass) { self.managed = managed }

    @inlinable package mutating func place(of key: ObjectKey, in realm: RealmInstance) -> RowLocation? {
        unsafe place(of: key, realm.state, in: realm)
    }

    /// `realm` is evaluated only if the row isn't in the leaf of the previous one.
    @inlinable @inline(__always)
    package mutating func place(
        of key: ObjectKey, _ state: UnsafeMutablePointer<ReadState>, in realm: @autoclosure () -> RealmInstance
    ) -> RowLocation? {
        let now = unsafe state.pointee.clock.clusterLeaf
        if stamp == now, let leaf, let row = leaf.row(of: key) {
            clusters?.verify(key, isIn: leaf.node, row)
            return RowLocation(leaf.node, row: row, stamp: now)
        }
        return unsafe search(for: key, state, in: realm())
    }

    @inline(never) @usableFromInline
    mutating func search(
        for key: ObjectKey, _ state: UnsafeMutablePointer<ReadState>, in realm: RealmInstance
    ) -> RowLocation? {
        guard key.rawValue >= 0, let clusters = unsafe clusters(state, in: realm) else { return nil }
        if let (leaf, row) = known?.row(of: key, in: clusters.space) {
            clusters.verify(key, isIn: leaf, row)
            // After adjacent rows, the next ones are found in the leaf without a search. For other rows this isn't
            // worthwhile.
            if key == following { self.leaf = known?.position(of: key, in: clusters.space)?.leaf }
            following = ObjectKey(key.rawValue &+ 1)
            return RowLocation(leaf, row: row, stamp: stamp)
        }
        do {
            guard let found = try clusters.find(key, known) else { return nil }
            leaf = found.leaf
            return RowLocation(found.leaf.node, row: found.row, stamp: stamp)
        } catch {
            return realm.reading(nil) { throw error }
        }
    }

    package mutating func clusters(_ state: UnsafeMutablePointer<ReadState>, in realm: RealmInstance) -> ClusterTree? {
        let now = unsafe state.pointee.clock.clusterLeaf
        if stamp != now {
            stamp = now
            leaf = nil
            clusters = realm.table(managed.tableKey)?.clusters
            known = unsafe state.knownLeaves(of: managed.tableKey)
        }
        return clusters
    }
}
