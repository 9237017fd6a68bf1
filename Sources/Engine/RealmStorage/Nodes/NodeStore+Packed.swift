// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Packed signed integers (container 2.5): refs, tagged numbers and the values of columns.
extension NodeStore {
    package func set(_ ref: inout Ref, _ index: Int, _ value: Int64) throws {
        var node = try space.integers(ref)
        precondition(index < node.count)
        let isDirty = space.isDirty(ref)
        if isDirty, PackedWidth.minimal(for: value) <= node.width {
            unsafe Node.store(mutablePayload(ref), index, node.header.widthCode, value)
        } else if isDirty || node[index] != value {
            let width = max(node.width, PackedWidth.minimal(for: value))
            node = try resized(&ref, node, count: node.count, width: width)
            unsafe Node.store(mutablePayload(ref), index, node.header.widthCode, value)
        }
    }

    package func insert(_ ref: inout Ref, _ index: Int, _ value: Int64) throws {
        var node = try space.integers(ref)
        let count = node.count
        precondition(index <= count)
        node = try resized(&ref, node, count: count + 1, width: max(node.width, PackedWidth.minimal(for: value)))
        let payload = unsafe mutablePayload(ref)
        let code = node.header.widthCode
        if index < count { unsafe Node.move(payload, from: index, to: index + 1, count: count - index, code) }
        unsafe Node.store(payload, index, code, value)
    }

    package func insert(_ ref: inout Ref, _ index: Int, contentsOf values: [Int64]) throws {
        var node = try space.integers(ref)
        let count = node.count
        precondition(index <= count)
        let width = max(node.width, PackedWidth.minimal(for: values))
        node = try resized(&ref, node, count: count + values.count, width: width)
        let payload = unsafe mutablePayload(ref)
        let code = node.header.widthCode
        unsafe Node.move(payload, from: index, to: index + values.count, count: count - index, code)
        for (offset, value) in values.enumerated() { unsafe Node.store(payload, index + offset, code, value) }
    }

    package func append(_ ref: inout Ref, _ value: Int64) throws {
        try insert(&ref, try space.integers(ref).count, value)
    }

    package func remove(_ ref: inout Ref, _ index: Int) throws {
        try remove(&ref, index..<index + 1)
    }

    package func remove(_ ref: inout Ref, _ range: Range<Int>) throws {
        try remove(&ref, space.integers(ref), range)
    }

    /// `node` must be the node at `ref`, with packed elements.
    func remove(_ ref: inout Ref, _ node: Node, _ range: Range<Int>) throws {
        let count = node.count
        precondition(range.upperBound <= count)
        ref = try writable(ref, node, byteCount: node.header.byteCount)
        unsafe Node.move(
            mutablePayload(ref), from: range.upperBound, to: range.lowerBound, count: count - range.upperBound,
            node.header.widthCode)
        setHeader(ref, node.header.with(count: count - range.count))
    }

    /// `rows` must ascend.
    package func remove(_ ref: inout Ref, _ rows: [Int]) throws {
        guard let last = rows.last else { return }
        let node = try space.integers(ref)
        let count = node.count
        precondition(last < count)
        ref = try writable(ref, node, byteCount: node.header.byteCount)
        let payload = unsafe mutablePayload(ref)
        NodeStore.forEachGap(in: rows, of: count) { source, target, length in
            unsafe Node.move(payload, from: source, to: target, count: length, node.header.widthCode)
        }
        setHeader(ref, node.header.with(count: count - rows.count))
    }

    /// Calls `move` with each run of elements after a removed one: its index, its new index, and its length.
    @inline(__always)
    static func forEachGap(in rows: [Int], of count: Int, _ move: (Int, Int, Int) -> Void) {
        var target = rows[0]
        for index in rows.indices {
            let start = rows[index] + 1
            let end = index + 1 < rows.count ? rows[index + 1] : count
            if start < end { move(start, target, end - start) }
            target += end - start
        }
    }

    package func truncate(_ ref: inout Ref, to count: Int) throws {
        let old = try space.integers(ref).count
        if count < old { try remove(&ref, count..<old) }
    }

    package func adjust(_ ref: inout Ref, from start: Int, by delta: Int64) throws {
        guard delta != 0 else { return }
        let node = try space.integers(ref)
        guard start < node.count else { return }
        var width = node.width
        for index in start..<node.count { width = max(width, PackedWidth.minimal(for: node[index] &+ delta)) }
        let resized = try resized(&ref, node, count: node.count, width: width)
        let payload = unsafe mutablePayload(ref)
        let code = resized.header.widthCode
        for index in start..<resized.count { unsafe Node.store(payload, index, code, resized[index] &+ delta) }
    }
}
