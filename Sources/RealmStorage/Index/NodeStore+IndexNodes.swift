// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Creating, changing and freeing the nodes of search indexes (content 9.3).
extension NodeStore {
    private static let leafFlags = NodeHeader.Flags.hasRefs | NodeHeader.Flags.context

    /// An empty index.
    package func indexCreate() throws -> Ref { try createIndexNode(keys: [], elements: [], isInner: false) }

    /// Gives up an index, or a list of one, with everything in it. A root of 0 is no index.
    package func indexFree(_ root: Ref) throws { try freeTree(root) }

    /// The keys are 32 bits wide whatever they are, also when there are none.
    func createIndexNode(keys: [Int32], elements: [Int64], isInner: Bool) throws -> Ref {
        let keys = try create(keys.map { Int64($0) }, minimumWidth: 32)
        let flags = NodeStore.leafFlags | (isInner ? NodeHeader.Flags.inner : 0)
        return try create([keys.element] + elements, flags: flags)
    }

    /// Adds a key with its child or entry. A full node is split: returns the new right half.
    func insertInIndexNode(_ ref: inout Ref, at place: Int, key: Int32, element: Int64) throws -> Ref? {
        let node = try IndexNode(space, ref)
        guard node.count >= treeCapacity else {
            try insertIndexSlot(&ref, at: place, key: key, element: element)
            return nil
        }
        // What arrives in ascending order leaves full nodes behind.
        let cut = place == node.count ? place : node.count / 2
        var sibling = try splitIndexNode(&ref, at: cut)
        if place > cut || cut == node.count {
            try insertIndexSlot(&sibling, at: place - cut, key: key, element: element)
        } else {
            try insertIndexSlot(&ref, at: place, key: key, element: element)
        }
        return sibling
    }

    private func splitIndexNode(_ ref: inout Ref, at cut: Int) throws -> Ref {
        let node = try IndexNode(space, ref)
        let moved = cut..<node.count
        let sibling = try createIndexNode(
            keys: moved.map { node.key($0) }, elements: moved.map { node.element($0) }, isInner: node.isInner)
        guard !moved.isEmpty else { return sibling }
        var keys = node.keysRef
        let count = node.count
        try remove(&keys, cut..<count)
        try remove(&ref, cut + 1..<count + 1)
        try set(&ref, 0, keys.element)
        return sibling
    }

    private func insertIndexSlot(_ ref: inout Ref, at place: Int, key: Int32, element: Int64) throws {
        var keys = Ref(element: try space.integers(ref).element(0))
        try insert(&keys, place, Int64(key))
        try insert(&ref, place + 1, element)
        try set(&ref, 0, keys.element)
    }

    /// Takes out a key with its child or entry, which the caller has freed. The node may be empty afterwards.
    func removeIndexSlot(_ ref: inout Ref, at place: Int) throws {
        var keys = try IndexNode(space, ref).keysRef
        try remove(&keys, place)
        try remove(&ref, place + 1)
        try set(&ref, 0, keys.element)
    }

    func setIndexElement(_ ref: inout Ref, at place: Int, _ element: Int64) throws {
        if try IndexNode(space, ref).element(place) != element { try set(&ref, place + 1, element) }
    }

    /// Stores a child that may have moved, and its largest key.
    func setIndexChild(_ ref: inout Ref, at place: Int, _ child: Ref) throws {
        let node = try IndexNode(space, ref)
        let largest = try IndexNode(space, child).lastKey
        if node.key(place) != largest {
            var keys = node.keysRef
            try set(&keys, place, Int64(largest))
            try set(&ref, 0, keys.element)
        }
        try setIndexElement(&ref, at: place, child.element)
    }

    /// Frees one node and its keys, but nothing below it.
    func freeIndexNode(_ ref: Ref) throws {
        try free(Ref(element: try space.integers(ref).element(0)))
        try free(ref)
    }
}
