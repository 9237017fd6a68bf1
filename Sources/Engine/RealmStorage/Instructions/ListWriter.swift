// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Changes a list, of a column or nested (content 12.3, 12.6).
///
/// Lists of links take `.link`, lists of Mixed `.typedLink`. Positions count every entry, including those hidden
/// because their target is unresolved (design decision 14).
@usableFromInline
package struct ListWriter: PathWriter {
    @usableFromInline let transaction: WriteTransaction
    @usableFromInline let path: CollectionPath

    @inlinable
    init(_ transaction: WriteTransaction, _ path: CollectionPath) {
        self.transaction = transaction
        self.path = path
    }

    // MARK: Instructions

    /// Returns the new length, if `follow` can move a cursor of the list.
    @discardableResult
    package func insert(_ value: StoredValue, at index: Int) throws -> Int? {
        try withPlace { place in
            try insert(value, at: index, place)
            return followedCount(place)
        }
    }

    /// Inserts consecutive values, the first before element `index`. If one is invalid, none is inserted.
    package func insert(contentsOf values: [StoredValue], at index: Int) throws {
        let place = try place()
        let values = values.map(\.withoutNullPattern)
        guard !transaction.isRecorded else {
            try validateElements(values, for: place.column, in: place.table)
            for (offset, value) in values.enumerated() { try insert(value, at: index + offset) }
            return
        }
        try requirePosition(index, atMost: place.count, place)
        try validateElements(values, for: place.column, in: place.table)
        for value in values where place.isWordIndexed { try validateWord(value, place) }
        let kind = place.elementKind
        try store.whole {
            try changeElements(place, by: values.count) { root, open in
                try BPlusTreeEditor(store, kind).insert(&root, at: index, contentsOf: values, in: &open)
                if let value = values.first(where: \.isUnresolvedLink) {
                    try updateContext(&root, kind, after: value)
                }
            }
            try linksGained(values, place)
            for value in values where place.isWordIndexed { try wordGained(value, place) }
        }
    }

    /// `values` are single values of the new object.
    package func createEmbedded(at index: Int, _ values: RowValues? = nil) throws -> ObjectKey {
        let place = try place()
        let links = transaction.links
        let target = try links.embeddedTarget(of: place.column, in: place.table, for: values)
        try requirePosition(index, atMost: place.count, place)
        try record(.collection(.insert(.embeddedObject, at: index), place))
        return try links.insertEmbedded(into: target, values) { child in
            try changeElements(place, by: 1) {
                try BPlusTreeEditor(store, .key).insert(&$0, at: index, .link(child), in: &$1)
            }
            try links.addBacklink(to: child, in: target, from: place.object, place.column, of: place.table)
        }
    }

    package func insertCollection(_ kind: NestedKind, at index: Int) throws {
        let place = try place()
        try requireLevel(place.innerLevel)
        try requireMixed(place)
        try requirePosition(index, atMost: place.count, place)
        try record(.collection(.insert(.collection(kind), at: index), place))
        let value = try newCollection(kind, place)
        try change(place) { try BPlusTreeEditor(store, .mixed).insert(&$0, at: index, value) }
    }

    package func set(_ value: StoredValue, at index: Int) throws {
        let place = try place()
        let value = value.withoutNullPattern
        try validateElement(value, for: place.column, in: place.table)
        try validateWord(value, place)
        let old = try element(index, of: place)
        try record(.collection(.setElement(.value(value), at: index), place))
        guard !old.isIdentical(to: value) else { return }
        let lost = try links(of: old, place)
        let kind = place.elementKind
        try change(place) { root in
            try BPlusTreeEditor(store, kind).set(&root, at: index, value)
            try updateContext(&root, kind, after: old)
            try updateContext(&root, kind, after: value)
        }
        try linkGained(value, place)
        try linksLost(lost, place)
        try wordGained(value, place)
        try wordLost(old, place)
    }

    /// Returns the new length, if `follow` can move a cursor of the list.
    @discardableResult
    package func erase(at index: Int) throws -> Int? {
        try withPlace { place in
            try erase(at: index, place)
            return followedCount(place)
        }
    }

    /// Moves element `source` so that it becomes element `target`. A nested collection keeps its key and its nodes.
    package func move(from source: Int, to target: Int) throws {
        let place = try place()
        try requirePosition(target, atMost: place.count - 1, place)
        let value = try element(source, of: place)
        guard source != target else { return }
        try record(.collection(.move(from: source, to: target), place))
        let kind = place.elementKind
        try change(place) { root in
            try detach(value, at: source, &root)
            try BPlusTreeEditor(store, kind).erase(&root, at: source)
            try BPlusTreeEditor(store, kind).insert(&root, at: target, value)
        }
    }

    /// Nested collections keep their keys and their nodes.
    package func swap(_ first: Int, _ second: Int) throws {
        let place = try place()
        let values = (try element(first, of: place), try element(second, of: place))
        guard first != second else { return }
        try recordSwap(min(first, second), max(first, second), place)
        let kind = place.elementKind
        try change(place) { root in
            try detach(values.0, at: first, &root)
            try detach(values.1, at: second, &root)
            try BPlusTreeEditor(store, kind).set(&root, at: first, values.1)
            try BPlusTreeEditor(store, kind).set(&root, at: second, values.0)
        }
    }

    /// An empty tree remains (content 12.6).
    package func clear() throws {
        let place = try place()
        guard place.count > 0 else { return }
        try record(.collection(.clear, place))
        let lost = try links(of: place)
        let words = try place.isWordIndexed ? Set(place.collection.elements?.values() ?? []) : []
        try changeToEmptyTree(place)
        try linksLost(lost, place)
        for word in words { try wordLost(word, place) }
    }

    // MARK: Cursors

    /// Moves a cursor of the list to the list's current state. Returns false, without effect, if `cursor` is nil, if
    /// the list isn't the collection changed last, or if it hides elements.
    package func follow(_ cursor: inout BPlusTreeCursor?) -> Bool {
        guard let place = lastChanged(), followedCount(place) != nil else { return false }
        return cursor?.move(to: BPlusTree(space, place.root, place.elementKind, count: place.count)) != nil
    }

    /// The length of the list, if `follow` would succeed.
    package var followedCount: Int? { lastChanged().flatMap(followedCount) }

    @inline(__always)
    private func followedCount(_ place: ResolvedCollection) -> Int? {
        guard unsafe transaction.changedCollection === place, place.stamp == transaction.clock.rows, place.isList,
            !hidesElements(place)
        else { return nil }
        return place.count
    }

    /// Whether the list that was changed last hides elements. Unlike `BPlusTree.hidesElements`, this doesn't throw: the
    /// root is dirty, and the change has read it.
    @inline(__always)
    private func hidesElements(_ place: ResolvedCollection) -> Bool {
        guard case .key = place.elementKind, place.root != 0 else { return false }
        return !space.isDirty(place.root) || space.header(place.root).hasContext
    }

    // MARK: Implementation

    private func insert(_ value: StoredValue, at index: Int, _ place: ResolvedCollection) throws {
        try requirePosition(index, atMost: place.count, place)
        let value = value.withoutNullPattern
        try validateElement(value, for: place.column, in: place.table)
        try validateWord(value, place)
        try record(.collection(.insert(.value(value), at: index), place))
        let kind = place.elementKind
        try changeElements(place, by: 1) { root, open in
            try BPlusTreeEditor(store, kind).insert(&root, at: index, value, in: &open)
            try updateContext(&root, kind, after: value)
        }
        try linkGained(value, place)
        try wordGained(value, place)
    }

    private func erase(at index: Int, _ place: ResolvedCollection) throws {
        try requirePosition(index, atMost: place.count - 1, place)
        try record(.collection(.erase(at: index, of: place.count), place))
        let kind = place.elementKind
        if kind == .key { return try eraseLink(at: index, place) }
        guard place.holdsLinks || place.isWordIndexed else {
            return try changeElements(place, by: -1) { try BPlusTreeEditor(store, kind).erase(&$0, at: index, in: &$1) }
        }
        let old = try element(index, of: place)
        let links = try links(of: old, place)
        try changeElements(place, by: -1) { try BPlusTreeEditor(store, kind).erase(&$0, at: index, in: &$1) }
        try linksLost(links, place)
        try wordLost(old, place)
    }

    private func eraseLink(at index: Int, _ place: ResolvedCollection) throws {
        guard let key = try linkedKey(index, of: place) else {
            return try changeElements(place, by: -1) { try BPlusTreeEditor(store, .key).erase(&$0, at: index, in: &$1) }
        }
        try changeElements(place, by: -1) { root, open in
            try BPlusTreeEditor(store, .key).erase(&root, at: index, in: &open)
            if key.isUnresolved { try updateContext(&root, .key, after: .link(key)) }
        }
        try linkLost(key, place)
    }

    /// Records two moves, because histories have no instruction for an exchange: the later element moves to the earlier
    /// position, then the earlier one to the later position.
    private func recordSwap(_ first: Int, _ second: Int, _ place: ResolvedCollection) throws {
        try record(.collection(.move(from: second, to: first), place))
        guard first + 1 < second else { return }
        try record(.collection(.move(from: first + 1, to: second), place))
    }

    /// Detaches the nodes of a nested collection from its element, so that they aren't freed with it.
    private func detach(_ value: StoredValue, at index: Int, _ root: inout Ref) throws {
        guard value.collectionKey != nil else { return }
        try BPlusTreeEditor(store, .mixed).modifyLeaf(&root, holding: index) { leaves, leaf, row in
            try leaves.setRaw(&leaf, at: row, 0)
        }
    }

    // MARK: Words of an indexed list (content 9.5)

    private func validateWord(_ value: StoredValue, _ place: ResolvedCollection) throws {
        if place.isWordIndexed { _ = try ListWord.bytes(of: value) }
    }

    private func wordGained(_ value: StoredValue, _ place: ResolvedCollection) throws {
        if place.isWordIndexed {
            try transaction.indexes.wordGained(value, place.object, place.column, of: place.table)
        }
    }

    private func wordLost(_ value: StoredValue, _ place: ResolvedCollection) throws {
        if place.isWordIndexed { try transaction.indexes.wordLost(value, place.object, place.column, of: place.table) }
    }

    // MARK: Elements

    func requireKind(of place: ResolvedCollection) throws {
        guard place.isList else {
            throw StorageError.absent("the collection in '\(place.column.name)' is not a list")
        }
    }

    private func requirePosition(_ index: Int, atMost limit: Int, _ place: ResolvedCollection) throws {
        guard index >= 0, index <= limit else {
            throw StorageError.absent("position \(index) in a list of \(place.count)")
        }
    }

    @inline(__always)
    private func linkedKey(_ index: Int, of place: ResolvedCollection) throws -> ObjectKey? {
        if let key = unsafe place.open?.number(at: index, in: space).map({ ObjectKey($0) }) {
            return key.isNull ? nil : key
        }
        return if case .link(let key) = try element(index, of: place) { key } else { nil }
    }

    private func element(_ index: Int, of place: ResolvedCollection) throws -> StoredValue {
        try requirePosition(index, atMost: place.count - 1, place)
        if let value = try unsafe place.open?.value(at: index, in: space) { return value }
        guard let elements = try place.collection.elements else { return .null }
        return try elements.value(at: index)
    }
}

extension WriteTransaction {
    @inlinable package func list(at path: CollectionPath) -> ListWriter { ListWriter(self, path) }
}
