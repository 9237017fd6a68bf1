// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A sequence of values that may be longer than one node: list contents, backlinks, dictionary keys and values, the
/// history (container 4). Read-only; see `BPlusTreeEditor` for changes.
package struct BPlusTree {
    package let space: NodeSpace
    package let root: Ref
    package let kind: LeafKind
    package let count: Int

    /// No file of legal size has deeper trees than this.
    static let maximumDepth = 24

    /// A root of 0 is an empty tree.
    package init(_ space: NodeSpace, _ root: Ref, _ kind: LeafKind) throws {
        self.space = space
        self.root = root
        self.kind = kind
        count = try BPlusTree.count(space, root, kind)
    }

    init(_ space: NodeSpace, _ root: Ref, _ kind: LeafKind, count: Int) {
        self.space = space
        self.root = root
        self.kind = kind
        self.count = count
    }

    static func count(_ space: NodeSpace, _ ref: Ref, _ kind: LeafKind) throws -> Int {
        ref == 0 ? 0 : try count(space, space.node(ref), kind)
    }

    /// Reads only this node (container 4.3).
    static func count(_ space: NodeSpace, _ node: Node, _ kind: LeafKind) throws -> Int {
        guard node.header.isInner else { return try leaf(space, node, kind).count }
        let total = try node.tagged(node.count - 1)
        guard total <= Int.max >> 8 else { throw StorageError.corrupt("an impossible list length", at: node.ref) }
        return Int(total)
    }

    /// A leaf of at most the format's number of elements (container 2.8): elements of width 0 cost no bytes, so the
    /// file's size does not bound them. Only old lists of backlinks are longer (container 10.4).
    static func leaf(_ space: NodeSpace, _ node: Node, _ kind: LeafKind) throws -> ColumnLeaf {
        let leaf = try ColumnLeaf(space, node, kind)
        guard leaf.count <= FileFormat.treeNodeCapacity || kind == .key && leaf.node.width > 0 else {
            throw StorageError.corrupt("a list leaf of impossible length", at: node.ref)
        }
        return leaf
    }

    package struct Leaf {
        package let leaf: ColumnLeaf
        package let start: Int
        package var range: Range<Int> { start..<start + leaf.count }
    }

    /// The leaf that holds element `index`, which must be within `0..<count`.
    package func leaf(holding index: Int) throws -> Leaf {
        var ref = root
        var start = 0
        for _ in 0..<BPlusTree.maximumDepth {
            let node = try space.node(ref)
            guard node.header.isInner else {
                let leaf = try BPlusTree.leaf(space, node, kind)
                guard index - start < leaf.count else {
                    throw StorageError.corrupt("a list leaf is too short", at: ref)
                }
                return Leaf(leaf: leaf, start: start)
            }
            let (child, offset) = try TreeBranch.child(of: node, holding: index - start, in: space)
            ref = try node.child(child + 1)
            start += offset
        }
        throw StorageError.corrupt("list nodes nested without end", at: ref)
    }

    /// The leaf of element `index`, in a tree whose leaves mostly have the same lengths as those of the tree of
    /// `place`. The search starts at that position.
    func leaf(holding index: Int, near place: LeafPosition) throws -> Leaf {
        var (node, start) = (try space.node(root), 0)
        for case let step? in [place.grandparent, place.parent] {
            guard node.header.isInner,
                let (child, offset) = TreeBranch.child(step.child, of: node, taking: index - start, in: space)
            else { return try leaf(holding: index) }
            node = try space.node(node.child(child + 1))
            start += offset
        }
        guard !node.header.isInner else { return try leaf(holding: index) }
        let leaf = try BPlusTree.leaf(space, node, kind)
        return index - start < leaf.count ? Leaf(leaf: leaf, start: start) : try self.leaf(holding: index)
    }

    func row(_ index: Int, near place: LeafPosition) throws -> (leaf: ColumnLeaf, row: Int) {
        let leaf = try leaf(holding: index, near: place)
        return (leaf.leaf, index - leaf.start)
    }

    package func value(at index: Int) throws -> StoredValue {
        guard index >= 0, index < count else { throw StorageError.absent("element \(index) of \(count)") }
        let leaf = try leaf(holding: index)
        return try leaf.leaf.value(at: index - leaf.start)
    }

    /// Whether the collection has links to objects that don't exist in this file: a flag of its root (content 7.4).
    package var hidesElements: Bool {
        get throws {
            guard case .key = kind, root != 0 else { return false }
            return try space.node(root).header.hasContext
        }
    }

    package func forEachLeaf(_ body: (Leaf) throws -> Bool) throws {
        var index = 0
        while index < count {
            let leaf = try leaf(holding: index)
            guard leaf.leaf.count > 0, try body(leaf) else { return }
            index = leaf.start + leaf.leaf.count
        }
    }

    package func values() throws -> [StoredValue] {
        var result: [StoredValue] = []
        try forEachLeaf { leaf in
            for row in 0..<leaf.leaf.count { result.append(try leaf.leaf.value(at: row)) }
            return true
        }
        return result
    }

    package func keys() throws -> [ObjectKey] {
        var result: [ObjectKey] = []
        try forEachLeaf { leaf in
            if result.isEmpty {
                result = leaf.leaf.keys()
                if result.count < count { result.reserveCapacity(min(count, 1 << 20)) }
            } else {
                result.append(contentsOf: leaf.leaf.keys())
            }
            return true
        }
        return result
    }
}

/// Sequential reads of a tree. Caches the leaf of the last read.
package struct BPlusTreeCursor {
    package private(set) var tree: BPlusTree
    private var current: BPlusTree.Leaf?
    private var range = 0..<0

    package init(_ tree: BPlusTree) { self.tree = tree }

    mutating func move(to tree: BPlusTree) {
        self.tree = tree
        range = 0..<0
    }

    package mutating func position(_ index: Int) throws -> (leaf: ColumnLeaf, row: Int) {
        if range.contains(index), let current { return (current.leaf, index - current.start) }
        guard index >= 0, index < tree.count else {
            throw StorageError.absent("element \(index) of \(tree.count)")
        }
        let leaf = try tree.leaf(holding: index)
        current = leaf
        range = leaf.range
        return (leaf.leaf, index - leaf.start)
    }
}
