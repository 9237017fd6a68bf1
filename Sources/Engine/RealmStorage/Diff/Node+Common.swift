// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension Node {
    /// From the two positions, up to `limit`, which must be within both nodes.
    func common(_ start: Int, _ other: Node, _ otherStart: Int, limit: Int) -> Int {
        precondition(start >= 0 && otherStart >= 0 && limit <= count - start && limit <= other.count - otherStart)
        var index = 0
        if header.widthCode == other.header.widthCode {
            if width == 0 { return max(limit, 0) }
            if width >= 8 {
                let size = width / 8
                return unsafe Node.commonBytes(
                    payload + start * size, other.payload + otherStart * size, limit: max(limit, 0) * size) / size
            }
            if start == otherStart, start * width % 8 == 0 {
                let first = start * width / 8
                let bytes = unsafe Node.commonBytes(
                    payload + first, other.payload + first, limit: max(limit, 0) * width / 8)
                index = bytes * 8 / width
            }
        }
        while index < limit, self[start + index] == other[otherStart + index] { index += 1 }
        return index
    }

    /// `width` is that of both nodes, in whole bytes. Positions as in `common`.
    func commonFixed(_ start: Int, _ other: Node, _ otherStart: Int, limit: Int, width: Int) -> Int {
        precondition(start >= 0 && otherStart >= 0 && limit <= count - start && limit <= other.count - otherStart)
        guard limit > 0, width > 0 else { return max(limit, 0) }
        precondition(self.width == width && other.width == width)
        return unsafe Node.commonBytes(
            payload + start * width, other.payload + otherStart * width, limit: limit * width) / width
    }

    /// For nodes of bytes. Positions as in `common`.
    func commonBytes(_ start: Int, _ other: Node, _ otherStart: Int, limit: Int) -> Int {
        let (bytes, otherBytes) = (header.payloadByteCount, other.header.payloadByteCount)
        precondition(start >= 0 && otherStart >= 0 && limit <= bytes - start && limit <= otherBytes - otherStart)
        return unsafe Node.commonBytes(payload + start, other.payload + otherStart, limit: limit)
    }

    static func commonBytes(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, limit: Int) -> Int {
        var index = 0
        while index &+ 8 <= limit {
            let wordA = unsafe a.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let wordB = unsafe b.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            if wordA != wordB { return index &+ (wordA ^ wordB).littleEndian.trailingZeroBitCount / 8 }
            index &+= 8
        }
        while index < limit {
            let byteA = unsafe a.load(fromByteOffset: index, as: UInt8.self)
            guard unsafe byteA == b.load(fromByteOffset: index, as: UInt8.self) else { return index }
            index &+= 1
        }
        return index
    }
}

extension TimestampLeaf {
    /// A lower bound.
    func common(_ row: Int, _ other: TimestampLeaf, _ otherRow: Int, limit: Int) -> Int {
        guard seconds.marker == other.seconds.marker else { return 0 }
        let same = seconds.node.common(row + 1, other.seconds.node, otherRow + 1, limit: limit)
        return nanoseconds.common(row, other.nanoseconds, otherRow, limit: same)
    }
}

extension ColumnLeaf {
    /// A lower bound.
    func commonFixed(_ row: Int, _ other: ColumnLeaf, _ otherRow: Int, limit: Int) -> Int {
        switch kind {
        case .decimal:
            let isAlike = node.width == other.node.width && node.header.hasContext == other.node.header.hasContext
            guard isAlike, node.width > 0 else { return 0 }
            return node.commonFixed(row, other.node, otherRow, limit: limit, width: node.width)
        case .objectId, .uuid:
            // Values are stored in groups of eight, preceded by their null bits.
            guard row % 8 == 0, otherRow % 8 == 0 else { return 0 }
            let size = (kind == .objectId ? IdentifierType.objectId : .uuid).blockSize
            let bytes = node.commonBytes(
                row / 8 * size, other.node, otherRow / 8 * size, limit: limit / 8 * size)
            return bytes / size * 8
        default: return 0
        }
    }
}
