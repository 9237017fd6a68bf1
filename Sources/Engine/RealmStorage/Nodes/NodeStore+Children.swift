// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension NodeStore {
    func updateSlot<R>(_ ref: inout Ref, _ slot: Int, _ body: (inout Ref) throws -> R) throws -> R {
        let old = try space.refs(ref).child(slot)
        var child = old
        let result = try body(&child)
        if child != old { try set(&ref, slot, child.element) }
        return result
    }

    func freeElement(_ element: Int64) throws {
        if !Tagged.isTagged(element) { try freeTree(Ref(element: element)) }
    }
}
