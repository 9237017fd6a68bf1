// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The objects that link to one.
extension ResultsCore {
    /// What is known of the inverse property of an object.
    struct Inverse {
        let key: PropertyKey
        /// Where the owner's row was when the query was made.
        var place: RowLocation?
    }

    /// Those of class `type` that lead to `owner` through its inverse property `key`; nil for an unmanaged object.
    convenience init?(backlinksOf owner: ObjectBase, _ key: PropertyKey, _ type: ObjectBase.Type) {
        guard let anchor = OwnerReference(owner) else { return nil }
        let column = anchor.managed.columnKey(key)
        self.init(
            anchor.realm, .backlinks(anchor, column), elementClass: anchor.realm.requireManaged(type), filter: nil)
        if column != .null { inverse = Inverse(key: key, place: owner.lastPlace) }
    }

    /// Whether the query is that of this inverse property of some object of the class.
    func isInverse(_ key: PropertyKey, _ type: ObjectBase.Type) -> Bool {
        inverse?.key == key && ownClass?.info.objectClass == type
    }

    /// The name of the inverse property.
    var originProperty: String {
        guard case .backlinks(let owner, let column) = base else { return "" }
        return owner.managed.propertyName(PropertyKey(column.leafIndex))
    }

    /// Goes through all objects of an inverse property, as they are now; nil of any other query. A walk that is not in
    /// use any more begins anew, because to make one takes longer than to go through some objects.
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

    /// The column leaf of backlinks and the row in it, if the owner's row is where it was.
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
