// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Erasing many rows of a column leaf at once.
extension NodeStore {
    /// Erases rows, which ascend, and frees what they owned.
    package func leafErase(_ ref: inout Ref, _ kind: LeafKind, rows: [Int]) throws {
        guard let last = rows.last else { return }
        let leaf = try ColumnLeaf(space, ref, kind)
        guard last < leaf.count else { throw ColumnLeaf.noRow(ref) }
        switch kind {
        case .int, .bool, .link, .key, .enumeratedString: try remove(&ref, rows)
        case .collection, .backlink:
            for row in rows { try freeElement(leaf.node[row]) }
            try remove(&ref, rows)
        case .optionalInt: try remove(&ref, rows.map { $0 + 1 })
        case .timestamp:
            try updateSlot(&ref, 0) { try remove(&$0, rows.map { $0 + 1 }) }
            try updateSlot(&ref, 1) { try remove(&$0, rows) }
        case .float, .double: try removeElements(&ref, rows)
        case .string where leaf.node.isShortStrings: try removeElements(&ref, rows)
        case .string, .binary, .decimal, .objectId, .uuid, .mixed, .typedLink:
            for range in NodeStore.ranges(of: rows).reversed() { try leafErase(&ref, kind, range: range) }
        }
    }

    /// The rows as ranges without gaps.
    private static func ranges(of rows: [Int]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        for row in rows {
            if let last = ranges.last, last.upperBound == row {
                ranges[ranges.count - 1] = last.lowerBound..<row + 1
            } else {
                ranges.append(row..<row + 1)
            }
        }
        return ranges
    }
}

extension Node {
    /// Whether a string leaf has the short form (content 6.6.1).
    fileprivate var isShortStrings: Bool { header.schemeCode == NodeScheme.bytes.rawValue && !header.hasRefs }
}
