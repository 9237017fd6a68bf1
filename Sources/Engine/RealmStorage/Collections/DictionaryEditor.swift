// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Changes dictionaries (content 7.6); `DictionaryTree` reads them. The transaction maintains links and indexes, and
/// validates keys.
///
/// Each function takes the root of a dictionary `inout`: the caller stores the new root.
struct DictionaryEditor {
    private let store: NodeStore

    @inline(__always)
    init(_ store: NodeStore) { self.store = store }

    private enum Slot {
        static let keys = 0
        static let values = 1
    }

    func create(_ keyKind: LeafKind) throws -> Ref {
        let trees = [try BPlusTreeEditor(store, keyKind).create(), try BPlusTreeEditor(store, .mixed).create()]
        return try store.create(trees.map(\.element), flags: NodeHeader.Flags.hasRefs)
    }

    /// `index` must be the position of `key`. For a root of 0, creates a dictionary.
    func insert(_ root: inout Ref, _ keyKind: LeafKind, at index: Int, key: StoredValue, value: StoredValue) throws {
        if root == 0 { root = try create(keyKind) }
        try store.updateSlot(&root, Slot.keys) { try BPlusTreeEditor(store, keyKind).insert(&$0, at: index, key) }
        try store.updateSlot(&root, Slot.values) { try BPlusTreeEditor(store, .mixed).insert(&$0, at: index, value) }
    }

    func insert(
        _ root: inout Ref, _ keyKind: LeafKind, at place: LeafPosition, of count: Int, by fenceIndex: FenceKeyIndex,
        key: StoredValue, value: StoredValue
    ) throws {
        // One lookup for both; usually neither root moves.
        let trees = try store.space.refs(root)
        let (oldKeys, oldValues) = (try trees.child(Slot.keys), try trees.child(Slot.values))
        var (keys, values) = (oldKeys, oldValues)
        try BPlusTreeEditor(store, keyKind).insert(&keys, key, at: place, of: count, by: fenceIndex)
        if keys != oldKeys { try store.set(&root, Slot.keys, keys.element) }
        try BPlusTreeEditor(store, .mixed).insert(&values, value, near: place)
        if values != oldValues { try store.set(&root, Slot.values, values.element) }
    }

    func erase(
        _ root: inout Ref, _ keyKind: LeafKind, at place: LeafPosition, of count: Int, by fenceIndex: FenceKeyIndex
    )
        throws
    {
        try store.updateSlot(&root, Slot.keys) {
            try BPlusTreeEditor(store, keyKind).erase(&$0, at: place, of: count, by: fenceIndex)
        }
        try store.updateSlot(&root, Slot.values) { try BPlusTreeEditor(store, .mixed).erase(&$0, near: place) }
    }

    func erase(_ root: inout Ref, _ keyKind: LeafKind, at index: Int) throws {
        try store.updateSlot(&root, Slot.keys) { try BPlusTreeEditor(store, keyKind).erase(&$0, at: index) }
        try store.updateSlot(&root, Slot.values) { try BPlusTreeEditor(store, .mixed).erase(&$0, at: index) }
    }

    func values(_ root: Ref) throws -> Ref { try store.space.refs(root).child(Slot.values) }

    /// `body` must not change the number of values.
    func changeValues<Result>(_ root: inout Ref, _ body: (inout Ref) throws -> Result) throws -> Result {
        try store.updateSlot(&root, Slot.values, body)
    }
}
