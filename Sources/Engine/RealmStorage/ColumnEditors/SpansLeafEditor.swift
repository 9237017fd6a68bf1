// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Changes leaves of medium strings and small binaries: end offsets, one blob with all values, and an array of null
/// flags (content 6.6.2).
///
/// A null string occupies only its terminating zero, as in files of the reference; a null binary occupies no bytes.
struct SpansLeafEditor {
    let store: NodeStore

    @inline(__always)
    init(_ store: NodeStore) { self.store = store }

    @inline(__always) var space: NodeSpace { store.space }

    func create(_ style: BytesStyle, _ values: some Collection<UnsafeRawBufferPointer?>) throws -> Ref {
        var ends: [Int64] = []
        var nulls: [Int64] = []
        var bytes: [UInt8] = []
        unsafe values.forEach { value in
            if let value = unsafe value { unsafe bytes.append(contentsOf: value) }
            if style.tail > 0 { bytes.append(0) }
            ends.append(Int64(bytes.count))
            unsafe nulls.append(value == nil ? 1 : 0)
        }
        return try create(ends, bytes, nulls)
    }

    func create(_ leaf: BytesLeaf, _ rows: Range<Int>) throws -> Ref {
        guard !rows.isEmpty else { return try create([], [], []) }
        let spans = try rows.map { try leaf.span(of: $0) }
        let start = spans[0].lowerBound
        let bytes = unsafe [UInt8](leaf.blob.bytes[start..<spans[spans.count - 1].upperBound])
        return try create(spans.map { Int64($0.upperBound - start) }, bytes, rows.map { leaf.nulls[$0] })
    }

    func insert(_ ref: inout Ref, _ leaf: BytesLeaf, at row: Int, _ value: UnsafeRawBufferPointer?) throws {
        let start = row < leaf.count ? try leaf.span(of: row).lowerBound : try leaf.end
        let added = try unsafe spliceSpan(&ref, leaf, start..<start, value)
        try store.updateSlot(&ref, 0) { ends in
            try store.adjust(&ends, from: row, by: Int64(added))
            try store.insert(&ends, row, Int64(start + added))
        }
        try store.updateSlot(&ref, 2) { unsafe try store.insert(&$0, row, value == nil ? 1 : 0) }
    }

    func set(_ ref: inout Ref, _ leaf: BytesLeaf, at row: Int, _ value: UnsafeRawBufferPointer?) throws {
        let span = try leaf.span(of: row)
        let added = try unsafe spliceSpan(&ref, leaf, span, value) - span.count
        try store.updateSlot(&ref, 0) { try store.adjust(&$0, from: row, by: Int64(added)) }
        try store.updateSlot(&ref, 2) { unsafe try store.set(&$0, row, value == nil ? 1 : 0) }
    }

    func erase(_ ref: inout Ref, _ leaf: BytesLeaf, _ range: Range<Int>) throws {
        guard !range.isEmpty else { return }
        let start = try leaf.span(of: range.lowerBound).lowerBound
        let end = try leaf.span(of: range.upperBound - 1).upperBound
        guard start <= end else { throw ColumnLeaf.wrongNode(ref) }
        try store.updateSlot(&ref, 1) {
            try store.removeBytes(&$0, start..<end, count: leaf.blob.count - (end - start))
        }
        try store.updateSlot(&ref, 0) {
            try store.remove(&$0, range)
            try store.adjust(&$0, from: range.lowerBound, by: Int64(start - end))
        }
        try store.updateSlot(&ref, 2) { try store.remove(&$0, range) }
    }

    func append(_ ref: inout Ref, _ leaf: BytesLeaf, _ rest: BytesLeaf) throws {
        let start = try leaf.end
        let bytes = try 0..<rest.end
        try store.updateSlot(&ref, 1) {
            try unsafe store.replaceBytes(
                &$0, start..<leaf.blob.count, with: UnsafeRawBufferPointer(rebasing: rest.blob.bytes[bytes]),
                count: start + bytes.count)
        }
        try store.updateSlot(&ref, 0) {
            for row in 0..<rest.count { try store.append(&$0, Int64(rest.span(of: row).upperBound + start)) }
        }
        try store.updateSlot(&ref, 2) { for row in 0..<rest.count { try store.append(&$0, rest.nulls[row]) } }
    }

    private func create(_ ends: [Int64], _ bytes: [UInt8], _ nulls: [Int64]) throws -> Ref {
        let parts = try [
            store.create(ends), unsafe bytes.withUnsafeBytes { try unsafe store.create(bytes: $0) },
            store.create(nulls),
        ]
        return try store.create(parts.map(\.element), flags: NodeHeader.Flags.hasRefs)
    }

    /// Returns the number of bytes of the value and its terminator.
    private func spliceSpan(
        _ ref: inout Ref, _ leaf: BytesLeaf, _ span: Range<Int>, _ value: UnsafeRawBufferPointer?
    ) throws -> Int {
        let size = unsafe (value?.count ?? 0) + leaf.style.tail
        try unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 1) { buffer in
            unsafe buffer.initializeMemory(as: UInt8.self, repeating: 0)
            if let value = unsafe value { unsafe buffer.copyMemory(from: value) }
            let count = leaf.blob.count - span.count + size
            try store.updateSlot(&ref, 1) {
                try unsafe store.replaceBytes(&$0, span, with: UnsafeRawBufferPointer(buffer), count: count)
            }
        }
        return size
    }
}

extension BytesLeaf {
    fileprivate var end: Int {
        get throws { count == 0 ? 0 : try span(of: count - 1).upperBound }
    }
}
