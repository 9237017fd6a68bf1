// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension SearchIndexEditor {
    private static let leafFlags = NodeHeader.Flags.hasRefs | NodeHeader.Flags.context

    /// The keys are always 32 bits wide, even in an empty node.
    func createNode(keys: [Int32], elements: [Int64], isInner: Bool) throws -> Ref {
        let keys = try store.create(keys.map { Int64($0) }, minimumWidth: 32)
        let flags = SearchIndexEditor.leafFlags | (isInner ? NodeHeader.Flags.inner : 0)
        return try store.create([keys.element] + elements, flags: flags)
    }

    /// Adds a key with its child or entry. A full node is split, and the new right half is returned.
    func insertInNode(_ ref: inout Ref, at place: Int, key: Int32, element: Int64) throws -> Ref? {
        let node = try IndexNode(space, ref)
        guard node.count >= store.treeCapacity else {
            try insertSlot(&ref, at: place, key: key, element: element)
            return nil
        }
        // Keys that arrive in ascending order leave full nodes.
        let cut = place == node.count ? place : node.count / 2
        var sibling = try splitNode(&ref, at: cut)
        if place > cut || cut == node.count {
            try insertSlot(&sibling, at: place - cut, key: key, element: element)
        } else {
            try insertSlot(&ref, at: place, key: key, element: element)
        }
        return sibling
    }

    private func splitNode(_ ref: inout Ref, at cut: Int) throws -> Ref {
        let node = try IndexNode(space, ref)
        let moved = cut..<node.count
        let sibling = try createNode(
            keys: moved.map { node.key($0) }, elements: moved.map { node.element($0) }, isInner: node.isInner)
        guard !moved.isEmpty else { return sibling }
        var keys = node.keysRef
        let count = node.count
        try store.remove(&keys, cut..<count)
        try store.remove(&ref, cut + 1..<count + 1)
        try store.set(&ref, 0, keys.element)
        return sibling
    }

    private func insertSlot(_ ref: inout Ref, at place: Int, key: Int32, element: Int64) throws {
        var keys = Ref(element: try space.integers(ref).element(0))
        try store.insert(&keys, place, Int64(key))
        try store.insert(&ref, place + 1, element)
        try store.set(&ref, 0, keys.element)
    }

    /// Removes a key. The caller has freed its child or entry. The node may be empty afterwards.
    func removeSlot(_ ref: inout Ref, at place: Int) throws {
        var keys = try IndexNode(space, ref).keysRef
        try store.remove(&keys, place)
        try store.remove(&ref, place + 1)
        try store.set(&ref, 0, keys.element)
    }

    func setElement(_ ref: inout Ref, at place: Int, _ element: Int64) throws {
        if try IndexNode(space, ref).element(place) != element { try store.set(&ref, place + 1, element) }
    }

    func setChild(_ ref: inout Ref, at place: Int, _ child: Ref) throws {
        let node = try IndexNode(space, ref)
        let largest = try IndexNode(space, child).lastKey
        if node.key(place) != largest {
            var keys = node.keysRef
            try store.set(&keys, place, Int64(largest))
            try store.set(&ref, 0, keys.element)
        }
        try setElement(&ref, at: place, child.element)
    }

    /// Doesn't free the children.
    func freeNode(_ ref: Ref) throws {
        try store.free(Ref(element: try space.integers(ref).element(0)))
        try store.free(ref)
    }
}
