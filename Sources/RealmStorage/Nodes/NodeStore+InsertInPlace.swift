// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Insertions that take nothing but to move the elements behind: into dirty nodes with room, of elements that are wide
/// enough. Where that is not so they do nothing and return false.
extension NodeStore {
    /// A packed element.
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

    /// An element of a node of scheme `bytes`, which has the node's width.
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

    /// The node's header with one element more; nil where its block is not its own or not large enough.
    @inline(__always)
    private func headerForOneMore(_ node: Node, at index: Int) -> NodeHeader? {
        guard space.isDirty(node.ref), 0...node.count ~= index, node.count < NodeHeader.maximumCount else { return nil }
        let header = node.header.with(count: node.count &+ 1)
        return unsafe slab.capacity(of: node.ref) >= header.byteCount ? header : nil
    }
}
