// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Packed unsigned integers (container 2.5): the offsets of branches and the keys of clusters. Their width is at least
/// 8 (W7).
extension NodeStore {
    /// The elements must ascend.
    package func adjustUnsigned(_ ref: inout Ref, from start: Int, by delta: Int64) throws {
        let node = try space.integers(ref)
        guard start < node.count, delta != 0, !adjustUnsignedInPlace(node, from: start, by: delta) else { return }
        try rebuildUnsigned(&ref) { values in
            for index in start..<values.count { values[index] = values[index] &+ UInt64(bitPattern: delta) }
        }
    }

    /// The elements must ascend. Returns false, without effect, if the node isn't dirty or its elements are too narrow.
    /// Smaller elements keep their width.
    func adjustUnsignedInPlace(_ node: Node, from start: Int, by delta: Int64) -> Bool {
        let last = node.unsigned(node.count - 1) &+ UInt64(bitPattern: delta)
        guard space.isDirty(node.ref), PackedWidth.minimalUnsigned(for: last) <= node.width else { return false }
        let payload = unsafe mutablePayload(node.ref)
        let range = start..<node.count
        switch node.width {
        case 8: unsafe NodeStore.add(UInt8(truncatingIfNeeded: delta), to: payload, range)
        case 16: unsafe NodeStore.add(UInt16(truncatingIfNeeded: delta), to: payload, range)
        case 32: unsafe NodeStore.add(UInt32(truncatingIfNeeded: delta), to: payload, range)
        case 64: unsafe NodeStore.add(UInt64(truncatingIfNeeded: delta), to: payload, range)
        default: return false
        }
        return true
    }

    /// The compiler vectorises this loop.
    @inline(__always)
    private static func add<Element: FixedWidthInteger>(
        _ delta: Element, to payload: UnsafeMutableRawPointer, _ range: Range<Int>
    ) {
        let elements = unsafe payload.assumingMemoryBound(to: Element.self)
        for index in range { unsafe elements[index] &+= delta }
    }

    package func insertUnsigned(_ ref: inout Ref, _ index: Int, _ value: UInt64) throws {
        let width = try space.integers(ref).width
        guard width >= 8, PackedWidth.minimalUnsigned(for: value) <= width else {
            return try rebuildUnsigned(&ref) { $0.insert(value, at: index) }
        }
        // Sign extension keeps the bits, and the signed number needs no wider element.
        let shift = Int64(64 - width)
        try insert(&ref, index, (Int64(bitPattern: value) << shift) >> shift)
    }

    package func removeUnsigned(_ ref: inout Ref, _ index: Int) throws {
        try remove(&ref, index)
    }

    /// Rewrites the whole node. The arrays are short (a node's children or rows), and their width depends on the
    /// largest element.
    package func rebuildUnsigned(_ ref: inout Ref, _ change: (inout [UInt64]) throws -> Void) throws {
        let node = try space.integers(ref)
        var values = (0..<node.count).map { node.unsigned($0) }
        try change(&values)
        try free(ref)
        ref = try create(unsigned: values)
    }
}
