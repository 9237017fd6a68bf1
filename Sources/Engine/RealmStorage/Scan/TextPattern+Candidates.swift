// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Selects short strings that may match by a few of their bytes, many elements at a time.
///
/// Only performs the cheapest tests. `matches(utf8:)` decides whether a candidate matches.
extension TextPattern {
    /// Returns all rows that match, and perhaps others, counted from `start`. The elements have one width.
    func candidates(in node: Node, from start: Int, count: Int) -> RowSet {
        precondition(start >= 0 && count >= 0 && count <= RowSet.capacity && start <= node.count - count)
        guard operation != .like, let ends = bytesAtEnds else { return RowSet(count: count) }
        guard ends.distance + 1 < node.width else { return RowSet() }
        let beginsAlike = operation == .equal || operation == .beginsWith
        if beginsAlike, node.width == 8 || node.width == 16 {
            return node.rows(from: start, count: count, like: leadingBytes)
        }
        return ends.rows(of: node, from: start, count: count)
    }

    private var leadingBytes: ElementBytes {
        var bytes = ElementBytes()
        for place in pattern.indices { bytes.require(pattern[place], or: other[place], at: place) }
        return bytes
    }

    private var bytesAtEnds: BytesAtEnds? {
        guard !pattern.isEmpty else { return nil }
        let last = pattern.count - 1
        let innerDistance = min(1, last)
        let inner = last - innerDistance
        return BytesAtEnds(
            distance: last, first: (pattern[0], other[0]), innerDistance: innerDistance,
            inner: (pattern[inner], other[inner]), last: (pattern[last], other[last]))
    }
}

/// The first byte and the last two bytes of the pattern, each in two cases, with their distances from the last one.
private struct BytesAtEnds {
    private typealias Block = SIMD32<UInt8>

    let distance: Int
    let first: (UInt8, UInt8)
    let innerDistance: Int
    let inner: (UInt8, UInt8)
    let last: (UInt8, UInt8)

    /// Returns the rows near which these bytes occur.
    func rows(of node: Node, from start: Int, count: Int) -> RowSet {
        let (width, size) = (node.width, count * node.width)
        let bytes = unsafe node.payload + start * width
        var rows = RowSet()
        var place = 0
        while place < size {
            let end = min(place + Block.scalarCount, size)
            // A block is compared with those that begin at the distances before it, unless they're outside of the node.
            if place < distance || place + Block.scalarCount > size || (unsafe isFound(bytes + place)) {
                for row in place / width...(end - 1) / width { rows.insert(row) }
            }
            place = end
        }
        return rows
    }

    @inline(__always)
    private func isFound(_ block: UnsafeRawPointer) -> Bool {
        let tail = unsafe block.loadUnaligned(as: Block.self)
        let middle = unsafe (block - innerDistance).loadUnaligned(as: Block.self)
        let head = unsafe (block - distance).loadUnaligned(as: Block.self)
        let tails = (tail .== Block(repeating: last.0)) .| (tail .== Block(repeating: last.1))
        let middles = (middle .== Block(repeating: inner.0)) .| (middle .== Block(repeating: inner.1))
        let heads = (head .== Block(repeating: first.0)) .| (head .== Block(repeating: first.1))
        // `any` would be a function call.
        let words = unsafe unsafeBitCast(tails .& middles .& heads, to: SIMD4<UInt64>.self)
        return (words.x | words.y) | (words.z | words.w) != 0
    }
}
