// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A leaf of a B+tree for successive insertions and erasures, with its path from the root.
///
/// The leaf and all branches above it are dirty, and the branches' slots are wide enough for any ref. Therefore
/// branches keep their locations, and only their counts change. That holds until the tree is changed in another way.
/// After `BPlusTreeEditor` has split, merged, or removed nodes (container 4.4, 4.5), a leaf is opened again.
package struct EditCursor {
    private let kind: LeafKind
    private var ref: Ref
    private let start: Int
    private var count: Int
    /// Whether an element may be inserted after the last one: the leaf is the last of the tree, or a search ended in
    /// it.
    private let takesEnd: Bool
    /// Whether a branch has compact form, which allows only appends.
    private let isCompact: Bool
    /// The branch above the leaf, and the root above that. Leaves of deeper trees are never opened.
    private let parent: TreeStep?
    private let grandparent: TreeStep?

    /// Nil if a node on the path isn't dirty or must be converted to general form, or if the tree is too deep.
    ///
    /// If `hint` is a position in a tree whose leaves mostly have the same lengths, the search begins there, and
    /// accepts an element after the last one of the leaf.
    init?(_ tree: borrowing BPlusTreeEditor, _ root: Ref, at index: Int, near hint: LeafPosition? = nil) throws {
        let (space, kind) = (tree.space, tree.kind)
        guard space.isDirty(root) else { return nil }
        var node = try space.node(root)
        let total = try BPlusTree.count(space, node, kind)
        guard index >= 0, index <= total else { return nil }
        var (ref, start, isCompact) = (root, 0, false)
        var (parent, grandparent): (TreeStep?, TreeStep?)
        var likely = hint?.grandparent?.child ?? hint?.parent?.child
        while node.header.isInner {
            guard grandparent == nil, node.width == 64 else { return nil }
            isCompact = isCompact || Tagged.isTagged(node[0])
            // A branch below a likely one may end where the element is inserted.
            if isCompact, index < total { return nil }
            let sought = min(index, max(total - 1, 0)) - start
            let place =
                try TreeBranch.child(likely, of: node, taking: index - start, in: space)
                ?? TreeBranch.child(of: node, holding: sought, in: space)
            (grandparent, parent) = (parent, TreeStep(branch: node, child: place.child))
            likely = hint?.parent?.child
            ref = try node.child(place.child + 1)
            start += place.offset
            guard space.isDirty(ref) else { return nil }
            node = try space.node(ref)
        }
        if isCompact, try !tree.isRegularlyCompact(root) { return nil }
        count = try ColumnLeaf(space, node, kind).count
        takesEnd = hint != nil || start + count == total
        (self.kind, self.ref, self.start) = (kind, ref, start)
        (self.parent, self.grandparent) = (parent, grandparent)
        self.isCompact = isCompact
    }

    /// Nil unless the leaf and all branches above it are dirty, with slots wide enough for any ref.
    init?(_ tree: borrowing BPlusTreeEditor, _ root: Ref, _ place: LeafPosition) throws {
        let (space, parent, grandparent) = (tree.space, place.parent, place.grandparent)
        guard space.isDirty(place.leaf.ref), parent.map({ $0.branch.isOpen(in: space) }) ?? true,
            grandparent.map({ $0.branch.isOpen(in: space) }) ?? true
        else { return nil }
        isCompact =
            parent.map { Tagged.isTagged($0.branch[0]) } ?? false
            || grandparent.map { Tagged.isTagged($0.branch[0]) } ?? false
        if isCompact {
            let isLast = (parent?.isLast ?? true) && (grandparent?.isLast ?? true)
            guard try isLast && place.row == place.count && tree.isRegularlyCompact(root) else { return nil }
        }
        (kind, ref, start, count) = (tree.kind, place.leaf.ref, place.start, place.count)
        (self.parent, self.grandparent) = (parent, grandparent)
        takesEnd = true
    }

    @inline(__always)
    func verify(in root: Ref, _ space: NodeSpace) {
        #if DEBUG
            BPlusTree.verify(ref, holds: start..<start + count, root, kind, in: space)
        #endif
    }

    /// Nil if the element is in another leaf.
    @inline(__always)
    func value(at index: Int, in space: NodeSpace) throws -> StoredValue? {
        guard index >= start, index < start + count else { return nil }
        return try ColumnLeaf(space, ref, kind).value(at: index - start)
    }

    /// Nil if the element is in another leaf, or the leaf's elements aren't packed.
    @inline(__always)
    func number(at index: Int, in space: NodeSpace) -> Int64? {
        guard index >= start, index < start + count, let leaf = space.plainOrNil(ref), index - start < leaf.count else {
            return nil
        }
        return leaf[index - start]
    }

    private func room(at index: Int, in store: NodeStore) -> Int {
        guard index >= start, index < start + count || takesEnd && index == start + count,
            !isCompact || index == start + count
        else { return 0 }
        return max(store.treeCapacity - count, 0)
    }

    /// Inserts before element `index` of the tree. Returns `false`, without a change, if other leaves must change.
    mutating func insert(_ value: StoredValue, at index: Int, _ root: inout Ref, in store: NodeStore) throws -> Bool {
        guard room(at: index, in: store) > 0 else { return false }
        var leaf = ref
        if !ColumnLeafEditor(store, kind).insertInPlace(leaf, at: index - start, value) {
            try ColumnLeafEditor(store, kind).insert(&leaf, at: index - start, value)
        }
        try updateBranches(leaf, by: 1, &root, in: store)
        return true
    }

    mutating func insert(
        _ values: ArraySlice<StoredValue>, at index: Int, _ root: inout Ref, in store: NodeStore
    ) throws -> Int {
        let values = values.prefix(room(at: index, in: store))
        guard !values.isEmpty else { return 0 }
        var leaf = ref
        try ColumnLeafEditor(store, kind).insert(&leaf, at: index - start, contentsOf: values)
        try updateBranches(leaf, by: values.count, &root, in: store)
        return values.count
    }

    /// Returns `false`, without a change, if the leaf or the branch above would be merged or removed.
    mutating func erase(at index: Int, _ root: inout Ref, in store: NodeStore) throws -> Bool {
        // A leaf is merged with the one after it in the same branch.
        let fewest = parent.map { $0.isLast ? 1 : max(store.treeCapacity / 2, 1) } ?? 0
        guard index >= start, index < start + count, count <= store.treeCapacity, count > fewest, !isCompact,
            try !isParentMerged(in: store)
        else { return false }
        var leaf = ref
        if !ColumnLeafEditor(store, kind).eraseInPlace(leaf, at: index - start) {
            try ColumnLeafEditor(store, kind).erase(&leaf, at: index - start)
        }
        try updateBranches(leaf, by: -1, &root, in: store)
        return true
    }

    /// Whether any erasure below merges the parent with its right sibling, because both have few children.
    private func isParentMerged(in store: NodeStore) throws -> Bool {
        guard let parent, let grandparent, !grandparent.isLast else { return false }
        let size = parent.branch.count - 2
        guard size < store.treeCapacity / 2 else { return false }
        let sibling = try store.node(grandparent.branch.child(grandparent.child + 2))
        return size + sibling.count - 2 < store.treeCapacity * 3 / 4
    }

    private mutating func updateBranches(_ leaf: Ref, by delta: Int, _ root: inout Ref, in store: NodeStore) throws {
        count += delta
        guard let parent else {
            (ref, root) = (leaf, leaf)
            return
        }
        if leaf != ref {
            var branch = parent.branch.ref
            try store.set(&branch, parent.child + 1, leaf.element)
            ref = leaf
        }
        try add(delta, parent, in: store)
        if let grandparent { try add(delta, grandparent, in: store) }
    }

    private func add(_ delta: Int, _ step: TreeStep, in store: NodeStore) throws {
        if step.isLast || addInPlace(delta, toOffsetsFrom: step.child, of: step.branch, in: store) {
            return store.add(delta, toTagged: step.branch.count - 1, of: step.branch)
        }
        var branch = step.branch.ref
        try BPlusTreeEditor(store, kind).addToBranch(&branch, child: step.child, by: delta)
        precondition(branch == step.branch.ref, "a dirty branch of wide slots stays where it is")
    }

    /// Returns `false`, without a change, if the node of the offsets must be replaced.
    private func addInPlace(
        _ delta: Int, toOffsetsFrom child: Int, of branch: Node, in store: NodeStore
    ) -> Bool {
        let first = branch[0]
        guard !Tagged.isTagged(first), let offsets = store.space.nodeOrNil(Ref(element: first)), offsets.isPlain,
            child < offsets.count
        else { return false }
        return store.adjustUnsignedInPlace(offsets, from: child, by: Int64(delta))
    }
}

extension Node {
    /// Whether the branch keeps its location when elements below it are inserted or erased, and when children move.
    fileprivate func isOpen(in space: NodeSpace) -> Bool { space.isDirty(ref) && width == 64 }
}
