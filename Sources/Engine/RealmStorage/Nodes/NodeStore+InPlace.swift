// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Changes of dirty nodes that allocate no other node: only elements after the change move, and refs stay unchanged.
///
/// For a node that isn't dirty, lacks space, or has elements that are too narrow, these functions return `false` and
/// change nothing.
extension NodeStore {
    /// Stores a packed element, if the node's elements are wide enough.
    @inline(__always)
    func overwrite(_ node: Node, _ index: Int, _ value: Int64) -> Bool {
        guard space.isDirty(node.ref), node.header.isPlain, index < node.count,
            PackedWidth.fits(value, node.width)
        else { return false }
        unsafe Node.store(mutablePayload(node.ref), index, node.header.widthCode, value)
        return true
    }

    @inline(__always)
    func clear(_ node: Node, _ index: Int, if isGone: (Int64) -> Bool) -> Bool {
        guard space.isDirty(node.ref), node.header.schemeCode == 0, 0..<node.count ~= index, isGone(node[index]) else {
            return false
        }
        unsafe Node.store(mutablePayload(node.ref), index, node.header.widthCode, 0)
        return true
    }

    /// Adds to the tagged integer at `index` of a dirty node of 64-bit elements.
    @inline(__always)
    func add(_ delta: Int, toTagged index: Int, of node: Node) {
        precondition(space.isDirty(node.ref) && node.width == 64 && 0..<node.count ~= index)
        let slot = unsafe mutablePayload(node.ref) + index &* 8
        let sum = unsafe Tagged.decode(slot.loadUnaligned(as: Int64.self)) &+ UInt64(bitPattern: Int64(delta))
        unsafe slot.storeBytes(of: Tagged.encode(sum), as: Int64.self)
    }

    func overwrite(_ node: Node, _ index: Int, _ value: Double) -> Bool {
        guard space.isDirty(node.ref), node.header.schemeCode == NodeScheme.bytes.rawValue, node.width == 8,
            index < node.count
        else { return false }
        unsafe mutablePayload(node.ref).storeBytes(of: value.bitPattern, toByteOffset: index * 8, as: UInt64.self)
        return true
    }

    @inline(__always)
    func insertInPlace(_ node: Node, at index: Int, _ value: Int64) -> Bool {
        guard node.header.schemeCode == 0, PackedWidth.minimal(for: value) <= node.width,
            let header = headerForOneMore(node, at: index)
        else { return false }
        let payload = unsafe mutablePayload(node.ref)
        let code = header.widthCode
        unsafe Node.move(payload, from: index, to: index &+ 1, count: node.count &- index, code)
        unsafe Node.store(payload, index, code, value)
        setHeader(node.ref, header)
        return true
    }

    /// Inserts an element in a node of scheme `bytes`, if it has the node's width.
    @inline(__always)
    func insertInPlace(_ node: Node, at index: Int, bytes: UnsafeRawBufferPointer) -> Bool {
        guard node.header.schemeCode == NodeScheme.bytes.rawValue, bytes.count == node.width,
            let start = bytes.baseAddress, let header = headerForOneMore(node, at: index)
        else { return false }
        let place = unsafe mutablePayload(node.ref) + index &* bytes.count
        unsafe (place + bytes.count).copyMemory(from: place, byteCount: (node.count &- index) &* bytes.count)
        unsafe place.copyMemory(from: start, byteCount: bytes.count)
        setHeader(node.ref, header)
        return true
    }

    /// Removes a packed element. Doesn't free its tree.
    @inline(__always)
    func eraseInPlace(_ node: Node, at index: Int) -> Bool {
        guard space.isDirty(node.ref), node.header.schemeCode == 0, 0..<node.count ~= index else { return false }
        let last = node.count &- 1
        if index < last {
            unsafe Node.move(
                mutablePayload(node.ref), from: index &+ 1, to: index, count: last &- index, node.header.widthCode)
        }
        setHeader(node.ref, node.header.with(count: last))
        return true
    }

    @inline(__always)
    private func headerForOneMore(_ node: Node, at index: Int) -> NodeHeader? {
        guard space.isDirty(node.ref), 0...node.count ~= index, node.count < NodeHeader.maximumCount else { return nil }
        let header = node.header.with(count: node.count &+ 1)
        return unsafe slab.capacity(of: node.ref) >= header.byteCount ? header : nil
    }
}
