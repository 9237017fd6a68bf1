// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Scans of one block of a column leaf for the matching rows, without a value for each row.
///
/// `start` is the first row of the block, and the rows of the results are relative to it. Reading values that the
/// leaf's kind doesn't have is a programmer error.
extension ColumnLeaf {
    /// Returns the rows whose number is in `range`; null never is. The numbers are Ints, or, as stored, Bools (0 and
    /// 1), links (object key + 1) and indexes of enumerated strings.
    package func rows(from start: Int, count: Int, in range: ClosedRange<Int64>) -> RowSet {
        guard kind == .optionalInt else {
            precondition(kind.isPacked)
            return node.rows(from: start, count: count, in: range)
        }
        let marker = node[0]
        let rows = node.rows(from: start + 1, count: count, in: range)
        guard range.contains(marker) else { return rows }
        return rows.subtracting(node.rows(from: start + 1, count: count, in: marker...marker))
    }

    package func rows(from start: Int, count: Int, in range: ClosedRange<Float>) -> RowSet {
        precondition(kind == .float)
        return node.rows(from: start, count: count, in: range)
    }

    package func rows(from start: Int, count: Int, in range: ClosedRange<Double>) -> RowSet {
        precondition(kind == .double)
        return node.rows(from: start, count: count, in: range)
    }

    /// The nanoseconds are read only for dates at the bounds.
    package func rows(from start: Int, count: Int, in range: ClosedRange<Timestamp>) throws -> RowSet {
        precondition(kind == .timestamp)
        let leaf = try TimestampLeaf(space, node)
        let (low, high) = (range.lowerBound.seconds, range.upperBound.seconds)
        let seconds = leaf.seconds.node
        let marker = leaf.seconds.marker
        var rows = seconds.rows(from: start + 1, count: count, in: low...high)
        if (low...high).contains(marker) {
            rows = rows.subtracting(seconds.rows(from: start + 1, count: count, in: marker...marker))
        }
        let edges = seconds.rows(from: start + 1, count: count, in: low...low)
            .union(seconds.rows(from: start + 1, count: count, in: high...high)).intersection(rows)
        guard !edges.isEmpty else { return rows }
        return rows.subtracting(
            try edges.filter { row in try leaf.value(at: start + row).map { !range.contains($0) } ?? true })
    }

    /// Unresolved links are null.
    package func nulls(from start: Int, _ rows: RowSet, count: Int) throws -> RowSet {
        switch kind {
        case .int: return RowSet()
        case .optionalInt:
            return node.rows(from: start + 1, count: count, in: node[0]...node[0]).intersection(rows)
        case .bool:
            return node.rows(from: start, count: count, in: PackedElement.nullBool...PackedElement.nullBool)
                .intersection(rows)
        case .link: return node.rows(from: start, count: count, in: Int64.min...0).intersection(rows)
        case .float:
            return node.rows(from: start, count: count, withPattern: FloatingNull.float).intersection(rows)
        case .double:
            return node.rows(from: start, count: count, withPattern: FloatingNull.double).intersection(rows)
        case .mixed:
            return try rows.filter { row in
                try mixed.isLink(at: start + row) ? try isNullLink(at: start + row) : try mixed.isNull(at: start + row)
            }
        case .typedLink: return try rows.filter { try isNullLink(at: start + $0) }
        default: return try rows.filter { try isNull(at: start + $0) }
        }
    }

    private func isNullLink(at row: Int) throws -> Bool {
        switch try value(at: row) {
        case .null: true
        case .typedLink(let link): link.object.isUnresolved
        default: false
        }
    }
}

extension ByteOrder {
    package static func isEqual(_ a: UnsafeRawBufferPointer?, _ b: UnsafeRawBufferPointer?) -> Bool {
        guard let a = unsafe a, let b = unsafe b else { return unsafe a == nil && b == nil }
        return unsafe a.count == b.count && compare(a, b) == 0
    }
}
