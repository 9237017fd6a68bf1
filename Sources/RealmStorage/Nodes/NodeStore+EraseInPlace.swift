// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Removals that take nothing but to move the elements behind: from dirty nodes. Where that is not so they do nothing
/// and return false.
extension NodeStore {
    /// A packed element, which owns nothing.
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
}
