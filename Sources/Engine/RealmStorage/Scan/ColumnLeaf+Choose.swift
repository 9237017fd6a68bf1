// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Scans that call the caller for each value, for conditions that aren't ranges, such as membership in a set.
extension ColumnLeaf {
    /// Null doesn't match.
    @inlinable package func filterInts(
        from start: Int, _ rows: RowSet, _ matches: (Int64) throws -> Bool
    ) throws -> RowSet {
        guard case .optionalInt = kind else {
            precondition(kind.isPacked)
            return try rows.filter { try matches(try element(start &+ $0)) }
        }
        let marker = node[0]
        return try rows.filter { row in
            guard UInt(bitPattern: start &+ row) < UInt(bitPattern: count) else { throw ColumnLeaf.noRow(node.ref) }
            let value = node[start &+ row &+ 1]
            return value != marker ? try matches(value) : false
        }
    }

    /// `flag` must return 0 or 1. Null doesn't match. Requires a leaf of Ints, nullable or not.
    @inlinable package func rows(from start: Int, count: Int, _ flag: (Int64) -> UInt8) -> RowSet {
        guard case .optionalInt = kind else {
            precondition(kind.isPacked)
            return node.rows(from: start, count: count, flag)
        }
        let marker = node[0]
        return node.rows(from: start &+ 1, count: count) { $0 != marker ? flag($0) : 0 }
    }

    /// `matches` receives the target of the link, or nil if the link is null or unresolved. Requires a leaf of links.
    @inlinable package func filterLinks(
        from start: Int, _ rows: RowSet, _ matches: (ObjectKey?) throws -> Bool
    ) throws -> RowSet {
        try rows.filter { row in
            let key = ObjectKey(try ref(at: start &+ row) &- 1)
            return try matches(key.rawValue < 0 ? nil : key)
        }
    }
}
