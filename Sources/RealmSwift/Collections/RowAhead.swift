// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A row that was found before it was asked for.
@usableFromInline
struct RowAhead {
    static let slotCount = 64

    private var key = ObjectKey(-1)
    private var table: TableKey
    private var place: RowPlace

    /// A slot that holds none.
    init(_ nowhere: UnsafeRawPointer) {
        table = TableKey(0)
        place = RowPlace(leaf: nowhere, leafHeader: NodeHeader(bits: 0), row: 0, generation: 0)
    }

    init(_ key: ObjectKey, of table: TableKey, at place: RowPlace) {
        self.key = key
        self.table = table
        self.place = place
    }

    static func slot(of key: ObjectKey) -> Int {
        let bits = UInt64(bitPattern: key.rawValue)
        return Int(truncatingIfNeeded: (bits ^ bits >> 8 ^ bits >> 16) & UInt64(slotCount - 1))
    }

    /// The row's place, if the row is the one looked for.
    @inline(__always)
    func place(of key: ObjectKey, in table: TableKey, _ generation: UInt64) -> RowPlace? {
        self.key == key && place.generation == generation && self.table == table ? place : nil
    }
}

extension RowLocator {
    /// How many rows are looked for at once.
    static var rowsAhead: Int { ClusterTree.togetherLimit }

    /// Finds up to `rowsAhead` rows that will be asked for next, those of `key` of each number in the range, unless
    /// they lie side by side. What was read last of the rows before is fetched on the way. Returns whether it found
    /// them.
    mutating func lookAhead(
        _ range: Range<Int>, _ state: UnsafeMutablePointer<ReadState>, in realm: RealmInstance,
        _ key: (Int) -> ObjectKey?
    ) -> Bool {
        guard let clusters = clusters(state, in: realm), let rows = state.pointee.rows else { return false }
        if let last = key(range.upperBound - 1), isNear(last) { return false }
        if let first = key(range.lowerBound), isNear(first) { return false }
        let (table, generation) = (managed.tableKey, state.pointee.generation)
        // What fails is passed over: whoever reads the row meets the damage.
        let near = try? clusters.find(together: range, key, fetching: state.pointee.lastChild) { key, leaf, row in
            rows[RowAhead.slot(of: key)] = RowAhead(
                key, of: table, at: RowPlace(leaf, row: row, generation: generation))
        }
        guard let near else { return true }
        leaf = near
        return false
    }

    /// Whether the row is in the leaf that was found last.
    private func isNear(_ key: ObjectKey) -> Bool { leaf?.row(of: key) != nil }
}
