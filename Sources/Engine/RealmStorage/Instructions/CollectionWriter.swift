// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The common part of the writers of lists, sets, and dictionaries: stores the new root of a tree, and updates the
/// links of elements (content 12).
protocol CollectionWriter: TransactionWriter {}

extension CollectionWriter {
    /// Returns nil unless the set or dictionary is the collection that was changed last.
    @inline(__always)
    func fenceIndex(of place: ResolvedCollection) -> FenceKeyIndex? {
        guard unsafe transaction.changedCollection === place, place.stamp == transaction.clock.rows, !place.isList
        else {
            return nil
        }
        return unsafe place.fenceIndex ?? makeFenceIndex(of: place)
    }

    @inline(never) private func makeFenceIndex(of place: ResolvedCollection) -> FenceKeyIndex {
        let fenceIndex = FenceKeyIndex()
        unsafe place.fenceIndex = fenceIndex
        return fenceIndex
    }

    /// Doesn't retain the fence keys, because the collection does: reference counting would take a noticeable part of
    /// the time of the search.
    @inline(__always)
    func unretainedFenceIndex(of place: ResolvedCollection) -> Unmanaged<FenceKeyIndex>? {
        guard let fenceIndex = fenceIndex(of: place) else { return nil }
        return unsafe .passUnretained(fenceIndex)
    }

    /// Calls `body` with the root of a collection, which is 0 if the collection was never written.
    ///
    /// `body` must not change anything else in the table: backlinks and indexes are updated after the tree.
    ///
    /// The root of the collection that was changed last is dirty and seldom moves, so it's used without a search.
    @inline(__always)
    func change<Result>(_ place: ResolvedCollection, _ body: (inout Ref) throws -> Result) throws -> Result {
        unsafe place.open = nil
        unsafe place.fenceIndex?.forget()
        return try changeRoot(of: place, by: nil, body)
    }

    func changeToEmptyTree(_ place: ResolvedCollection) throws {
        try change(place) { root in
            try store.freeTree(root)
            root = try BPlusTreeEditor(store, place.elementKind).create()
        }
    }

    @inline(__always)
    func changeFenced(
        _ place: ResolvedCollection, _ fenceIndex: FenceKeyIndex, by delta: Int, _ body: (inout Ref) throws -> Void
    ) throws {
        fenceIndex.elementsChanged()
        try changeRoot(of: place, by: delta, body)
    }

    /// `delta` is the change of the number of elements. In the list that was changed last, `body` can reuse the leaf
    /// opened by the previous change.
    @inline(__always)
    func changeElements(
        _ place: ResolvedCollection, by delta: Int, _ body: (inout Ref, inout EditCursor?) throws -> Void
    ) throws {
        try changeRoot(of: place, by: delta) { unsafe try body(&$0, &place.open) }
    }

    @inline(__always)
    private func changeRoot<Result>(
        of place: ResolvedCollection, by delta: Int?, _ body: (inout Ref) throws -> Result
    ) throws -> Result {
        let isLast = unsafe transaction.changedCollection === place && place.stamp == transaction.clock.rows
        if isLast { place.stamp = .never }
        let before = isLast ? place.root : try findRoot(of: place)
        var root = before
        let result = try body(&root)
        if isLast {
            try changedInPlace(place, to: root, by: delta)
        } else {
            try changedFound(place, from: before, to: root, by: delta)
        }
        return result
    }

    private func changedInPlace(_ place: ResolvedCollection, to root: Ref, by delta: Int?) throws {
        if root == place.root {
            changed(place.table, in: .columnLeaf)
        } else {
            try transaction.changeColumn(place.columnKey.leafIndex, of: place.object, in: place.table) { leaf, row in
                try ColumnLeafEditor(store, .collection).setRaw(&leaf, at: row, root.element)
            }
        }
        try place.changed(to: root, by: delta)
        place.stamp = transaction.clock.rows
    }

