// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Instructions that change lists, of a column or nested (content 12.3, 12.6). Positions count every entry, including
/// those hidden because their target is unresolved (design decision 14).
extension WriteTransaction {
    /// Inserts `value` before element `index`. Lists of links take `.link`, lists of Mixed `.typedLink`.
    package func listInsert(
        _ value: StoredValue, at index: Int, _ column: ColumnKey, of object: ObjectKey, in key: TableKey
    ) throws {
        try listInsert(value, at: index, requireList(column, of: object, in: key))
    }

    package func listInsert(_ value: StoredValue, at index: Int, in path: CollectionPath) throws {
        try listInsert(value, at: index, requireList(path))
    }

    /// Inserts `value` before element `index`. Returns the new length of the list, if a cursor of it can follow (see
    /// `followList`).
    package func listInsert(_ value: StoredValue, at index: Int, followedIn path: CollectionPath) throws -> Int? {
        try changeList(path) { try listInsert(value, at: index, $0) }
    }

    /// Inserts consecutive values, the first before element `index`. If one is invalid, none is inserted.
    package func listInsert(contentsOf values: [StoredValue], at index: Int, in path: CollectionPath) throws {
        let place = try requireList(path)
        guard isRecorded else { return try listInsert(contentsOf: values, at: index, place) }
        try validateElements(values.map(\.withoutNullPattern), for: place.column, in: place.table)
        for (offset, value) in values.enumerated() { try listInsert(value, at: index + offset, in: path) }
    }

    /// Replaces element `index`.
    package func listSet(
        _ value: StoredValue, at index: Int, _ column: ColumnKey, of object: ObjectKey, in key: TableKey
    ) throws {
        try listSet(value, at: index, requireList(column, of: object, in: key))
    }

    package func listSet(_ value: StoredValue, at index: Int, in path: CollectionPath) throws {
        try listSet(value, at: index, requireList(path))
    }

    /// Removes element `index`.
    package func listErase(at index: Int, _ column: ColumnKey, of object: ObjectKey, in key: TableKey) throws {
        try listErase(at: index, requireList(column, of: object, in: key))
    }

    package func listErase(at index: Int, in path: CollectionPath) throws {
        try listErase(at: index, requireList(path))
    }

    /// Removes element `index`. Returns the new length of the list, if a cursor of it can follow (see `followList`).
    package func listErase(at index: Int, followedIn path: CollectionPath) throws -> Int? {
        try changeList(path) { try listErase(at: index, $0) }
    }

    /// Moves element `source` so that it becomes element `target`. A nested collection keeps its key and its nodes.
    package func listMove(
        from source: Int, to target: Int, _ column: ColumnKey, of object: ObjectKey, in key: TableKey
    ) throws {
        try listMove(from: source, to: target, requireList(column, of: object, in: key))
    }

    package func listMove(from source: Int, to target: Int, in path: CollectionPath) throws {
        try listMove(from: source, to: target, requireList(path))
    }

    /// Exchanges two elements. Nested collections keep their keys and their nodes.
    package func listSwap(
        _ first: Int, _ second: Int, _ column: ColumnKey, of object: ObjectKey, in key: TableKey
    ) throws {
        try listSwap(first, second, requireList(column, of: object, in: key))
    }

    package func listSwap(_ first: Int, _ second: Int, in path: CollectionPath) throws {
        try listSwap(first, second, requireList(path))
    }

    /// Removes all elements; an empty tree remains (content 12.6).
    package func listClear(_ column: ColumnKey, of object: ObjectKey, in key: TableKey) throws {
        try listClear(requireList(column, of: object, in: key))
    }

    package func listClear(in path: CollectionPath) throws { try listClear(requireList(path)) }

    /// Creates an embedded object as a new element before element `index`.
    package func listInsertEmbedded(
        at index: Int, _ column: ColumnKey, of object: ObjectKey, in key: TableKey
    ) throws -> ObjectKey {
        let place = try requireList(column, of: object, in: key)
        let target = try embeddedTarget(of: place.column, in: place.table)
        try requirePosition(index, atMost: place.count, place)
        try recorder?.record(.collection(.insert(.embeddedObject, at: index), place), in: self)
        let child = try insertObject(into: target)
        try changeElements(place, by: 1) {
            try BPlusTreeEditor(store, .key).insert(&$0, at: index, .link(child), in: &$1)
        }
        try addBacklink(to: child, in: target, from: object, place.column, of: place.table)
        return child
    }

    // MARK: Below

    /// Calls `body` to change a list. Returns its new length, if a cursor of it can follow (see `followList`).
    @inline(__always)
    private func changeList(_ path: CollectionPath, _ body: (ResolvedCollection) throws -> Void) throws -> Int? {
        try withPlace(path) { place in
            try requireList(place)
            try body(place)
            return followedCount(place)
        }
    }

    private func listInsert(_ value: StoredValue, at index: Int, _ place: ResolvedCollection) throws {
        try requirePosition(index, atMost: place.count, place)
        let value = value.withoutNullPattern
        try validateElement(value, for: place.column, in: place.table)
        try validateWord(value, place)
        try recorder?.record(.collection(.insert(.value(value), at: index), place), in: self)
        let kind = place.elementKind
        try changeElements(place, by: 1) { root, open in
            try BPlusTreeEditor(store, kind).insert(&root, at: index, value, in: &open)
            try updateContext(&root, kind, after: value)
        }
        try linkGained(value, place)
        try wordGained(value, place)
    }

