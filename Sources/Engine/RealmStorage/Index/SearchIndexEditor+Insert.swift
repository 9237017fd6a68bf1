// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension SearchIndexEditor {
    /// Inserts `key` under `value` into a value index.
    ///
    /// `valueOf` returns the column's value for objects that are already in the index, and nil for objects that don't
    /// exist. It isn't called for `key`. `isMixed` may be false only if the column isn't Mixed, which saves reading
    /// values.
    package func insert(
        _ root: inout Ref, _ value: StoredValue, _ key: ObjectKey, isMixed: Bool = true,
        valueOf: (ObjectKey) throws -> StoredValue?
    ) throws {
        try withoutActuallyEscaping(valueOf) { valueOf in
            let item = ValueItem(key, value, isMixed: isMixed, valueOf: valueOf)
            try insert(item, into: &root, offset: 0, depth: 0)
        }
    }

    /// Inserts `key` under a word into a word index, unless the word already contains it. A nil word is the null
    /// element of a list. Throws `limitExceeded` for words of more than 200 bytes.
    package func insert(_ root: inout Ref, word: [UInt8]?, _ key: ObjectKey) throws {
        let word = IndexWord(word)
        guard word.count <= FileFormat.maximumWordByteCount else {
            throw StorageError(
                .limitExceeded,
                "a string of \(word.count) bytes in an indexed list; the limit is \(FileFormat.maximumWordByteCount)")
        }
        try insert(WordItem(key: key, word: word), into: &root, offset: 0, depth: 0)
    }

    /// Inserts below the root of a level. If the root is split, the level gets a new one.
    private func insert(_ item: some IndexItem, into root: inout Ref, offset: Int, depth: Int) throws {
        guard item.key.rawValue >= 0 else {
            throw StorageError.absent("\(item.key) cannot be in a search index")
        }
        guard let sibling = try insert(item, inNode: &root, offset, depth) else { return }
        let halves = [root, sibling]
        root = try createNode(
            keys: halves.map { try IndexNode(space, $0).lastKey }, elements: halves.map(\.element), isInner: true)
    }

    /// Returns the right half if the node was split.
    private func insert(
        _ item: some IndexItem, inNode ref: inout Ref, _ offset: Int, _ depth: Int
    ) throws -> Ref? {
        try IndexDescent.requireDepth(depth, at: ref)
        let node = try IndexNode(space, ref)
        let chunk = item.chunk(at: offset)
        let place = node.lowerBound(chunk)
        if node.isInner { return try insert(item, inChild: min(place, node.count - 1), of: &ref, offset, depth) }
        guard place < node.count, node.key(place) == chunk else {
            return try insertInNode(&ref, at: place, key: chunk, element: entry(item, offset, depth))
        }
        let entry = try insert(item, intoEntry: node.element(place), offset, depth)
        try setElement(&ref, at: place, entry)
        return nil
    }

    private func insert(
        _ item: some IndexItem, inChild place: Int, of ref: inout Ref, _ offset: Int, _ depth: Int
    ) throws -> Ref? {
        var child = try IndexNode(space, ref).child(place)
        let sibling = try insert(item, inNode: &child, offset, depth + 1)
        try setChild(&ref, at: place, child)
        guard let sibling else { return nil }
        let key = try IndexNode(space, sibling).lastKey
        return try insertInNode(&ref, at: place + 1, key: key, element: sibling.element)
    }

    private func insert(
        _ item: some IndexItem, intoEntry element: Int64, _ offset: Int, _ depth: Int
    ) throws -> Int64 {
        let entry = try IndexEntry(element, in: space)
        if case .subIndex(var sub) = entry {
            try IndexDescent.requireNextLevel(offset, at: sub)
            try insert(item, into: &sub, offset: offset + 4, depth: depth + 1)
            return sub.element
        }
        if let chunk = try item.parting(from: entry, at: offset, in: space) {
            var sub = try createNode(keys: [chunk], elements: [element], isInner: false)
            try insert(item, into: &sub, offset: offset + 4, depth: depth + 1)
            return sub.element
        }
        if case .literal(item.key) = entry { return element }
        var list: Ref
        switch entry {
        case .list(let root): list = root
        case .literal(let other): list = try store.create([other.rawValue])
        case .subIndex: return element
        }
        let keys = try IndexList(space, list)
        let place = try item.place(in: keys, at: offset)
        if place < keys.count, try keys.key(at: place) == item.key { return list.element }
        try BPlusTreeEditor(store, .key).insert(&list, at: place, .link(item.key))
        return list.element
    }

    private func entry(_ item: some IndexItem, _ offset: Int, _ depth: Int) throws -> Int64 {
        if item.mayStand(at: offset) { return Tagged.encode(UInt64(bitPattern: item.key.rawValue)) }
        var sub = try create()
        try insert(item, into: &sub, offset: offset + 4, depth: depth + 1)
        return sub.element
    }
}
