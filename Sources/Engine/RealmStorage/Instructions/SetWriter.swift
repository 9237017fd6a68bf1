// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Changes the set of a column (content 7.3, 8.3, 12.6). Sets of links take `.link`, sets of Mixed `.typedLink`.
@usableFromInline
package struct SetWriter: PathWriter {
    @usableFromInline let transaction: WriteTransaction
    @usableFromInline let path: CollectionPath

    @inlinable
    init(_ transaction: WriteTransaction, _ path: CollectionPath) {
        self.transaction = transaction
        self.path = path
    }

    /// Inserts `value`, unless the set contains an equal element, which is then unchanged. Returns the index of the
    /// element.
    @discardableResult
    package func insert(_ value: StoredValue) throws -> (index: Int, inserted: Bool) {
        try withPlace { try insert(value, $0) }
    }

    private func insert(_ value: StoredValue, _ place: ResolvedCollection) throws -> (index: Int, inserted: Bool) {
        let value = value.withoutNullPattern
        try validateElement(value, for: place.column, in: place.table)
        if let fenceIndex = unsafe unretainedFenceIndex(of: place),
            let result = unsafe try fenceIndex._withUnsafeGuaranteedRef({ fenceIndex in
                try fencedPosition(value, place, fenceIndex).map {
                    try ($0.index, insert(value, at: $0, place, fenceIndex))
                }
            })
        {
            return result
        }
        try putInOrder(place)
        guard let found = try place.collection.set?.place(of: value) else { return (0, false) }
        if found.isFound { return (found.index, false) }
        try record(.collection(.insertMember(value), place))
        let kind = place.elementKind
        try change(place) { root in
            try BPlusTreeEditor(store, kind).insert(&root, at: found.index, value)
            try updateContext(&root, kind, after: value)
        }
        try linkGained(value, place)
        return (found.index, true)
    }

    /// Returns the position of an element or its insertion position; nil unless the fence keys contain it.
    private func fencedPosition(
        _ value: StoredValue, _ place: ResolvedCollection, _ fenceIndex: FenceKeyIndex
    ) throws -> LeafPosition? {
        guard place.root != 0 else { return nil }
        return try BPlusTree(space, place.root, place.elementKind, count: place.count).place(of: value, by: fenceIndex)
    }

    private func insert(
        _ value: StoredValue, at found: LeafPosition, _ place: ResolvedCollection, _ fenceIndex: FenceKeyIndex
    ) throws -> Bool {
        guard !found.isFound else { return false }
        try record(.collection(.insertMember(value), place))
        let (kind, count) = (place.elementKind, place.count)
        try changeFenced(place, fenceIndex, by: 1) { root in
            try BPlusTreeEditor(store, kind).insert(&root, value, at: found, of: count, by: fenceIndex)
            try updateContext(&root, kind, after: value)
        }
        try linkGained(value, place)
        return true
    }

    /// Returns the element's index; nil if the set doesn't contain it.
    @discardableResult
    package func erase(_ value: StoredValue) throws -> Int? {
        let place = try place()
        if let fenceIndex = fenceIndex(of: place), let found = try fencedPosition(value, place, fenceIndex) {
            return found.isFound ? try erase(found, place, fenceIndex) : nil
        }
        guard try place.collection.set?.index(of: value) != nil else { return nil }
        try putInOrder(place)
        guard let set = try place.collection.set, let index = try set.index(of: value) else { return nil }
        let old = try set.value(at: index)
        try record(.collection(.eraseMember(old), place))
        let lost = try links(of: old, place)
        let kind = place.elementKind
        try change(place) { root in
            try BPlusTreeEditor(store, kind).erase(&root, at: index)
            try updateContext(&root, kind, after: old)
        }
        try separate(index, place)
        try linksLost(lost, place)
        return index
    }

    private func erase(_ found: LeafPosition, _ place: ResolvedCollection, _ fenceIndex: FenceKeyIndex) throws -> Int {
        let (kind, count) = (place.elementKind, place.count)
        let old = try ColumnLeaf(space, found.leaf, kind).value(at: found.row)
        try record(.collection(.eraseMember(old), place))
        let lost = try links(of: old, place)
        try changeFenced(place, fenceIndex, by: -1) { root in
            try BPlusTreeEditor(store, kind).erase(&root, at: found, of: count, by: fenceIndex)
            try updateContext(&root, kind, after: old)
        }
        try linksLost(lost, place)
        return found.index
    }

    /// Restores the order of the numbers that are adjacent at `index` after the removal of the one between them.
    ///
    /// Comparing a Decimal with a Float or a Double rounds, which isn't transitive (content 13.20): two numbers that
    /// were separated by a third one may be equal, or out of order. Numbers that can't follow the one before the gap
    /// are removed and inserted again one by one: an insertion keeps neighbours in order, and of equal numbers the
    /// first one stays. Other elements that are out of order mean that the file is damaged. They must stay, because
    /// links among them have backlinks.
    private func separate(_ index: Int, _ place: ResolvedCollection) throws {
        guard place.elementKind == .mixed, index > 0 else { return }
        var misplaced: [StoredValue] = []
        while let set = try place.collection.set, index < set.count {
            let (left, right) = (try set.value(at: index - 1), try set.value(at: index))
            guard left.isNumber, right.isNumber, set.order.compare(left, right) >= 0 else { break }
            try change(place) { try BPlusTreeEditor(store, .mixed).erase(&$0, at: index) }
            misplaced.append(right)
        }
        for value in misplaced {
            guard let found = try place.collection.set?.place(of: value), !found.isFound else { continue }
            try change(place) { try BPlusTreeEditor(store, .mixed).insert(&$0, at: found.index, value) }
        }
    }

    /// An empty tree remains (content 12.6).
    package func clear() throws {
        let place = try place()
        guard place.count > 0 else { return }
        try record(.collection(.clear, place))
        let lost = try links(of: place)
        try changeToEmptyTree(place)
        try linksLost(lost, place)
    }

    package func changedLast() throws -> (set: SetTree, fenceIndex: FenceKeyIndex?)? {
        guard let place = lastChanged(), !place.isDictionary, !place.isList else { return nil }
        return (try SetTree(space, place.root, elementsOf: place.columnKey), fenceIndex(of: place))
    }

    func requireKind(of place: ResolvedCollection) throws {
        guard !place.isList, !place.isDictionary else {
            throw StorageError.absent("'\(place.column.name)' is not a set")
        }
    }

    /// Sorts a set of Float or Double that the reference left unordered, and removes duplicates of a NaN
    /// (content 13.11). A dirty root isn't checked again, because this transaction wrote it.
    private func putInOrder(_ place: ResolvedCollection) throws {
        guard let set = try place.collection.set, set.order == .floating, set.count > 0, !space.isDirty(set.tree.root),
            try !set.isAscending()
        else { return }
        var values: [StoredValue] = []
        for value in try set.values().ordered(by: { set.order.compare($0, $1) < 0 }) {
            if let last = values.last, set.order.compare(last, value) == 0 { continue }
            values.append(value)
        }
        let kind = place.elementKind
        try change(place) { root in
            try store.freeTree(root)
            root = try BPlusTreeEditor(store, kind).create()
            for (index, value) in values.enumerated() {
                try BPlusTreeEditor(store, kind).insert(&root, at: index, value)
            }
        }
    }
}

extension WriteTransaction {
    @inlinable package func set(at path: CollectionPath) -> SetWriter { SetWriter(self, path) }
}
