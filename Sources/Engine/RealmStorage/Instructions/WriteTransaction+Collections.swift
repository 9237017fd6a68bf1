// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The common part of the instructions on lists, sets and dictionaries: finding the tree, storing its new root, and the
/// links of elements (content 12).
extension WriteTransaction {
    // MARK: Trees

    /// Returns the collection that a path names; the one changed last is returned without a search.
    func place(_ path: CollectionPath) throws -> ResolvedCollection {
        try lastChanged(path) ?? resolve(path)
    }

    /// Moves a cursor of the list that a path names to the list's current state. Returns false, without effect, if
    /// `cursor` is nil, if the list isn't the collection changed last, or if it hides elements.
    package func followList(_ path: CollectionPath, _ cursor: inout BPlusTreeCursor?) -> Bool {
        guard let place = lastChanged(path), followedCount(place) != nil else { return false }
        return cursor?.move(to: BPlusTree(space, place.root, place.elementKind, count: place.count)) != nil
    }

    /// Returns the length of the list that a path names, if `followList` would succeed.
    package func countOfList(_ path: CollectionPath) -> Int? { lastChanged(path).flatMap(followedCount) }

    /// Returns the length of a resolved list, if `followList` would succeed.
    @inline(__always)
    func followedCount(_ place: ResolvedCollection) -> Int? {
        guard unsafe changedCollection === place, place.stamp == clock.rows, place.isList,
            !hidesElements(place)
        else { return nil }
        return place.count
    }

    /// Whether the list that was changed last hides elements. Its root was read then and is dirty, so unlike
    /// `BPlusTree.hidesElements` this doesn't throw.
    @inline(__always)
    private func hidesElements(_ place: ResolvedCollection) -> Bool {
        guard case .key = place.elementKind, place.root != 0 else { return false }
        return !space.isDirty(place.root) || space.header(place.root).hasContext
    }

    /// Calls `body` to change the elements of the collection that a path names, and nothing else except for the
    /// consequences.
    ///
    /// Reference counting would take as long as a small change. If no consequence can release the collection that was
    /// changed last (`isKept`), it's passed without retaining it.
    @inline(__always)
    func withPlace<Result>(_ path: CollectionPath, _ body: (ResolvedCollection) throws -> Result) throws -> Result {
        guard let place = unsafe keptChangedLast(path) else { return try body(place(path)) }
        return unsafe try place._withUnsafeGuaranteedRef(body)
    }

    @inline(__always) private func keptChangedLast(_ path: CollectionPath) -> Unmanaged<ResolvedCollection>? {
        guard let last = unsafe changedCollection, last.stamp == clock.rows, unsafe last.isKept,
            last.isNamed(by: path)
        else { return nil }
        verify(last)
        return unsafe .passUnretained(last)
    }

    @inline(__always) private func lastChanged(_ path: CollectionPath) -> ResolvedCollection? {
        guard let last = unsafe changedCollection, last.stamp == clock.rows, last.isNamed(by: path) else {
            return nil
        }
        verify(last)
        return last
    }

    /// Returns the fence keys of the set or dictionary that was changed last; nil for any other collection.
    @inline(__always)
    func fenceIndex(of place: ResolvedCollection) -> FenceKeyIndex? {
        guard unsafe changedCollection === place, place.stamp == clock.rows, !place.isList else {
            return nil
        }
        return unsafe place.fenceIndex ?? makeGuide(of: place)
    }

    @inline(never) private func makeGuide(of place: ResolvedCollection) -> FenceKeyIndex {
        let fenceIndex = FenceKeyIndex()
        unsafe place.fenceIndex = fenceIndex
        return fenceIndex
    }

    /// Returns the fence keys without retaining them, because the collection does: reference counting would take as
    /// long as a part of the search.
    @inline(__always)
    func unretainedGuide(of place: ResolvedCollection) -> Unmanaged<FenceKeyIndex>? {
        guard let fenceIndex = fenceIndex(of: place) else { return nil }
        return unsafe .passUnretained(fenceIndex)
    }

    /// Returns the set that a path names and its fence keys, if it's the collection that was changed last; nil
    /// otherwise.
    package func setChangedLast(_ path: CollectionPath) throws -> (set: SetTree, fenceIndex: FenceKeyIndex?)? {
        guard let place = lastChanged(path), !place.isDictionary, !place.isList else { return nil }
        return (try SetTree(space, place.root, elementsOf: place.columnKey), fenceIndex(of: place))
    }

