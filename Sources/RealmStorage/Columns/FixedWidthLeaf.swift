// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Writing leaves whose elements are a whole number of bytes, all of one width: Float, Double, Decimal
/// (content 6.4, 6.5, 6.9).
///
/// An empty leaf may have come with another width, which is put right before the first element goes in.
extension NodeStore {
    func createFixed(width: Int, count: Int, element: UnsafeRawBufferPointer) throws -> Ref {
        precondition(element.count == width)
        let bytes = unsafe (0..<count).flatMap { _ in unsafe element }
        return try unsafe bytes.withUnsafeBytes {
            try unsafe create(bytes: $0, flags: NodeHeader.Flags.bytes, width: width, count: count)
        }
    }

    func fixedInsert(_ ref: inout Ref, width: Int, at row: Int, _ element: UnsafeRawBufferPointer) throws {
        let node = try fixedNode(&ref, width)
        guard row <= node.count else { throw ColumnLeaf.noRow(ref) }
        try unsafe splice(&ref, row * width..<row * width, with: element, count: node.count + 1)
    }

    func fixedSet(_ ref: inout Ref, width: Int, at row: Int, _ element: UnsafeRawBufferPointer) throws {
        let node = try fixedNode(&ref, width)
        guard row < node.count else { throw ColumnLeaf.noRow(ref) }
        try unsafe overwrite(&ref, at: row * width, with: element)
    }

    func fixedErase(_ ref: inout Ref, width: Int, _ range: Range<Int>) throws {
        let node = try fixedNode(&ref, width)
        guard range.upperBound <= node.count else { throw ColumnLeaf.noRow(ref) }
        let bytes = range.lowerBound * width..<range.upperBound * width
        try removeBytes(&ref, bytes, count: node.count - range.count)
    }

    func fixedMoveSuffix(_ ref: inout Ref, width: Int, from row: Int) throws -> Ref {
        let node = try fixedNode(&ref, width)
        guard row <= node.count else { throw ColumnLeaf.noRow(ref) }
        let suffix = try unsafe create(
            bytes: UnsafeRawBufferPointer(rebasing: node.bytes[(row * width)...]), flags: NodeHeader.Flags.bytes,
            width: width, count: node.count - row)
        try fixedErase(&ref, width: width, row..<node.count)
        return suffix
    }

    func fixedAppend(_ ref: inout Ref, width: Int, contentsOf other: Ref) throws {
        let node = try fixedNode(&ref, width)
        let rest = try space.node(other).fixed(width: width)
        if rest.count > 0 {
            let end = node.count * width
            try unsafe splice(&ref, end..<end, with: rest.bytes, count: node.count + rest.count)
        }
        try free(other)
    }

    /// The leaf's node, with the right scheme and width even if it is empty.
    private func fixedNode(_ ref: inout Ref, _ width: Int) throws -> Node {
        let node = try space.node(ref).fixed(width: width)
        guard node.width != width || node.header.schemeCode != NodeScheme.bytes.rawValue else { return node }
        try free(ref)
        ref = try create(flags: NodeHeader.Flags.bytes, width: width, count: 0)
        return try space.node(ref)
    }
}
