// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension ColumnLeafEditor {
    /// The rows must ascend.
    package func erase(_ ref: inout Ref, rows: [Int]) throws {
        guard let last = rows.last else { return }
        let leaf = try ColumnLeaf(space, ref, kind)
        guard last < leaf.count else { throw ColumnLeaf.noRow(ref) }
        switch kind {
        case .int, .bool, .link, .key, .enumeratedString: try store.remove(&ref, rows)
        case .collection, .backlink:
            for row in rows { try store.freeElement(leaf.node[row]) }
            try store.remove(&ref, rows)
        case .optionalInt: try store.remove(&ref, rows.map { $0 + 1 })
        case .timestamp:
            try store.updateSlot(&ref, 0) { try store.remove(&$0, rows.map { $0 + 1 }) }
            try store.updateSlot(&ref, 1) { try store.remove(&$0, rows) }
        case .float, .double: try store.removeElements(&ref, rows)
        case .string where leaf.node.isShortStrings: try store.removeElements(&ref, rows)
        case .string, .binary, .decimal, .objectId, .uuid, .mixed, .typedLink:
            for range in ColumnLeafEditor.ranges(of: rows).reversed() { try erase(&ref, range: range) }
        }
    }

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
    /// The short form is that of content 6.6.1.
    fileprivate var isShortStrings: Bool { header.schemeCode == NodeScheme.bytes.rawValue && !header.hasRefs }
}
