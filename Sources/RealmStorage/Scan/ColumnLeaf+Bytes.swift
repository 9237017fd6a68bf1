// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Scans of strings and data where they lie; the form of the leaf is looked at once, not for each row.
extension ColumnLeaf {
    /// Those of `rows` whose string or data `matches`; null is passed as nil.
    package func filterBytes(
        from start: Int, _ rows: RowSet, _ matches: (UnsafeRawBufferPointer?) throws -> Bool
    ) throws -> RowSet {
        if case .enumeratedString = kind { return try unsafe filterSingly(start, rows, matches) }
        let leaf = try BytesLeaf(space, node, kind == .string ? .string : .binary)
        switch leaf.form {
        case .short: return try unsafe filterShort(leaf.root, start, rows, matches)
        case .spans: return try unsafe filterSpans(leaf, start, rows, matches)
        case .blobs: return try unsafe filterSingly(start, rows, matches)
        }
    }

    private func filterSingly(
        _ start: Int, _ rows: RowSet, _ matches: (UnsafeRawBufferPointer?) throws -> Bool
    ) throws -> RowSet {
        try rows.filter { row in
            let value = try storedBytes(at: start + row)
            if let joined = value.joined { return try unsafe joined.withUnsafeBytes { try unsafe matches($0) } }
            return try unsafe matches(value.span)
        }
    }

    /// Elements of one width: the last byte says how many of its bytes an element leaves unused.
    private func filterShort(
        _ node: Node, _ start: Int, _ rows: RowSet, _ matches: (UnsafeRawBufferPointer?) throws -> Bool
    ) throws -> RowSet {
        let (width, count) = (node.width, node.count)
        guard width > 0 else { return try matches(nil) ? rows : RowSet() }
        return try rows.filter { row in
            guard start &+ row < count else { throw ColumnLeaf.noRow(node.ref) }
            let element = unsafe node.payload + (start &+ row) &* width
            let padding = unsafe Int(element.load(fromByteOffset: width &- 1, as: UInt8.self))
            guard padding < width else {
                guard padding == width else { throw BytesLeaf.damaged(node) }
                return try matches(nil)
            }
            return try unsafe matches(UnsafeRawBufferPointer(start: element, count: width &- 1 &- padding))
        }
    }

    /// All values one after the other, each with its terminating zero if it is a string.
    private func filterSpans(
        _ leaf: BytesLeaf, _ start: Int, _ rows: RowSet, _ matches: (UnsafeRawBufferPointer?) throws -> Bool
    ) throws -> RowSet {
        let (ends, nulls, tail) = (leaf.ends, leaf.nulls, leaf.style.tail)
        let (bytes, size) = unsafe (leaf.blob.payload, Int64(leaf.blob.count))
        return try rows.filter { row in
            let place = start &+ row
            if try nulls.element(place) != 0 { return try matches(nil) }
            let end = try ends.element(place)
            let begin = place == 0 ? 0 : ends[place &- 1]
            guard 0 <= begin, begin <= end, end <= size, Int(end &- begin) >= tail else {
                throw BytesLeaf.damaged(ends)
            }
            let text = unsafe bytes + Int(begin)
            let length = Int(end &- begin) &- tail
            guard unsafe tail == 0 || text.load(fromByteOffset: length, as: UInt8.self) == 0 else {
                throw BytesLeaf.damaged(ends)
            }
            return try unsafe matches(UnsafeRawBufferPointer(start: text, count: length))
        }
    }

    /// Those of the `count` rows that are among `rows` and whose string or data has exactly these bytes: by length
    /// first, then by memory.
    package func rows(from start: Int, _ rows: RowSet, count: Int, equalTo wanted: [UInt8]) throws -> RowSet {
        if kind == .string, !node.header.hasRefs {
            let leaf = try BytesLeaf(space, node, .string)
            if leaf.root.width >= 8, leaf.root.width <= 16 {
                return shortRows(leaf.root, start, count, wanted).intersection(rows)
            }
        }
        return try unsafe wanted.withUnsafeBytes { wanted in
            try unsafe filterBytes(from: start, rows) { bytes in
                guard let bytes = unsafe bytes, bytes.count == wanted.count else { return false }
                return unsafe ByteOrder.isEqual(bytes, wanted)
            }
        }
    }

    /// Elements of 8 or 16 bytes: the bytes of the text and the last one, which tells the length, without those
    /// between.
    private func shortRows(_ node: Node, _ start: Int, _ count: Int, _ wanted: [UInt8]) -> RowSet {
        let width = node.width
        guard wanted.count < width else { return RowSet() }
        var (words, mask) = (SIMD2<UInt64>.zero, SIMD2<UInt64>.zero)
        func set(_ place: Int, _ byte: UInt8) {
            words[place >> 3] |= UInt64(byte) << UInt64((place & 7) * 8)
            mask[place >> 3] |= 0xFF << UInt64((place & 7) * 8)
        }
        for (place, byte) in wanted.enumerated() { set(place, byte) }
        set(width - 1, UInt8(truncatingIfNeeded: width - 1 - wanted.count))
        return node.rows(from: start, count: count, words: words, mask: mask)
    }
}
