// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Writing medium strings and small binaries: end offsets, one blob with all values, and a null array (content 6.6.2).
///
/// A null occupies the terminating zero alone, as the reference writes it; in binaries it occupies nothing.
extension NodeStore {
    func createSpans(_ style: BytesStyle, _ values: some Collection<UnsafeRawBufferPointer?>) throws -> Ref {
        var ends: [Int64] = []
        var nulls: [Int64] = []
        var bytes: [UInt8] = []
        unsafe values.forEach { value in
            if let value = unsafe value { unsafe bytes.append(contentsOf: value) }
            if style.tail > 0 { bytes.append(0) }
            ends.append(Int64(bytes.count))
            unsafe nulls.append(value == nil ? 1 : 0)
        }
        return try createSpans(ends, bytes, nulls)
    }

    /// A leaf with some rows of another one.
    func createSpans(_ leaf: BytesLeaf, _ rows: Range<Int>) throws -> Ref {
        guard !rows.isEmpty else { return try createSpans([], [], []) }
        let spans = try rows.map { try leaf.span(of: $0) }
        let start = spans[0].lowerBound
        let bytes = unsafe [UInt8](leaf.blob.bytes[start..<spans[spans.count - 1].upperBound])
        return try createSpans(spans.map { Int64($0.upperBound - start) }, bytes, rows.map { leaf.nulls[$0] })
    }

    func spansInsert(
        _ ref: inout Ref, _ leaf: BytesLeaf, at row: Int, _ value: UnsafeRawBufferPointer?
    ) throws {
        let start = row < leaf.count ? try leaf.span(of: row).lowerBound : try leaf.end
        let added = try unsafe spliceSpan(&ref, leaf, start..<start, value)
        try updateSlot(&ref, 0) { ends in
            try adjust(&ends, from: row, by: Int64(added))
            try insert(&ends, row, Int64(start + added))
        }
        try updateSlot(&ref, 2) { unsafe try insert(&$0, row, value == nil ? 1 : 0) }
    }

    func spansSet(_ ref: inout Ref, _ leaf: BytesLeaf, at row: Int, _ value: UnsafeRawBufferPointer?) throws {
        let span = try leaf.span(of: row)
        let added = try unsafe spliceSpan(&ref, leaf, span, value) - span.count
        try updateSlot(&ref, 0) { try adjust(&$0, from: row, by: Int64(added)) }
        try updateSlot(&ref, 2) { unsafe try set(&$0, row, value == nil ? 1 : 0) }
    }

    func spansErase(_ ref: inout Ref, _ leaf: BytesLeaf, _ range: Range<Int>) throws {
        guard !range.isEmpty else { return }
        let start = try leaf.span(of: range.lowerBound).lowerBound
        let end = try leaf.span(of: range.upperBound - 1).upperBound
        guard start <= end else { throw ColumnLeaf.wrongNode(ref) }
        try updateSlot(&ref, 1) {
            try removeBytes(&$0, start..<end, count: leaf.blob.count - (end - start))
        }
        try updateSlot(&ref, 0) {
            try remove(&$0, range)
            try adjust(&$0, from: range.lowerBound, by: Int64(start - end))
        }
        try updateSlot(&ref, 2) { try remove(&$0, range) }
    }

    func spansAppend(_ ref: inout Ref, _ leaf: BytesLeaf, _ rest: BytesLeaf) throws {
        let start = try leaf.end
        let bytes = try 0..<rest.end
        try updateSlot(&ref, 1) {
            try unsafe replaceBytes(
                &$0, start..<leaf.blob.count, with: UnsafeRawBufferPointer(rebasing: rest.blob.bytes[bytes]),
                count: start + bytes.count)
        }
        try updateSlot(&ref, 0) {
            for row in 0..<rest.count { try append(&$0, Int64(rest.span(of: row).upperBound + start)) }
        }
        try updateSlot(&ref, 2) { for row in 0..<rest.count { try append(&$0, rest.nulls[row]) } }
    }

    /// Changes the child in a slot and stores its new ref.
    func updateSlot<R>(_ ref: inout Ref, _ slot: Int, _ body: (inout Ref) throws -> R) throws -> R {
        let old = try space.refs(ref).child(slot)
        var child = old
        let result = try body(&child)
        if child != old { try set(&ref, slot, child.element) }
        return result
    }

    private func createSpans(_ ends: [Int64], _ bytes: [UInt8], _ nulls: [Int64]) throws -> Ref {
        let parts = try [create(ends), unsafe bytes.withUnsafeBytes { try unsafe create(bytes: $0) }, create(nulls)]
        return try create(parts.map(\.element), flags: NodeHeader.Flags.hasRefs)
    }

    /// Puts the value and its terminator in place of `span` and returns how many bytes they are.
    private func spliceSpan(
        _ ref: inout Ref, _ leaf: BytesLeaf, _ span: Range<Int>, _ value: UnsafeRawBufferPointer?
    ) throws -> Int {
        let size = unsafe (value?.count ?? 0) + leaf.style.tail
        try unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 1) { buffer in
            unsafe buffer.initializeMemory(as: UInt8.self, repeating: 0)
            if let value = unsafe value { unsafe buffer.copyMemory(from: value) }
            let count = leaf.blob.count - span.count + size
            try updateSlot(&ref, 1) {
                try unsafe replaceBytes(&$0, span, with: UnsafeRawBufferPointer(buffer), count: count)
            }
        }
        return size
    }
}

extension BytesLeaf {
    /// Where the last span ends in the blob.
    fileprivate var end: Int {
        get throws { count == 0 ? 0 : try span(of: count - 1).upperBound }
    }
}
