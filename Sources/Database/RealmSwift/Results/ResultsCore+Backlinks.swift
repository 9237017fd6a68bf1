// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

extension ResultsCore {
    struct Inverse {
        let key: PropertyKey
        /// The location of the owner's row when the query was created.
        var place: RowLocation?
    }

    /// Creates the query for the inverse property `key` of `owner`; nil for an unmanaged object. `type` is the class of
    /// the elements.
    convenience init?(backlinksOf owner: ObjectBase, _ key: PropertyKey, _ type: ObjectBase.Type) {
        guard let anchor = OwnerReference(owner) else { return nil }
        let column = anchor.managed.columnKey(key)
        self.init(
            anchor.realm, .backlinks(anchor, column), elementClass: anchor.realm.requireManaged(type), filter: nil)
        if column != .null { inverse = Inverse(key: key, place: owner.lastPlace) }
    }

    func isInverse(_ key: PropertyKey, _ type: ObjectBase.Type) -> Bool {
        inverse?.key == key && ownClass?.info.objectClass == type
    }

    var originProperty: String {
        guard case .backlinks(let owner, let column) = base else { return "" }
        return owner.managed.propertyName(PropertyKey(column.leafIndex))
    }

    /// Iterates over all objects of an inverse property in their current state; nil for any other query. An unused walk
    /// is restarted, because creating one takes longer than iterating over a few objects.
    func backlinkWalk() -> KeyWalk? {
        guard inverse != nil, let ownClass, !realm.isFrozen, !isKnown else { return nil }
        if !isKnownUniquelyReferenced(&walk) { walk = KeyWalk(AccessorFactory(realm, ownClass), []) }
        walk?.restart(appendBacklinks)
        return walk
    }

    private func appendBacklinks(to keys: inout [ObjectKey]) {
        if isEnded { return }
        let state = realm.state
        do {
            if let (leaf, row) = knownCells, try unsafe state.pointee.space.appendBacklinks(leaf, row, to: &keys) {
                return
            }
        } catch {
            return realm.reading(()) { throw error }
        }
        if case .backlinks(let owner, let column) = base { keys = backlinks(owner, column) }
    }

    /// The column leaf of the backlinks, and the row in it; nil if the owner's row may have moved.
    private var knownCells: (leaf: Node, row: Int)? {
        let state = realm.state
        guard let inverse, let place = inverse.place, unsafe place.stamp == state.pointee.clock.clusterLeaf,
            let leaf = unsafe state.child(Int(inverse.key) + 1, of: place.leaf, place.leafHeader)
        else { return nil }
        return (leaf, place.row)
    }

    func backlinks(_ owner: OwnerReference, _ column: ColumnKey) -> [ObjectKey] {
        guard let (table, position) = row(of: owner, column) else { return [] }
        return realm.reading([]) { try table.backlinks(try table.require(column), at: position) }
    }

    func backlinkCount(_ owner: OwnerReference, _ column: ColumnKey) -> Int {
        guard let (table, position) = row(of: owner, column) else { return 0 }
        return realm.reading(0) { try table.backlinkCount(try table.require(column), at: position) }
    }

    private func row(
        of owner: OwnerReference, _ column: ColumnKey
    ) -> (table: Table, position: ClusterTree.Position)? {
        let row = owner.locate()
        if row == nil { owner.readWithoutRow(column, "LinkingObjects") }
        return row
    }
}
