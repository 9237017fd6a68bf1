// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Writing dictionaries (content 7.6). Links, indexes and the rules for keys are the transaction's.
extension NodeStore {
    private enum Slot {
        static let keys = 0
        static let values = 1
    }

    /// A dictionary without entries.
    func dictionaryCreate(_ keyKind: LeafKind) throws -> Ref {
        let trees = [try treeCreate(keyKind), try treeCreate(.mixed)]
        return try create(trees.map(\.element), flags: NodeHeader.Flags.hasRefs)
    }

    /// Inserts an entry in front of entry `index`, where `key` belongs. A root of 0 is created.
    func dictionaryInsert(
        _ root: inout Ref, _ keyKind: LeafKind, at index: Int, key: StoredValue, value: StoredValue
    ) throws {
        if root == 0 { root = try dictionaryCreate(keyKind) }
        try updateSlot(&root, Slot.keys) { try treeInsert(&$0, keyKind, at: index, key) }
        try updateSlot(&root, Slot.values) { try treeInsert(&$0, .mixed, at: index, value) }
    }

    /// Inserts an entry at `place`, to which `guide` has led, into a dictionary of `count` entries.
    func dictionaryInsert(
        _ root: inout Ref, _ keyKind: LeafKind, at place: LeafPosition, of count: Int, by guide: FenceKeyIndex,
        key: StoredValue, value: StoredValue
    ) throws {
        // Looked at once for both; most often neither root moves.
        let trees = try space.refs(root)
        let (oldKeys, oldValues) = (try trees.child(Slot.keys), try trees.child(Slot.values))
        var (keys, values) = (oldKeys, oldValues)
        try treeInsert(&keys, keyKind, key, at: place, of: count, by: guide)
        if keys != oldKeys { try set(&root, Slot.keys, keys.element) }
        try treeInsert(&values, .mixed, value, beside: place)
        if values != oldValues { try set(&root, Slot.values, values.element) }
    }

    /// Removes an entry and what it owns, likewise.
    func dictionaryErase(
        _ root: inout Ref, _ keyKind: LeafKind, at place: LeafPosition, of count: Int, by guide: FenceKeyIndex
    ) throws {
        try updateSlot(&root, Slot.keys) { try treeErase(&$0, keyKind, at: place, of: count, by: guide) }
        try updateSlot(&root, Slot.values) { try treeErase(&$0, .mixed, beside: place) }
    }

    /// Removes an entry and what it owns.
    func dictionaryErase(_ root: inout Ref, _ keyKind: LeafKind, at index: Int) throws {
        try updateSlot(&root, Slot.keys) { try treeErase(&$0, keyKind, at: index) }
        try updateSlot(&root, Slot.values) { try treeErase(&$0, .mixed, at: index) }
    }

    /// The tree of values.
    func dictionaryValues(_ root: Ref) throws -> Ref { try space.refs(root).child(Slot.values) }

    /// Lets `body` change the tree of values, but not their number.
    func dictionaryChangeValues<Result>(
        _ root: inout Ref, _ body: (inout Ref) throws -> Result
    ) throws -> Result {
        try updateSlot(&root, Slot.values, body)
    }
}
