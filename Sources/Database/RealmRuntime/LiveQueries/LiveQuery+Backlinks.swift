// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

extension LiveQuery {
    package struct Inverse {
        package let key: UInt16
        /// The location of the owner's row when the query was created.
        var place: RowLocation?

        package init(key: UInt16, place: RowLocation?) {
            self.key = key
            self.place = place
        }
    }

    package func appendBacklinks(to keys: inout [ObjectKey]) {
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
