// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Writing short strings: elements of 0, 1, 2, 4, 8 or 16 bytes, of which the last says how much is padding
/// (content 6.6.1).
extension NodeStore {
    func createShort(count: Int, value: UnsafeRawBufferPointer?) throws -> Ref {
        let width = unsafe ShortElement.width(for: value)
        let ref = try create(flags: NodeHeader.Flags.bytes, width: width, count: count)
        return try unsafe ShortElement.withBytes(value, width: width) { element in
            var ref = ref
            for row in 0..<count { try unsafe overwrite(&ref, at: row * width, with: element) }
            return ref
        }
    }

    /// A leaf with some rows of another one.
    func createShort(_ node: Node, _ rows: Range<Int>) throws -> Ref {
        let bytes = rows.lowerBound * node.width..<rows.upperBound * node.width
        return try unsafe create(
            bytes: UnsafeRawBufferPointer(rebasing: node.bytes[bytes]), flags: NodeHeader.Flags.bytes,
            width: node.width, count: rows.count)
    }

    func shortInsert(_ ref: inout Ref, _ node: Node, at row: Int, _ value: UnsafeRawBufferPointer?) throws {
        let width = try unsafe shortWiden(&ref, node, to: ShortElement.width(for: value))
        let offset = row * width
        try unsafe ShortElement.withBytes(value, width: width) {
            try unsafe splice(&ref, offset..<offset, with: $0, count: node.count + 1)
        }
    }

    func shortSet(_ ref: inout Ref, _ node: Node, at row: Int, _ value: UnsafeRawBufferPointer?) throws {
        let width = try unsafe shortWiden(&ref, node, to: ShortElement.width(for: value))
        try unsafe ShortElement.withBytes(value, width: width) {
            try unsafe overwrite(&ref, at: row * width, with: $0)
        }
    }

    func shortErase(_ ref: inout Ref, _ node: Node, _ range: Range<Int>) throws {
        let bytes = range.lowerBound * node.width..<range.upperBound * node.width
        try removeBytes(&ref, bytes, count: node.count - range.count)
    }

    func shortAppend(_ ref: inout Ref, _ node: Node, _ other: inout Ref) throws {
        let rest = try space.node(other)
        let width = try shortWiden(&ref, node, to: rest.width)
        _ = try shortWiden(&other, rest, to: width)
        let end = node.count * width
        try unsafe splice(&ref, end..<end, with: space.node(other).bytes, count: node.count + rest.count)
    }

    /// Makes the elements at least `width` bytes wide and returns what they are now.
    private func shortWiden(_ ref: inout Ref, _ node: Node, to width: Int) throws -> Int {
        let old = node.width
        guard old < width else { return old }
        var bytes = [UInt8](repeating: 0, count: node.count * width)
        for row in 0..<node.count {
            let last = row * width + width - 1
            guard old > 0 else {
                bytes[last] = UInt8(width)
                continue
            }
            for index in 0..<old - 1 { bytes[row * width + index] = unsafe node.bytes[row * old + index] }
            let padding = unsafe Int(node.bytes[row * old + old - 1])
            guard padding <= old else { throw ColumnLeaf.wrongNode(node.ref) }
            // The padding grows with the element, and the marker of null, the old width, becomes the new one.
            bytes[last] = UInt8(padding + width - old)
        }
        let new = try unsafe bytes.withUnsafeBytes {
            try unsafe create(bytes: $0, flags: NodeHeader.Flags.bytes, width: width, count: node.count)
        }
        try free(ref)
        ref = new
        return width
    }
}

/// One element of a leaf of short strings.
enum ShortElement {
    /// The smallest width for a string of at most 15 bytes, or for null.
    static func width(for value: UnsafeRawBufferPointer?) -> Int {
        guard let count = unsafe value?.count else { return 0 }
        return count == 0 ? 1 : 1 << (Int.bitWidth - count.leadingZeroBitCount)
    }

    /// Calls `body` with the bytes of an element.
    static func withBytes<R>(
        _ value: UnsafeRawBufferPointer?, width: Int, _ body: (UnsafeRawBufferPointer) throws -> R
    ) rethrows -> R {
        let text = unsafe value.map { unsafe ShortText($0) } ?? .null
        return unsafe try text.withElement(width: width, body)
    }
}
