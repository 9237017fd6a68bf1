// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A cell of a backlink column (content 6.16): empty, one object key inline, or a tree of keys.
enum Backlinks {
    static func count(_ cell: Int64, in space: NodeSpace) throws -> Int {
        if cell == 0 { return 0 }
        if Tagged.isTagged(cell) { return 1 }
        return try BPlusTree.count(space, Ref(element: cell), .key)
    }

    static func keys(_ cell: Int64, in space: NodeSpace) throws -> [ObjectKey] {
        var keys: [ObjectKey] = []
        try append(cell, in: space, to: &keys)
        return keys
    }

    static func append(_ cell: Int64, in space: NodeSpace, to keys: inout [ObjectKey]) throws {
        if cell == 0 { return }
        if Tagged.isTagged(cell) { return keys.append(inlineKey(cell)) }
        // Usually a single leaf, which needs no search.
        guard let leaf = space.nodeOrNil(Ref(element: cell)), leaf.isPlain, leaf.width > 0 else {
            return keys.append(contentsOf: try BPlusTree(space, Ref(element: cell), .key).keys())
        }
        keys.reserveCapacity(keys.count + leaf.count)
        leaf.forEachPacked(from: 0, count: leaf.count) { keys.append(ObjectKey($0)) }
    }

    private static func inlineKey(_ cell: Int64) -> ObjectKey {
        ObjectKey(Int64(bitPattern: Tagged.decode(cell)))
    }

    static func isOnly(_ origin: ObjectKey, in cell: Int64) -> Bool {
        Tagged.isTagged(cell) && inlineKey(cell) == origin
    }

    static func add(_ origin: ObjectKey, to cell: inout Int64, in store: NodeStore) throws {
        if cell == 0 {
            cell = Tagged.encode(UInt64(bitPattern: origin.rawValue))
        } else if Tagged.isTagged(cell) {
            var root = try BPlusTreeEditor(store, .key).create()
            try BPlusTreeEditor(store, .key).insert(&root, at: 0, .link(inlineKey(cell)))
            try BPlusTreeEditor(store, .key).insert(&root, at: 1, .link(origin))
            cell = root.element
        } else {
            var root = Ref(element: cell)
            try BPlusTreeEditor(store, .key).insert(
                &root, at: try BPlusTree.count(store.space, root, .key), .link(origin))
            cell = root.element
        }
    }

    /// Removes one link from `origin`. A single remaining entry is stored inline again (content 12.1).
    static func remove(_ origin: ObjectKey, from cell: inout Int64, in store: NodeStore) throws {
        if isOnly(origin, in: cell) {
            cell = 0
            return
        }
        guard cell != 0, !Tagged.isTagged(cell) else { throw missing(origin) }
        var root = Ref(element: cell)
        guard let index = try position(of: origin, in: BPlusTree(store.space, root, .key)) else {
            throw missing(origin)
        }
        try BPlusTreeEditor(store, .key).erase(&root, at: index)
        try storeRoot(root, in: &cell, store)
    }

    /// Removes a link for each of `origins` in one pass, for many removed objects that link to the same target.
    static func remove(_ origins: [ObjectKey], from cell: inout Int64, in store: NodeStore) throws {
        guard cell != 0, !Tagged.isTagged(cell) else {
            return try origins.forEach { try remove($0, from: &cell, in: store) }
        }
        var root = Ref(element: cell)
        var removed = RemovedOrigins(origins)
        var indexes: [Int] = []
        for (index, key) in try keys(cell, in: store.space).enumerated() where removed.match(key) {
            indexes.append(index)
        }
        if let origin = removed.unmatched { throw missing(origin) }
        if try BPlusTree.count(store.space, root, .key) == indexes.count {
            try store.freeTree(root)
            cell = 0
            return
        }
        var open: EditCursor?
        for index in indexes.reversed() { try BPlusTreeEditor(store, .key).erase(&root, at: index, in: &open) }
        try storeRoot(root, in: &cell, store)
    }

    /// Stores a tree from which entries were removed: a single key inline, and an empty tree as 0.
    private static func storeRoot(_ root: Ref, in cell: inout Int64, _ store: NodeStore) throws {
        let tree = try BPlusTree(store.space, root, .key)
        if tree.count > 1 {
            cell = root.element
        } else {
            cell = tree.count == 0 ? 0 : Tagged.encode(UInt64(bitPattern: try tree.keys()[0].rawValue))
            try store.freeTree(root)
        }
    }

    private static func position(of origin: ObjectKey, in tree: BPlusTree) throws -> Int? {
        var found: Int?
        try tree.forEachLeaf { leaf in
            for row in 0..<leaf.leaf.count where try leaf.leaf.ref(at: row) == origin.rawValue {
                found = leaf.start + row
                return false
            }
            return true
        }
        return found
    }

    @inline(never) private static func missing(_ origin: ObjectKey) -> any Error {
        StorageError(.invalidDatabase, "a link from \(origin) has no backlink; the file is damaged")
    }
}

extension NodeSpace {
    /// Appends the origins of the links in `row` of a column leaf of backlinks. Returns false, without effect, if the
    /// node can't be such a leaf.
    package func appendBacklinks(_ leaf: Node, _ row: Int, to keys: inout [ObjectKey]) throws -> Bool {
        guard leaf.isPackedRefs, row < leaf.count else { return false }
        try Backlinks.append(leaf[row], in: self, to: &keys)
        return true
    }
}
