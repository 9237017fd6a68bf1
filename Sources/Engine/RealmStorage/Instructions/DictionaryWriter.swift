// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Changes a dictionary, of a column or nested (content 7.6, 12.6). Dictionaries of links take `.link`, those of Mixed
/// `.typedLink`.
@usableFromInline
package struct DictionaryWriter: PathWriter {
    @usableFromInline let transaction: WriteTransaction
    @usableFromInline let path: CollectionPath

    @inlinable
    init(_ transaction: WriteTransaction, _ path: CollectionPath) {
        self.transaction = transaction
        self.path = path
    }

    // MARK: Instructions

    /// Returns the index of the entry.
    @discardableResult
    package func set(_ value: StoredValue, forKey key: String) throws -> Int {
        try withPlace { try set(value, forKey: key, $0) }
    }

    /// `values` are single values of the new object. A previous object is removed.
    package func createEmbedded(forKey text: String, _ values: RowValues? = nil) throws -> ObjectKey {
        let place = try place()
        let target = try transaction.links.embeddedTarget(of: place.column, in: place.table, for: values)
        let entry = try requireEntry(text, place)
        // If two objects are created under a key at the same time, the null ensures that all participants keep the same
        // single one.
        try record(.collection(.setEntry(.value(.null), key: text), place))
        try replace(.null, entry, place)
        // As in `createEmbedded` of a property: removing the previous child may have removed the object.
        _ = try self.place()
        try record(.collection(.setEntry(.embeddedObject, key: text), place))
        return try transaction.links.insertEmbedded(into: target, values) { child in
            let place = try self.place()
            try replace(.typedLink(ObjectLink(table: target.key, object: child)), requireEntry(text, place), place)
        }
    }

    @discardableResult
    package func erase(_ key: String) throws -> Bool {
        let place = try place()
        if let fenceIndex = fenceIndex(of: place), let stored = DictionaryTree.storedKey(key, place.keyKind),
            let way = try way(to: stored, place, fenceIndex)
        {
            if way.isFound { try record(.collection(.eraseEntry(key: key), place)) }
            return try erase(entry(stored, at: way, place), way, place, fenceIndex)
        }
        guard let index = try place.collection.dictionary?.index(of: key),
            let old = try place.collection.elements?.value(at: index)
        else { return false }
        try record(.collection(.eraseEntry(key: key), place))
        let lost = try links(of: old, place)
        try change(place) { try DictionaryEditor(store).erase(&$0, place.keyKind, at: index) }
        try linksLost(lost, place)
        return true
    }

    /// Removes all entries; the dictionary then equals one that was never written to (content 12.6).
    package func clear() throws {
        let place = try place()
        guard try place.collection.elements != nil else { return }
        if place.count > 0 { try record(.collection(.clear, place)) }
        let lost = try links(of: place)
        try change(place) { root in
            try store.freeTree(root)
            root = 0
        }
        try linksLost(lost, place)
    }

    package func changedLast() throws -> (dictionary: DictionaryTree, fenceIndex: FenceKeyIndex?)? {
        guard let place = lastChanged(), place.isDictionary else { return nil }
        return (try DictionaryTree(space, place.root, keyType: place.keyType ?? .string), fenceIndex(of: place))
    }

    // MARK: Implementation

    private func set(_ value: StoredValue, forKey text: String, _ place: ResolvedCollection) throws -> Int {
        let value = value.withoutNullPattern
        let key = try requireKey(text, place)
        try validateElement(value, for: place.column, in: place.table)
        try record(.collection(.setEntry(.value(value), key: text), place))
        let stored = stored(value, place)
        guard let fenceIndex = unsafe unretainedFenceIndex(of: place) else {
            return try replace(stored, entry(text, key, place), place)
        }
        return unsafe try fenceIndex._withUnsafeGuaranteedRef { fenceIndex in
            guard let way = try way(to: key, place, fenceIndex) else {
                return try replace(stored, entry(text, key, place), place)
            }
            guard !way.isFound else { return try replace(stored, entry(key, at: way, place), place) }
            try insert(stored, key, at: way, place, fenceIndex)
            try linkGained(stored, place)
            return way.index
        }
    }

    /// Everything in a dictionary is Mixed (content 7.6).
    private func stored(_ value: StoredValue, _ place: ResolvedCollection) -> StoredValue {
        guard case .link(let object) = value else { return value }
        return .typedLink(ObjectLink(table: place.table.oppositeTables[place.column.leafIndex], object: object))
    }

    /// An existing entry, or the position at which to insert it.
    struct DictionaryEntry {
        let key: StoredValue
        let index: Int
        let value: StoredValue?
        /// The path to the key, if it was found by the fence keys.
        var way: LeafPosition?
    }

    func requireEntry(_ text: String, _ place: ResolvedCollection) throws -> DictionaryEntry {
        let key = try requireKey(text, place)
        let found = try fenceIndex(of: place).flatMap { try way(to: key, place, $0) }
        return try found.map { try entry(key, at: $0, place) } ?? entry(text, key, place)
    }

    private func requireKey(_ text: String, _ place: ResolvedCollection) throws -> StoredValue {
        guard let key = DictionaryTree.storedKey(text, place.keyKind) else { throw DictionaryKey.impossible(text) }
        try DictionaryKey.validate(text)
        return key
    }

    private func way(to key: StoredValue, _ place: ResolvedCollection, _ fenceIndex: FenceKeyIndex) throws
        -> LeafPosition?
    {
        guard place.root != 0 else { return nil }
        let top = try space.refs(place.root)
        let keys = BPlusTree(space, try top.child(0), place.keyKind, count: place.count)
        return try keys.place(of: key, by: fenceIndex, companion: top.child(1))
    }

    private func entry(
        _ key: StoredValue, at way: LeafPosition, _ place: ResolvedCollection
    ) throws -> DictionaryEntry {
        guard way.isFound else { return DictionaryEntry(key: key, index: way.index, value: nil, way: way) }
        let values = BPlusTree(space, try DictionaryEditor(store).values(place.root), .mixed, count: place.count)
        let (leaf, row) = try values.row(way.index, near: way)
        return DictionaryEntry(key: key, index: way.index, value: try leaf.value(at: row), way: way)
    }

    private func entry(_ text: String, _ key: StoredValue, _ place: ResolvedCollection) throws -> DictionaryEntry {
        guard let dictionary = try place.collection.dictionary else { throw DictionaryKey.impossible(text) }
        let found = try dictionary.place(of: text)
        let value = found.isFound ? try dictionary.value(at: found.index) : nil
        return DictionaryEntry(key: key, index: found.index, value: value)
    }

    /// Returns the index of the entry.
    @discardableResult
    func replace(_ value: StoredValue, _ entry: DictionaryEntry, _ place: ResolvedCollection) throws -> Int {
        if let old = entry.value, old.isIdentical(to: value) { return entry.index }
        let lost = try entry.value.map { try links(of: $0, place) } ?? []
        if let way = entry.way, let fenceIndex = fenceIndex(of: place) {
            if entry.value == nil {
                try insert(value, entry.key, at: way, place, fenceIndex)
            } else {
                try changeFenced(place, fenceIndex, by: 0) { root in
                    try DictionaryEditor(store).changeValues(&root) {
                        try BPlusTreeEditor(store, .mixed).set(&$0, at: entry.index, value)
                    }
                }
            }
        } else {
            try replaceUnfenced(value, entry, place)
        }
        try linkGained(value, place)
        try linksLost(lost, place)
        return entry.index
    }

    private func insert(
        _ value: StoredValue, _ key: StoredValue, at way: LeafPosition, _ place: ResolvedCollection,
        _ fenceIndex: FenceKeyIndex
    ) throws {
        let (kind, count) = (place.keyKind, place.count)
        try changeFenced(place, fenceIndex, by: 1) {
            try DictionaryEditor(store).insert(&$0, kind, at: way, of: count, by: fenceIndex, key: key, value: value)
        }
    }

    private func replaceUnfenced(_ value: StoredValue, _ entry: DictionaryEntry, _ place: ResolvedCollection) throws {
        try change(place) { root in
            if entry.value == nil {
                try DictionaryEditor(store).insert(&root, place.keyKind, at: entry.index, key: entry.key, value: value)
            } else {
                try DictionaryEditor(store).changeValues(&root) {
                    try BPlusTreeEditor(store, .mixed).set(&$0, at: entry.index, value)
                }
            }
        }
    }

    private func erase(
        _ entry: DictionaryEntry, _ way: LeafPosition, _ place: ResolvedCollection, _ fenceIndex: FenceKeyIndex
    ) throws -> Bool {
        guard let old = entry.value else { return false }
        let lost = try links(of: old, place)
        let (kind, count) = (place.keyKind, place.count)
        try changeFenced(place, fenceIndex, by: -1) {
            try DictionaryEditor(store).erase(&$0, kind, at: way, of: count, by: fenceIndex)
        }
        try linksLost(lost, place)
        return true
    }

    func requireKind(of place: ResolvedCollection) throws {
        guard place.isDictionary else {
            throw StorageError.absent("the collection in '\(place.column.name)' is not a dictionary")
        }
    }
}

extension WriteTransaction {
    @inlinable package func dictionary(at path: CollectionPath) -> DictionaryWriter { DictionaryWriter(self, path) }
}

/// The rule for keys of dictionaries (content 7.6): any text without a dot that does not start with a dollar sign.
package enum DictionaryKey {
    @inline(never) static func impossible(_ key: String) -> any Error {
        StorageError(.invalidArgument, "'\(key)' cannot be a key here")
    }

    package static func validate(_ key: String) throws(StorageError) {
        var key = key
        let refusal: StorageError? = key.withUTF8 { bytes in
            if unsafe bytes.contains(UInt8(ascii: ".")) {
                return StorageError(.invalidArgument, "Dictionary::insert: key must not contain '.'")
            }
            if unsafe bytes.first == UInt8(ascii: "$") {
                return StorageError(.invalidArgument, "Dictionary::insert: key must not start with '$'")
            }
            return bytes.count <= FileFormat.maximumStringByteCount
                ? nil : StorageError(.limitExceeded, "String too big")
        }
        if let refusal { throw refusal }
    }
}
