// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension NodeStore {
    /// Replaces a range of payload bytes and sets the number of elements. Requires a node of scheme `bytes` or `blob`.
    package func splice(
        _ ref: inout Ref, _ range: Range<Int>, with bytes: UnsafeRawBufferPointer, count: Int
    ) throws {
        let node = try space.node(ref)
        let old = node.header.payloadByteCount
        precondition(node.header.schemeCode != 0 && range.upperBound <= old)
        guard count <= NodeHeader.maximumCount else {
            throw StorageError(.limitExceeded, "a value or list needs a node of \(count) elements")
        }
        let new = old - range.count + bytes.count
        let header = node.header.with(count: count)
        precondition(header.payloadByteCount == new)
        ref = try writable(ref, node, byteCount: header.byteCount)
        let payload = unsafe mutablePayload(ref)
        unsafe (payload + range.lowerBound + bytes.count).copyMemory(
            from: payload + range.upperBound, byteCount: old - range.upperBound)
        if let start = bytes.baseAddress {
            unsafe (payload + range.lowerBound).copyMemory(from: start, byteCount: bytes.count)
        }
        setHeader(ref, header)
    }

    package func overwrite(_ ref: inout Ref, at offset: Int, with bytes: UnsafeRawBufferPointer) throws {
        let node = try space.node(ref)
        precondition(offset + bytes.count <= node.header.payloadByteCount)
        ref = try writable(ref, node, byteCount: node.header.byteCount)
        if let start = bytes.baseAddress {
            unsafe (mutablePayload(ref) + offset).copyMemory(from: start, byteCount: bytes.count)
        }
    }

    /// A `splice` that may make the node smaller.
    ///
    /// `splice` copies a committed node whole, into a block of the new size. A node that shrinks is therefore copied
    /// first, at its old size.
    func replaceBytes(
        _ ref: inout Ref, _ range: Range<Int>, with bytes: UnsafeRawBufferPointer, count: Int
    ) throws {
        if bytes.count < range.count {
            try unsafe overwrite(&ref, at: 0, with: UnsafeRawBufferPointer(start: nil, count: 0))
        }
        try unsafe splice(&ref, range, with: bytes, count: count)
    }

    func removeBytes(_ ref: inout Ref, _ range: Range<Int>, count: Int) throws {
        try unsafe replaceBytes(&ref, range, with: UnsafeRawBufferPointer(start: nil, count: 0), count: count)
    }

    /// Removes elements from a node of scheme `bytes`. `rows` must ascend.
    package func removeElements(_ ref: inout Ref, _ rows: [Int]) throws {
        guard let last = rows.last else { return }
        let node = try space.node(ref)
        let (count, width) = (node.count, node.width)
        precondition(node.header.schemeCode == NodeScheme.bytes.rawValue && last < count)
        ref = try writable(ref, node, byteCount: node.header.byteCount)
        let payload = unsafe mutablePayload(ref)
        NodeStore.forEachGap(in: rows, of: count) { source, target, length in
            unsafe (payload + target * width).copyMemory(from: payload + source * width, byteCount: length * width)
        }
        setHeader(ref, node.header.with(count: count - rows.count))
    }
}
