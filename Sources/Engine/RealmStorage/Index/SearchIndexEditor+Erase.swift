// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension SearchIndexEditor {
    /// Removes `key`, whose value was `value`, from a value index. Returns false if the index didn't contain it.
    ///
    /// `valueOf` and `isMixed` as for `insert`. If the object's entry isn't under its value (content 13.8, 13.18), the
    /// whole index is searched.
    @discardableResult
    package func erase(
        _ root: inout Ref, _ value: StoredValue, _ key: ObjectKey, isMixed: Bool = true,
        valueOf: (ObjectKey) throws -> StoredValue?
    ) throws -> Bool {
        let isErased = try withoutActuallyEscaping(valueOf) { valueOf in
            try erase(ValueItem(key, value, isMixed: isMixed, valueOf: valueOf), fromIndex: &root)
        }
        return try isErased || erase(&root, anywhere: key)
    }

    /// Searches the whole index for `key`. Returns false if the index didn't contain it.
    @discardableResult
    func erase(_ root: inout Ref, anywhere key: ObjectKey) throws -> Bool {
        guard let path = try path(to: key, root) else { return false }
        return try erase(PlacedItem(key: key, chunks: path), fromIndex: &root)
    }

    /// Removes `key` from a word of a word index. Returns false if the word didn't contain it.
    ///
    /// In the index of a list, some words share an entry, for example "abc" and "abcX". `keeps` returns whether the
    /// object still has another word that needs the entry. Full text has no such words.
    @discardableResult
    package func erase(
        _ root: inout Ref, word: [UInt8]?, _ key: ObjectKey, keeps: ([UInt8]?) throws -> Bool = { _ in false }
    ) throws -> Bool {
        let word = IndexWord(word)
        var isErased = false
        if try !isShared(word, key, on: word, root, keeps) {
            isErased = try erase(WordItem(key: key, word: word), fromIndex: &root)
        }
        if word.mayBeMisplaced, try !isShared(word, key, on: word.unterminated, root, keeps) {
            let item = PlacedItem(key: key, chunks: word.unterminated)
            if try erase(item, fromIndex: &root) { isErased = true }
        }
        return isErased
    }

    /// Whether the entry at the end of the path belongs to another word, or is still needed by another word of the
    /// object.
    private func isShared(
        _ word: IndexWord, _ key: ObjectKey, on chunks: some IndexChunks, _ root: Ref,
        _ keeps: ([UInt8]?) throws -> Bool
    ) throws -> Bool {
        let descent = IndexDescent(space: space, root: root)
        guard let place = try descent.find(chunks), word.ends(at: place.offset) else { return true }
        let path = PathChunks(chunks, through: place.offset)
        return try word.twins(on: path, at: place.offset).contains { twin in
            guard try keeps(twin) else { return false }
            let twin = IndexWord(twin)
            guard let own = try descent.find(twin), PathChunks(twin, through: own.offset) != path else { return true }
            return try !holds(own, WordItem(key: key, word: twin))
        }
    }

    private func holds(_ found: IndexDescent.Found, _ item: some IndexItem) throws -> Bool {
        switch found.entry {
        case .literal(let key): key == item.key
        case .list(let root): try !item.places(in: IndexList(space, root), at: found.offset).isEmpty
        case .subIndex: false
        }
    }

    private func path(to key: ObjectKey, _ root: Ref) throws -> PathChunks? {
        var walk = IndexWalk(space)
        let isAbsent = try walk.visit(root) { entry, _ in
            var isFound = false
            try entry.forEachKey(in: space) {
                isFound = $0 == key
                return !isFound
            }
            return !isFound
        }
        return isAbsent ? nil : PathChunks(path: walk.path)
    }

    private enum Erasure {
        case absent
        case erased(leavesNothing: Bool)
    }

    private func erase(_ item: some IndexItem, fromIndex root: inout Ref) throws -> Bool {
        guard case .erased(let leavesNothing) = try erase(item, fromLevel: &root, 0, 0) else { return false }
        if leavesNothing, try space.integers(root).header.isInner {
            try freeNode(root)
            root = try create()
        }
        return true
    }

    /// Removes below the root of a level. A branch with a single child is replaced by the child.
    private func erase(
        _ item: some IndexItem, fromLevel root: inout Ref, _ offset: Int, _ depth: Int
    ) throws -> Erasure {
        let erasure = try erase(item, fromNode: &root, offset, depth)
        guard case .erased(leavesNothing: false) = erasure else { return erasure }
        while true {
            let node = try IndexNode(space, root)
            guard node.isInner, node.count == 1 else { return erasure }
            let child = try node.child(0)
            try freeNode(root)
            root = child
        }
    }

    private func erase(_ item: some IndexItem, fromNode ref: inout Ref, _ offset: Int, _ depth: Int) throws -> Erasure {
        try IndexDescent.requireDepth(depth, at: ref)
        let node = try IndexNode(space, ref)
        let chunk = item.chunk(at: offset)
        let place = node.lowerBound(chunk)
        guard place < node.count else { return .absent }
        if node.isInner { return try erase(item, fromChild: place, of: &ref, offset, depth) }
        guard node.key(place) == chunk else { return .absent }
        return try erase(item, fromEntry: place, of: &ref, offset, depth)
    }

    private func erase(
        _ item: some IndexItem, fromChild place: Int, of ref: inout Ref, _ offset: Int, _ depth: Int
    ) throws -> Erasure {
        let node = try IndexNode(space, ref)
        let count = node.count
        var child = try node.child(place)
        guard case .erased(let leavesNothing) = try erase(item, fromNode: &child, offset, depth + 1) else {
            return .absent
        }
        if leavesNothing {
            try freeNode(child)
            try removeSlot(&ref, at: place)
        } else {
            try setChild(&ref, at: place, child)
        }
        return .erased(leavesNothing: leavesNothing && count == 1)
    }

    private func erase(
        _ item: some IndexItem, fromEntry place: Int, of ref: inout Ref, _ offset: Int, _ depth: Int
    ) throws -> Erasure {
        let node = try IndexNode(space, ref)
        let count = node.count
        let rest: Int64?
        switch try IndexEntry(node.element(place), in: space) {
        case .literal(let key):
            guard key == item.key else { return .absent }
            rest = nil
        case .list(var list):
            guard try erase(item, fromList: &list, offset) else { return .absent }
            rest = list == 0 ? nil : list.element
        case .subIndex(var sub):
            try IndexDescent.requireNextLevel(offset, at: sub)
            guard case .erased(let leavesNothing) = try erase(item, fromLevel: &sub, offset + 4, depth + 1) else {
                return .absent
            }
            if leavesNothing { try freeNode(sub) }
            rest = leavesNothing ? nil : sub.element
        }
        if let rest {
            try setElement(&ref, at: place, rest)
        } else {
            try removeSlot(&ref, at: place)
        }
        return .erased(leavesNothing: rest == nil && count == 1)
    }

    /// An emptied list is freed, and `list` becomes 0.
    private func erase(_ item: some IndexItem, fromList list: inout Ref, _ offset: Int) throws -> Bool {
        let keys = try IndexList(space, list)
        let places = try item.places(in: keys, at: offset)
        if places.count == keys.count {
            try free(list)
            list = 0
        } else {
            for place in places.reversed() { try BPlusTreeEditor(store, .key).erase(&list, at: place) }
        }
        return !places.isEmpty
    }
}
