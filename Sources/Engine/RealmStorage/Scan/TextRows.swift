// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The strings of a column for many objects, in place.
///
/// Borrows them from nodes, so it must not outlive one call on a snapshot or write transaction.
@safe
package struct TextRows {
    /// Nil for null.
    private var starts: [UnsafeRawPointer?] = unsafe []
    private var lengths: [UInt32] = []

    package init(capacity: Int) {
        unsafe starts.reserveCapacity(capacity)
        lengths.reserveCapacity(capacity)
    }

    package var count: Int { lengths.count }

    package mutating func append(_ leaf: ColumnLeaf, _ run: RowRun) throws {
        if case .enumeratedString = leaf.kind { return try appendSingly(leaf, run) }
        precondition(leaf.kind == .string)
        let bytes = try BytesLeaf(leaf.space, leaf.node, .string)
        switch bytes.form {
        case .short: try appendShort(bytes.root, run)
        case .spans: try appendSpans(bytes, run)
        case .blobs: try appendSingly(leaf, run)
        }
    }

    @inline(__always)
    private mutating func append(_ start: UnsafeRawPointer?, _ length: Int) {
        unsafe starts.append(start)
        lengths.append(UInt32(truncatingIfNeeded: length))
    }

    private mutating func appendSingly(_ leaf: ColumnLeaf, _ run: RowRun) throws {
        for row in run.rows {
            // A string is one span in all forms; null has none.
            let span = unsafe try leaf.storedBytes(at: row).span
            guard unsafe span?.count ?? 0 <= UInt32.max else { throw BytesLeaf.damaged(leaf.node) }
            unsafe append(span.map { unsafe $0.baseAddress ?? UnsafeRawPointer(leaf.node.payload) }, span?.count ?? 0)
        }
    }

    /// Elements have one width and are read as in `ColumnLeaf.filterBytes`.
    private mutating func appendShort(_ node: Node, _ run: RowRun) throws {
        let (width, count) = (node.width, node.count)
        for row in run.rows {
            guard UInt(bitPattern: row) < UInt(bitPattern: count) else { throw ColumnLeaf.noRow(node.ref) }
            guard width > 0 else {
                unsafe append(nil, 0)
                continue
            }
            let element = unsafe node.payload + row &* width
            let padding = unsafe Int(element.load(fromByteOffset: width &- 1, as: UInt8.self))
            guard padding <= width else { throw BytesLeaf.damaged(node) }
            unsafe padding == width ? append(nil, 0) : append(element, width &- 1 &- padding)
        }
    }

    /// Values are stored in one blob and are read as in `ColumnLeaf.filterBytes`.
    private mutating func appendSpans(_ leaf: BytesLeaf, _ run: RowRun) throws {
        let (ends, nulls) = (leaf.ends, leaf.nulls)
        let (bytes, size) = unsafe (leaf.blob.payload, Int64(leaf.blob.count))
        for row in run.rows {
            if try nulls.element(row) != 0 {
                unsafe append(nil, 0)
                continue
            }
            let end = try ends.element(row)
            let begin = row == 0 ? 0 : ends[row &- 1]
            guard 0 <= begin, begin < end, end <= size else { throw BytesLeaf.damaged(ends) }
            let length = Int(end &- begin) &- 1
            let text = unsafe bytes + Int(begin)
            guard unsafe text.load(fromByteOffset: length, as: UInt8.self) == 0 else { throw BytesLeaf.damaged(ends) }
            unsafe append(text, length)
        }
    }

    // MARK: Single strings

    func isNull(_ place: Int) -> Bool { unsafe starts[place] == nil }

    func length(_ place: Int) -> Int { Int(lengths[place]) }

    func bytes(_ place: Int) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: starts[place], count: Int(lengths[place]))
    }

    /// Returns seven bytes from `offset` on, the first one in the highest byte, with zeros after the last one. The
    /// lowest byte is the number of remaining bytes, or 8 if there are more than seven. `offset` must be at most the
    /// length.
    ///
    /// Words have the order of the bytes that they encode. Equal words that don't end with 8 encode equal bytes.
    func word(_ place: Int, at offset: Int) -> UInt64 {
        let length = Int(lengths[place])
        guard let start = unsafe starts[place] else { return 0 }
        let rest = length &- offset
        if rest >= 8 {
            return unsafe start.loadUnaligned(fromByteOffset: offset, as: UInt64.self).bigEndian & ~255 | 8
        }
        if length >= 8 {
            let last = unsafe start.loadUnaligned(fromByteOffset: length &- 8, as: UInt64.self).bigEndian
            return last << UInt64(64 &- rest &* 8) | UInt64(rest)
        }
        var word: UInt64 = 0
        for index in 0..<rest {
            let byte = unsafe start.load(fromByteOffset: offset &+ index, as: UInt8.self)
            word |= UInt64(byte) &<< UInt64(56 &- index &* 8)
        }
        return word | UInt64(rest)
    }

    /// Returns the end of the bytes that two strings have in common from `offset` on, at most `limit`. Neither string
    /// may be shorter than `offset`.
    func commonEnd(_ a: Int, _ b: Int, from offset: Int, to limit: Int) -> Int {
        guard let startA = unsafe starts[a], let startB = unsafe starts[b] else { return offset }
        let limit = min(limit, Int(lengths[a]), Int(lengths[b]))
        var index = offset
        while index &+ 8 <= limit {
            let difference =
                unsafe startA.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                ^ startB.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            if difference != 0 { return index &+ difference.littleEndian.trailingZeroBitCount / 8 }
            index &+= 8
        }
        while index < limit {
            let isSame =
                unsafe startA.load(fromByteOffset: index, as: UInt8.self)
                == startB.load(fromByteOffset: index, as: UInt8.self)
            guard isSame else { return index }
            index &+= 1
        }
        return index
    }

    func hash(_ place: Int, seed: UInt64) -> UInt64 {
        unsafe isNull(place) ? HashSeed.mixed(seed) : HashSeed.hash(bytes(place), seed: seed)
    }

    func isEqual(_ a: Int, _ b: Int) -> Bool {
        guard lengths[a] == lengths[b], isNull(a) == isNull(b) else { return false }
        return unsafe isNull(a) || ByteOrder.compare(bytes(a), bytes(b)) == 0
    }
}
