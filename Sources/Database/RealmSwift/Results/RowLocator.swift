// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

/// Locates rows in sequence, quickly if they are adjacent.
struct RowLocator {
    let managed: ManagedClass
    private var stamp: ChangeStamp<ClusterLeafExtent> = .never
    private var clusters: ClusterTree?
    private var known: ClusterLeafCache?
    /// The leaf that is searched first: that of the row found last, or of an earlier one.
    var leaf: ClusterLeaf?
    /// The key after the one that was searched for last.
    private var following = ObjectKey(0)

    init(_ managed: ManagedClass) { self.managed = managed }

    /// The row's location in the current version; nil if the row doesn't exist.
    mutating func place(of key: ObjectKey, in realm: RealmInstance) -> RowLocation? {
        unsafe place(of: key, realm.state, in: realm)
    }

    /// The row's location in the current version. The Realm is accessed only if the row isn't in the leaf of the
    /// previous one.
    mutating func place(
        of key: ObjectKey, _ state: UnsafeMutablePointer<ReadState>, in realm: @autoclosure () -> RealmInstance
    ) -> RowLocation? {
        let now = unsafe state.pointee.clock.clusterLeaf
        if stamp == now, let leaf, let row = leaf.row(of: key) {
            clusters?.verify(key, isIn: leaf.node, row)
            return RowLocation(leaf.node, row: row, stamp: now)
        }
        return unsafe search(for: key, state, in: realm())
    }

    /// The location of a row that isn't in the leaf of the previous one.
    @inline(never)
    private mutating func search(
        for key: ObjectKey, _ state: UnsafeMutablePointer<ReadState>, in realm: RealmInstance
    ) -> RowLocation? {
        guard key.rawValue >= 0, let clusters = unsafe clusters(state, in: realm) else { return nil }
        if let (leaf, row) = known?.row(of: key, in: clusters.space) {
            clusters.verify(key, isIn: leaf, row)
            // After adjacent rows, the following ones are found in the leaf without a search. For other rows that isn't
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

    /// The objects of the current version.
    mutating func clusters(_ state: UnsafeMutablePointer<ReadState>, in realm: RealmInstance) -> ClusterTree? {
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

/// A class that was looked up in a live instance by its type, and the last location of an object of it. Confined like
/// the instance.
final class ClassCacheEntry {
    let type: ObjectBase.Type
    @safe @exclusivity(unchecked) var locator: RowLocator
    let ahead: RowPrefetcher
    /// Searches for objects by primary key, for the version of `searchStamp`; unset if that is `.never`.
    @safe @exclusivity(unchecked) var search: PrimaryKeySearch?
    @safe @exclusivity(unchecked) var searchStamp: ChangeStamp<ClusterLeafExtent> = .never

    init(_ type: ObjectBase.Type, _ managed: ManagedClass) {
        self.type = type
        locator = RowLocator(managed)
        ahead = RowPrefetcher(managed.firstColumns)
    }
}