    /// `place` isn't the collection that was changed last.
    private func findRoot(of place: ResolvedCollection) throws -> Ref {
        unsafe transaction.changedCollection = nil
        unsafe place.open = nil
        unsafe place.fenceIndex = nil
        let column = place.column
        let (cluster, row) =
            try transaction.dirtyPlace(of: place.object, in: place.table)
            ?? ClusterTreeEditor(store).place(place.table.clusterRoot, place.object)
        let leaf = try store.node(cluster).child(column.leafIndex + 1)
        if place.isNested { return try findNested(place, ColumnLeaf(space, leaf, column.leafKind).value(at: row)) }
        let element = try ColumnLeaf(space, leaf, .collection).ref(at: row)
        guard element & 1 == 0 else { throw StorageError.corrupt("a collection that isn't a reference", at: leaf) }
        return Ref(element: element)
    }

    private func findNested(_ place: ResolvedCollection, _ value: StoredValue) throws -> Ref {
        // A column's own collection reads as a list, whatever its kind.
        var (root, isDictionary) = try nestedRoot(value)
        if place.columnKey.isCollection { isDictionary = place.columnKey.isDictionary }
        for position in place.positions {
            let elements = isDictionary ? try DictionaryEditor(store).values(root) : root
            (root, isDictionary) = try nestedRoot(try BPlusTree(space, elements, .mixed).value(at: position))
        }
        return root
    }

    private func changedFound(_ place: ResolvedCollection, from before: Ref, to root: Ref, by delta: Int?) throws {
        let column = place.column
        try transaction.changeColumn(column.leafIndex, of: place.object, in: place.table) { leaf, row in
            guard root != before else { return }
            let stored = place.isNested ? try storeNested(root, of: place, in: leaf, row) : root
            try ColumnLeafEditor(store, place.isNested ? column.leafKind : .collection).setRaw(
                &leaf, at: row, stored.element)
        }
        if place.isNested { return }
        try place.changed(to: root, by: delta)
        place.stamp = transaction.clock.rows
        unsafe transaction.changedCollection = place
    }

    /// Returns the new root of the outermost collection.
    private func storeNested(_ new: Ref, of place: ResolvedCollection, in leaf: Ref, _ row: Int) throws -> Ref {
        // The ref in the innermost element may have been freed.
        if place.positions.isEmpty { return new }
        var (root, isDictionary) = try nestedRoot(ColumnLeaf(space, leaf, place.column.leafKind).value(at: row))
        if place.columnKey.isCollection { isDictionary = place.columnKey.isDictionary }
        try storeNested(new, in: &root, isDictionary, place.positions[...])
        return root
    }

    private func storeNested(
        _ new: Ref, in root: inout Ref, _ isDictionary: Bool, _ positions: ArraySlice<Int>
    ) throws {
        guard isDictionary else { return try storeElement(new, in: &root, positions) }
        try DictionaryEditor(store).changeValues(&root) { try storeElement(new, in: &$0, positions) }
    }

    private func storeElement(
        _ new: Ref, in elements: inout Ref, _ positions: ArraySlice<Int>
    ) throws {
        let position = positions[positions.startIndex]
        var root = new
        if positions.count > 1 {
            let isDictionary: Bool
            (root, isDictionary) = try nestedRoot(BPlusTree(space, elements, .mixed).value(at: position))
            try storeNested(new, in: &root, isDictionary, positions.dropFirst())
        }
        try BPlusTreeEditor(store, .mixed).modifyLeaf(&elements, holding: position) { leaves, leaf, row in
            try leaves.setRaw(&leaf, at: row, root.element)
        }
    }

    private func nestedRoot(_ value: StoredValue) throws -> (root: Ref, isDictionary: Bool) {
        switch value {
        case .list(let root, _): return (root, false)
        case .dictionary(let root, _): return (root, true)
        default: throw StorageError.absent("the collection doesn't exist (any more)")
        }
    }
}
