// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// How far two nodes agree, without a value for each element.
extension Node {
    /// How many packed elements from `start` on equal those of `other` from `otherStart` on, up to `limit`, which both
    /// must have.
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

    /// As `common`, for elements of `width` whole bytes, which both nodes must have.
    func commonFixed(_ start: Int, _ other: Node, _ otherStart: Int, limit: Int, width: Int) -> Int {
        precondition(start >= 0 && otherStart >= 0 && limit <= count - start && limit <= other.count - otherStart)
        guard limit > 0, width > 0 else { return max(limit, 0) }
        precondition(self.width == width && other.width == width)
        return unsafe Node.commonBytes(
            payload + start * width, other.payload + otherStart * width, limit: limit * width) / width
    }

    /// How many bytes two places have in common, up to `limit`.
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