    private func listInsert(contentsOf values: [StoredValue], at index: Int, _ place: ResolvedCollection) throws {
        try requirePosition(index, atMost: place.count, place)
        let values = values.map(\.withoutNullPattern)
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

    private func listSet(_ value: StoredValue, at index: Int, _ place: ResolvedCollection) throws {
        let value = value.withoutNullPattern
        try validateElement(value, for: place.column, in: place.table)
        try validateWord(value, place)
        let old = try element(index, of: place)
        try recorder?.record(.collection(.setElement(.value(value), at: index), place), in: self)
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

    private func listErase(at index: Int, _ place: ResolvedCollection) throws {
        try requirePosition(index, atMost: place.count - 1, place)
        try recorder?.record(.collection(.erase(at: index, of: place.count), place), in: self)
        let kind = place.elementKind
        if kind == .key { return try linkErase(at: index, place) }
        guard place.holdsLinks || place.isWordIndexed else {
            return try changeElements(place, by: -1) { try BPlusTreeEditor(store, kind).erase(&$0, at: index, in: &$1) }
        }
        let old = try element(index, of: place)
        let links = try links(of: old, place)
        try changeElements(place, by: -1) { try BPlusTreeEditor(store, kind).erase(&$0, at: index, in: &$1) }
        try linksLost(links, place)
        try wordLost(old, place)
    }

    /// Removes element `index` of a list of links.
    private func linkErase(at index: Int, _ place: ResolvedCollection) throws {
        guard let key = try linkedKey(index, of: place) else {
            return try changeElements(place, by: -1) { try BPlusTreeEditor(store, .key).erase(&$0, at: index, in: &$1) }
        }
        try changeElements(place, by: -1) { root, open in
            try BPlusTreeEditor(store, .key).erase(&root, at: index, in: &open)
            if key.isUnresolved { try updateContext(&root, .key, after: .link(key)) }
        }
        try linkLost(key, place)
    }

    private func listMove(from source: Int, to target: Int, _ place: ResolvedCollection) throws {
        try requirePosition(target, atMost: place.count - 1, place)
        let value = try element(source, of: place)
        guard source != target else { return }
        try recorder?.record(.collection(.move(from: source, to: target), place), in: self)
        let kind = place.elementKind
        try change(place) { root in
            try detach(value, at: source, &root)
            try BPlusTreeEditor(store, kind).erase(&root, at: source)
            try BPlusTreeEditor(store, kind).insert(&root, at: target, value)
        }
    }

    private func listSwap(_ first: Int, _ second: Int, _ place: ResolvedCollection) throws {
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

    /// No history has an instruction for an exchange, so two moves are recorded: the later element moves to the front,
    /// and the element that was there moves back.
    private func recordSwap(_ first: Int, _ second: Int, _ place: ResolvedCollection) throws {
        guard let recorder else { return }
        try recorder.record(.collection(.move(from: second, to: first), place), in: self)
        guard first + 1 < second else { return }
        try recorder.record(.collection(.move(from: first + 1, to: second), place), in: self)
    }

    /// Detaches the nodes of a nested collection from its element, so that they aren't freed with it.
    private func detach(_ value: StoredValue, at index: Int, _ root: inout Ref) throws {
        guard value.collectionKey != nil else { return }
        try BPlusTreeEditor(store, .mixed).modifyLeaf(&root, holding: index) { leaves, leaf, row in
            try leaves.setRaw(&leaf, at: row, 0)
        }
    }

    private func listClear(_ place: ResolvedCollection) throws {
        guard place.count > 0 else { return }
        try recorder?.record(.collection(.clear, place), in: self)
        let lost = try links(of: place)
        let words = try place.isWordIndexed ? Set(place.collection.elements?.values() ?? []) : []
        let kind = place.elementKind
        try change(place) { root in
            try store.freeTree(root)
            root = try BPlusTreeEditor(store, kind).create()
        }
        try linksLost(lost, place)
        for word in words { try wordLost(word, place) }
    }

    // MARK: Words of an indexed list (content 9.5)

    private func validateWord(_ value: StoredValue, _ place: ResolvedCollection) throws {
        if place.isWordIndexed { _ = try ListWord.bytes(of: value) }
    }

    private func wordGained(_ value: StoredValue, _ place: ResolvedCollection) throws {
        if place.isWordIndexed { try listGained(value, place.object, place.column, of: place.table) }
    }

    private func wordLost(_ value: StoredValue, _ place: ResolvedCollection) throws {
        if place.isWordIndexed { try listLost(value, place.object, place.column, of: place.table) }
    }

    // MARK: Places

    private func requireList(_ column: ColumnKey, of object: ObjectKey, in key: TableKey) throws -> ResolvedCollection {
        try requireList(CollectionPath(column, of: object, in: key))
    }

    func requireList(_ path: CollectionPath) throws -> ResolvedCollection {
        let place = try self.place(path)
        try requireList(place)
        return place
    }

    private func requireList(_ place: ResolvedCollection) throws {
        guard place.isList else {
            throw StorageError.absent("the collection in '\(place.column.name)' is not a list")
        }
    }

    func requirePosition(_ index: Int, atMost limit: Int, _ place: ResolvedCollection) throws {
        guard index >= 0, index <= limit else {
            throw StorageError.absent("position \(index) in a list of \(place.count)")
        }
    }

    /// Returns the target of element `index` of a list of links; nil for null.
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
