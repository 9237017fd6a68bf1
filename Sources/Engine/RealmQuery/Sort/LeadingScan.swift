// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Finds the rows that may precede a bound in an order, by a scan of the first column of the order.
struct LeadingScan {
    private var leaves: ColumnLeaves
    private let ascending: Bool
    /// Whether rows with the value of the bound follow it, because there are no further paths.
    private let isOnly: Bool
    private var bound = StoredValue.null

    init?(_ paths: [SortPath], of table: Table) throws {
        guard let first = paths.first, first.path.isPlain, first.collation == nil,
            let type = first.path.column.type, [.int, .float, .double, .timestamp, .string].contains(type)
        else { return nil }
        leaves = ColumnLeaves(try table.require(first.path.column))
        ascending = first.ascending
        isOnly = paths.count == 1
    }

    var column: Column { leaves.column }

    mutating func setBound(_ position: ClusterTree.Position) throws {
        bound = try leaves.leaf(of: position.leaf).value(at: position.row)
    }

    /// Returns those of `rows` that may precede the bound. In ascending order, nulls are first, followed by NaNs.
    mutating func candidates(_ block: RowBlock, _ rows: RowSet) throws -> RowSet {
        let leaf = try leaves.leaf(of: block.leaf)
        if bound.isNull || bound.isNaN {
            if !ascending { return rows }
            if bound.isNull, isOnly { return RowSet() }
            return rows.subtracting(try values(leaf, block, rows, from: nil, strictly: false))
        }
        let behind = try values(leaf, block, rows, from: bound, strictly: ascending != isOnly)
        return ascending ? rows.subtracting(behind) : rows.intersection(behind)
    }

    /// Returns the rows with a value above `low`, or equal to it unless `strictly`; without `low`, the rows with a
    /// value other than null and NaN. The result is undefined for rows outside `rows`.
    private func values(
        _ leaf: ColumnLeaf, _ block: RowBlock, _ rows: RowSet, from low: StoredValue?, strictly: Bool
    ) throws -> RowSet {
        let (start, count) = (block.start, block.count)
        switch (leaf.kind, low) {
        case (.int, nil), (.optionalInt, nil): return leaf.rows(from: start, count: count, in: Int64.min...Int64.max)
        case (.float, nil): return leaf.rows(from: start, count: count, in: -Float.infinity...Float.infinity)
        case (.double, nil): return leaf.rows(from: start, count: count, in: -Double.infinity...Double.infinity)
        case (_, nil): return rows.subtracting(try leaf.nulls(from: start, rows, count: count))
        case (_, .int(let low)?):
            if strictly, low == .max { return RowSet() }
            return leaf.rows(from: start, count: count, in: (strictly ? low + 1 : low)...Int64.max)
        case (_, .float(let low)?):
            if strictly, low == .infinity { return RowSet() }
            return leaf.rows(from: start, count: count, in: (strictly ? low.nextUp : low)...Float.infinity)
        case (_, .double(let low)?):
            if strictly, low == .infinity { return RowSet() }
            return leaf.rows(from: start, count: count, in: (strictly ? low.nextUp : low)...Double.infinity)
        case (_, .timestamp(var low)?):
            if strictly, low.nanoseconds == .max { return RowSet() }
            if strictly { low.nanoseconds += 1 }
            let high = Timestamp(seconds: .max, nanoseconds: .max)
            return try leaf.rows(from: start, count: count, in: low...high)
        case (_, .string(let low)?): return try strings(leaf, start, rows, from: low, strictly)
        default: return rows
        }
    }

    private func strings(
        _ leaf: ColumnLeaf, _ start: Int, _ rows: RowSet, from low: String, _ strictly: Bool
    ) throws -> RowSet {
        var low = low
        return try low.withUTF8 { low in
            let low = UnsafeRawBufferPointer(low)
            return unsafe try leaf.filterBytes(from: start, rows) { bytes in
                guard let bytes = unsafe bytes else { return false }
                return unsafe ByteOrder.compare(bytes, low) >= (strictly ? 1 : 0)
            }
        }
    }
}
