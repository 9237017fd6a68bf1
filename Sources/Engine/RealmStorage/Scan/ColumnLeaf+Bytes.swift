// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Scans of strings and data in place. The form of the leaf is determined once, not for each row.
extension ColumnLeaf {
    /// Null is passed as nil.
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

    /// Elements have one width. The last byte is the number of bytes that an element leaves unused.
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

    /// All values are stored in one blob, strings with a terminating zero.
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

    /// Compares the lengths first.
    package func rows(from start: Int, _ rows: RowSet, count: Int, equalTo wanted: BytesLookup) throws -> RowSet {
        if let short = try shortStrings, short.width >= 8, short.width <= 16 {
            guard let element = short.width == 8 ? wanted.eight : wanted.sixteen else { return RowSet() }
            return short.rows(from: start, count: count, like: element).intersection(rows)
        }
        return try unsafe wanted.bytes.withUnsafeBytes { wanted in
            try unsafe filterBytes(from: start, rows) { bytes in
                guard let bytes = unsafe bytes, bytes.count == wanted.count else { return false }
                return unsafe ByteOrder.isEqual(bytes, wanted)
            }
        }
    }

    /// Short strings are read only if some of their bytes match.
    package func rows(
        from start: Int, _ rows: RowSet, count: Int, matching pattern: TextPattern
    ) throws -> RowSet {
        unsafe try filterCandidates(from: start, rows) {
            pattern.candidates(in: $0, from: start, count: count)
        } matching: {
            unsafe pattern.matches(utf8: $0)
        }
    }

    /// Null doesn't match. Of short strings, only the candidates in their node are tested.
    @inline(__always)
    func filterCandidates(
        from start: Int, _ rows: RowSet, _ candidates: (Node) -> RowSet,
        matching matches: (UnsafeRawBufferPointer) throws -> Bool
    ) throws -> RowSet {
        let rows = try shortStrings.map { candidates($0).intersection(rows) } ?? rows
        return unsafe try filterBytes(from: start, rows) { bytes in
            unsafe try bytes.map { unsafe try matches($0) } ?? false
        }
    }

    private var shortStrings: Node? {
        get throws {
            guard kind == .string, !node.header.hasRefs else { return nil }
            return try BytesLeaf(space, node, .string).root
        }
    }
}