    /// Returns the dictionary that a path names and the fence keys of its keys, if it's the collection that was changed
    /// last; nil otherwise.
    package func dictionaryChangedLast(
        _ path: CollectionPath
    ) throws -> (dictionary: DictionaryTree, fenceIndex: FenceKeyIndex?)? {
        guard let place = lastChanged(path), place.isDictionary else { return nil }
        return (try DictionaryTree(space, place.root, keyType: place.keyType ?? .string), fenceIndex(of: place))
    }

    /// Calls `body` to change the root of a collection; 0 means one that was never written to.
    ///
    /// Nothing else may change the table meanwhile: backlinks and indexes are updated after the tree.
    ///
    /// The collection of a column that was changed last has a dirty root, which seldom moves, so it's still at its ref.
    @inline(__always)
    func change<Result>(_ place: ResolvedCollection, _ body: (inout Ref) throws -> Result) throws -> Result {
        unsafe place.open = nil
        unsafe place.fenceIndex?.forget()
        return try changeRoot(of: place, by: nil, body)
    }

    /// Calls `body` to change the root of the set or dictionary that was changed last, and updates its fence keys.
    /// `delta` is the change of the number of elements.
    @inline(__always)
    func changeGuided(
        _ place: ResolvedCollection, _ fenceIndex: FenceKeyIndex, by delta: Int, _ body: (inout Ref) throws -> Void
    ) throws {
        fenceIndex.elementsChanged()
        try changeRoot(of: place, by: delta, body)
    }

    /// Calls `body` to change the root of a list. `delta` is the change of the number of elements. In the list that was
    /// changed last, the change is made in the leaf opened by the previous change.
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
        let isLast = unsafe changedCollection === place && place.stamp == clock.rows
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

    /// Records another change of the collection that was changed last.
    private func changedInPlace(_ place: ResolvedCollection, to root: Ref, by delta: Int?) throws {
        if root == place.root {
            changed(place.table, in: .columnLeaf)
        } else {
            try changeColumn(place.columnKey.leafIndex, of: place.object, in: place.table) { leaf, row in
                try ColumnLeafEditor(store, .collection).setRaw(&leaf, at: row, root.element)
            }
        }
        try place.changed(to: root, by: delta)
        place.stamp = clock.rows
    }

