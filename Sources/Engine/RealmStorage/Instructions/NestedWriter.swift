// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Replaces a value by a collection (content 6.14, 7.7).
struct NestedWriter: CollectionWriter {
    let transaction: WriteTransaction
    let path: CollectionPath

    func set(_ kind: NestedKind) throws {
        try requireLevel(path.level)
        guard let parent = path.parent, let step = path.steps.last else { return try setProperty(kind) }
        let place = try transaction.resolve(parent)
        switch (step, try place.collection) {
        case (.key(let key), .dictionary): try setEntry(kind, key, DictionaryWriter(transaction, parent), place)
        case (_, .list), (_, .dictionary): try setElement(kind, step, place)
        case (_, .set): throw StorageError.absent("sets do not hold collections")
        }
    }

    private func setProperty(_ kind: NestedKind) throws {
        let table = try require(path.table)
        let column = try table.require(path.column)
        guard column.type == .mixed, !column.key.isCollection else {
            throw StorageError.absent("'\(column.name)' cannot hold collections")
        }
        let old = try table.value(column, at: try table.requireObject(path.object))
        guard !kind.isKind(of: old) else { return }
        try record(.setCollection(kind, column, path.object, table))
        let key = collectionKey(below: 0x8000, unlessIn: [old.collectionKey ?? 0])
        try transaction.links.replaceMixed(kind.empty(key: key), column, of: path.object, in: table)
    }

    private func setEntry(
        _ kind: NestedKind, _ key: String, _ dictionary: DictionaryWriter, _ place: ResolvedCollection
    ) throws {
        try requireMixed(place)
        let entry = try dictionary.requireEntry(key, place)
        if let old = entry.value, kind.isKind(of: old) { return }
        try record(.collection(.setEntry(.collection(kind), key: key), place))
        try dictionary.replace(newCollection(kind, place), entry, place)
    }

    private func setElement(_ kind: NestedKind, _ step: CollectionPath.Step, _ place: ResolvedCollection) throws {
        try requireMixed(place)
        guard let index = try place.collection.position(of: step), let elements = try place.collection.elements else {
            throw StorageError.absent("the element doesn't exist (any more)")
        }
        let old = try elements.value(at: index)
        guard !kind.isKind(of: old) else { return }
        try recordElement(kind, index, place)
        let lost = try links(of: old, place)
        let value = try newCollection(kind, place)
        try change(place) { root in
            if !place.isDictionary {
                try BPlusTreeEditor(store, .mixed).set(&root, at: index, value)
            } else {
                try DictionaryEditor(store).changeValues(&root) {
                    try BPlusTreeEditor(store, .mixed).set(&$0, at: index, value)
                }
            }
        }
        try linksLost(lost, place)
    }

    private func recordElement(_ kind: NestedKind, _ index: Int, _ place: ResolvedCollection) throws {
        guard transaction.isRecorded else { return }
        if case .dictionary(let entries) = try place.collection {
            try record(.collection(.setEntry(.collection(kind), key: entries.key(at: index)), place))
        } else {
            try record(.collection(.setElement(.collection(kind), at: index), place))
        }
    }
}

extension WriteTransaction {
    /// Replaces the value that `path` names by an empty collection.
    ///
    /// Without steps, `path` names the Mixed property. A last step `.index` replaces this element of a list; `.key`
    /// inserts or replaces this value of a dictionary. The previous value is freed and its links are removed. An
    /// existing collection of this kind is kept with all its elements (content 12.6). Throws `.limitExceeded` beyond
    /// the 100th level.
    package func setCollection(_ kind: NestedKind, at path: CollectionPath) throws {
        try NestedWriter(transaction: self, path: path).set(kind)
    }
}

extension CollectionWriter {
    func requireLevel(_ level: Int) throws {
        guard level <= FileFormat.maximumNestingLevel else {
            throw StorageError(.limitExceeded, "Max nesting level reached")
        }
    }

    func requireMixed(_ place: ResolvedCollection) throws {
        guard place.column.type == .mixed else {
            throw StorageError.absent("'\(place.column.name)' cannot hold collections")
        }
    }

    /// Creates an empty collection with a key that is unused in its tree. Adds the slot for keys to all leaves of the
    /// tree that lack it.
    func newCollection(_ kind: NestedKind, _ place: ResolvedCollection) throws -> StoredValue {
        guard let elements = try place.collection.elements else {
            return kind.empty(key: collectionKey(below: 0x80))
        }
        var used: Set<Int64> = []
        var shortLeaves: [Int] = []
        try elements.forEachLeaf { leaf in
            let mixed = try leaf.leaf.mixed
            used.formUnion(try mixed.keys())
            if !mixed.hasAllSlots { shortLeaves.append(leaf.start) }
            return true
        }
        if !shortLeaves.isEmpty { try complete(shortLeaves, place) }
        let bound: Int64 = elements.count < 16 ? 0x80 : elements.count < 4096 ? 0x8000 : 0x8000_0000
        return kind.empty(key: collectionKey(below: bound, unlessIn: used))
    }

    /// Adds the slot for keys to leaves of older formats, because the reference reads keys in every leaf of a tree.
    private func complete(_ leaves: [Int], _ place: ResolvedCollection) throws {
        try change(place) { root in
            func complete(_ elements: inout Ref) throws {
                for start in leaves {
                    try BPlusTreeEditor(store, .mixed).modifyLeaf(&elements, holding: start) { _, leaf, _ in
                        try MixedLeafEditor(store).complete(&leaf)
                    }
                }
            }
            if !place.isDictionary { return try complete(&root) }
            try DictionaryEditor(store).changeValues(&root) { try complete(&$0) }
        }
    }

    /// Returns a collection key from 1 to `bound` - 1, or the next one that is unused (content 6.14).
    ///
    /// It's pseudorandom, so that the key of a removed collection is seldom reused soon, but is derived from the
    /// history of the transaction, so that a run is reproducible.
    func collectionKey(below bound: Int64, unlessIn used: Set<Int64> = []) -> Int64 {
        transaction.record(.rows)
        var mixed = (transaction.baseVersion << 32 &+ transaction.clock.count) &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed ^= mixed >> 31
        var key = Int64(truncatingIfNeeded: mixed) & (bound - 1)
        while key == 0 || used.contains(key) { key = key + 1 < 0x8000_0000 ? key + 1 : 1 }
        return key
    }
}

extension NestedKind {
    func empty(key: Int64) -> StoredValue {
        switch self {
        case .list: .list(0, key: key)
        case .dictionary: .dictionary(0, key: key)
        }
    }

    func isKind(of value: StoredValue) -> Bool {
        switch (self, value) {
        case (.list, .list), (.dictionary, .dictionary): true
        default: false
        }
    }
}