    /// Finds the root of a collection that isn't the one changed last.
    private func findRoot(of place: ResolvedCollection) throws -> Ref {
        unsafe changedCollection = nil
        unsafe place.open = nil
        unsafe place.fenceIndex = nil
        let column = place.column
        let (cluster, row) =
            try dirtyPlace(of: place.object, in: place.table)
            ?? ClusterTreeEditor(store).place(place.table.clusterRoot, place.object)
        let leaf = try store.node(cluster).child(column.leafIndex + 1)
        if place.isNested { return try findNested(place, ColumnLeaf(space, leaf, column.leafKind).value(at: row)) }
        let element = try ColumnLeaf(space, leaf, .collection).ref(at: row)
        guard element & 1 == 0 else { throw StorageError.corrupt("a collection that is no reference", at: leaf) }
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

    /// Records a change of a collection found by a search.
    private func changedFound(_ place: ResolvedCollection, from before: Ref, to root: Ref, by delta: Int?) throws {
        let column = place.column
        try changeColumn(column.leafIndex, of: place.object, in: place.table) { leaf, row in
            guard root != before else { return }
            let stored = place.isNested ? try storeNested(root, of: place, in: leaf, row) : root
            try ColumnLeafEditor(store, place.isNested ? column.leafKind : .collection).setRaw(
                &leaf, at: row, stored.element)
        }
        if place.isNested { return }
        try place.changed(to: root, by: delta)
        place.stamp = clock.rows
        unsafe changedCollection = place
    }

    /// Stores the new root of a nested collection in its parent; returns the new root of the outermost one.
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
        default: throw StorageError.absent("there is no collection here (any more)")
        }
    }

    // MARK: Elements

    /// Throws unless the collection can hold `value`, which must not be a collection.
    func validateElement(_ value: StoredValue, for column: Column, in table: Table) throws {
        try validate(value, for: column)
        try validateTypedLink(value, from: table)
        guard case .link(let key) = value else { return }
        try validateTarget(key, in: try require(table.oppositeTables[column.leafIndex]))
    }

    /// Throws unless the collection can hold all of `values`. The targets of adjacent links are often adjacent too.
    func validateElements(_ values: [StoredValue], for column: Column, in table: Table) throws {
        guard column.type == .link else {
            return try values.forEach { try validateElement($0, for: column, in: table) }
        }
        let target = try require(table.oppositeTables[column.leafIndex])
        var leaf: ClusterLeaf?
        for value in values {
            try validate(value, for: column)
            guard case .link(let key) = value, leaf?.row(of: key) == nil else { continue }
            try validateTarget(key, in: target)
            leaf = key.isUnresolved ? nil : try target.clusters.leaf(for: UInt64(bitPattern: key.rawValue))
        }
    }

    private func validateTarget(_ key: ObjectKey, in target: Table) throws {
        guard !target.isEmbedded, try dirtyPlace(of: key, in: target) != nil || target.holds(key) else {
            throw StorageError.absent("\(key) of '\(target.name)' cannot be put into a collection")
        }
    }

    func linkGained(_ value: StoredValue, _ place: ResolvedCollection) throws {
        try linksGained(CollectionOfOne(value), place)
    }

    func linksGained(_ values: some Collection<StoredValue>, _ place: ResolvedCollection) throws {
        guard place.holdsLinks else { return }
        if let ends = try linkEnds(of: place) {
            for case .link(let key) in values { try addBacklink(to: key, ends, from: place.object) }
            return
        }
        let (table, column) = (place.table, place.column)
        for value in values {
            let link: ObjectLink
            switch value {
            case .link(let key): link = ObjectLink(table: table.oppositeTables[column.leafIndex], object: key)
            case .typedLink(let typed): link = typed
            default: continue
            }
            try addBacklink(to: link.object, in: try require(link.table), from: place.object, column, of: table)
        }
    }

    /// Removes the backlink of a removed element of a column of links, and its embedded target.
    func linkLost(_ key: ObjectKey, _ place: ResolvedCollection) throws {
        if let (target, back) = unsafe unretainedEnds(of: place),
            unsafe target._withUnsafeGuaranteedRef({ removeOnlyBacklink(to: key, in: $0, back, from: place.object) })
        {
            return
        }
        guard let ends = try linkEnds(of: place), try removeBacklink(to: key, ends, from: place.object) else { return }
        try removeObject(key, from: ends.target.key)
    }

    func linksLost(_ links: [ObjectLink], _ place: ResolvedCollection) throws {
        guard case .mixed = place.elementKind else { return try links.forEach { try linkLost($0.object, place) } }
        for link in links where try removeBacklink(to: link, from: place.object, place.column, of: place.table) {
            try removeObject(link.object, from: link.table)
        }
    }

    /// Returns the target table and the backlink column of a collection's links; nil if the links contain their table's
    /// key, or if the backlink column doesn't exist yet.
    private func linkEnds(of place: ResolvedCollection) throws -> LinkEnds? {
        if let ends = unsafe place.ends { return ends }
        guard case .key = place.elementKind,
            let target = try table(place.table.oppositeTables[place.columnKey.leafIndex]),
            let back = target.backlinkColumn(origin: place.tableKey, place.columnKey)
        else { return nil }
        let ends = LinkEnds(target: target, back: back.key)
        place.found(ends)
        return ends
    }

    /// Returns the target table and the backlink column if they are cached, without retaining the table, because the
    /// collection does: reference counting would take as long as a part of a small change.
    @inline(__always)
    private func unretainedEnds(of place: ResolvedCollection) -> (target: Unmanaged<Table>, back: ColumnKey)? {
        guard let ends = unsafe place.ends else { return nil }
        return unsafe (.passUnretained(ends.target), ends.back)
    }

    /// Returns the links in an element, including those in a nested collection.
    func links(of element: StoredValue, _ place: ResolvedCollection) throws -> [ObjectLink] {
        switch element {
        case .link, .typedLink, .list, .dictionary: break
        default: return []
        }
        var collector = LinkCollector(space, target: place.table.oppositeTables[place.column.leafIndex])
        try collector.add(element, level: place.innerLevel - 1)
        return collector.links
    }

    /// Returns all links in a collection, at any depth.
    func links(of place: ResolvedCollection) throws -> [ObjectLink] {
        guard place.holdsLinks, let elements = try place.collection.elements else { return [] }
        var collector = LinkCollector(space, target: place.table.oppositeTables[place.column.leafIndex])
        try collector.add(elements, level: place.innerLevel - 1)
        return collector.links
    }

    /// Updates the flag in the root of a list or set of links that indicates whether it contains an unresolved key
    /// (content 7.4). Call this for an inserted or removed element: the first unresolved one sets the flag, and
    /// removing the last one clears it.
    func updateContext(_ root: inout Ref, _ kind: LeafKind, after element: StoredValue) throws {
        guard case .link(let key) = element, key.isUnresolved, kind == .key else { return }
        try store.setContext(&root, try BPlusTree(space, root, kind).keys().contains(where: \.isUnresolved))
    }
}
