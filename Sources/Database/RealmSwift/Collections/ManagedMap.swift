// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The untyped core of a managed `Map`. Entries are in the order of the file, which is that of the keys.
@usableFromInline
final class ManagedMap: ManagedCollection {
    @safe @exclusivity(unchecked) private var tree: DictionaryTree?
    /// An index of the keys of that tree. Created at the first search for a key.
    @safe @exclusivity(unchecked) private var knownFenceIndex: FenceKeyIndex?

    override var words: CollectionVocabulary { .dictionary }

    override func found(_ collection: StoredCollection?) throws {
        tree = collection?.dictionary
        knownFenceIndex = nil
    }

    override func foundAfterChange(in transaction: WriteTransaction) -> Bool {
        guard let changed = reading(nil, { try transaction.dictionary(at: path).changedLast() }) else { return false }
        (tree, knownFenceIndex) = (changed.dictionary, changed.fenceIndex)
        return true
    }

    /// nil for a frozen map, in which several threads may search.
    private var fenceIndex: FenceKeyIndex? {
        if knownFenceIndex == nil, !realm.isFrozen { knownFenceIndex = FenceKeyIndex() }
        return knownFenceIndex
    }

    #if DEBUG
        override func isCached(_ collection: StoredCollection?) -> Bool {
            tree?.keys?.root == collection?.dictionary?.keys?.root
                && tree?.valuesTree?.root == collection?.dictionary?.valuesTree?.root
        }
    #endif

    override var isFound: Bool { tree != nil }

    override var foundCount: Int { tree?.count ?? 0 }

    /// Returns the position of the value of a key in a map of values; nil if the key doesn't exist.
    @usableFromInline
    func place(of key: String) -> (leaf: _StoredLeaf, row: Int)? {
        entry(of: key).map { (_StoredLeaf(ColumnLeaf($0.values), realm, self), $0.row) }
    }

    /// Returns the value of a key in a map of ints; nil if the key doesn't exist.
    @usableFromInline
    func number(of key: String) -> Int? {
        guard let (values, row) = entry(of: key) else { return nil }
        if let number = try? values.inlineInt(at: row) { return number }
        return Int._element(row, of: _StoredLeaf(ColumnLeaf(values), realm, self))
    }

    func value(forKey key: String) -> _StoredElement? {
        guard let (values, row) = entry(of: key), let value = reading(nil, { try values.value(at: row) }) else {
            return nil
        }
        return element(seen(value))
    }

    func contains(key: String) -> Bool { entry(of: key) != nil }

    @inline(__always)
    private func entry(of key: String) -> (values: MixedLeaf, row: Int)? {
        guard isReadable else { return nil }
        return reading(nil) { try tree?.entry(of: key, by: fenceIndex) }
    }

    /// Returns the key and the value of entry `index`, which must be below the count.
    func entry(at index: Int) -> (key: String, value: _StoredElement) {
        guard isReadable, let tree else { return ("", element(.null)) }
        return realm.reading(("", element(.null))) {
            (try tree.key(at: index), element(seen(try tree.value(at: index))))
        }
    }

    func makeWalks() -> (keys: ValueWalk, values: ValueWalk) {
        guard isReadable, let tree, let keys = tree.keys, let values = tree.valuesTree else {
            return (ValueWalk(realm, [], of: nil), ValueWalk(realm, [], of: nil))
        }
        // Keys that are ints are read as their digits.
        let isOfTexts = keys.kind == .string
        return (
            isOfTexts ? ValueWalk(realm, keys, of: nil) : ValueWalk(realm, entryKeys().map { .string($0) }, of: nil),
            ValueWalk(realm, values, of: self)
        )
    }

    /// Returns the current keys, in the order of `values()`.
    func entryKeys() -> [String] {
        guard isReadable, let tree else { return [] }
        return realm.reading([]) { try tree.keyTexts() }
    }

    override func values() -> [StoredValue] {
        guard isReadable, let tree else { return [] }
        return realm.reading([]) { try tree.values().map(seen) }
    }

    override func keys() -> [ObjectKey] {
        values().compactMap { if case .link(let key) = $0 { key } else { nil } }
    }

    /// Returns a cursor over the values, with null for objects that don't exist.
    override func makeCursor() -> ElementCursor { ElementCursor(realm, values(), of: self) }

    /// Returns a value as presented to users: a link without its class, which is that of the column, and null if its
    /// object doesn't exist.
    override func seen(_ value: StoredValue) -> StoredValue {
        guard column.type == .link, case .typedLink(let link) = value else { return value }
        return link.object.isUnresolved ? .null : .link(link.object)
    }

    // MARK: Changes, by a caller that has verified the write and the owner

    func set(_ value: _StoredContent, forKey key: String) {
        if case .value(let value) = value.kind {
            change { _ = try $0.dictionary(at: path).set(value, forKey: key) }
            return
        }
        verifyClass(of: value)
        if case .object(let object) = value.kind, object.livesInParent, isValue(of: key, object) { return }
        realm.put(value, at: .entry(path, key), update: .error)
    }

    func remove(_ key: String) {
        change { _ = try $0.dictionary(at: path).erase(key) }
    }

    func removeAll() {
        change { try $0.dictionary(at: path).clear() }
    }

    private func isValue(of key: String, _ object: ObjectBase) -> Bool {
        guard object._rlmRow.realm === realm, object._rlmRow.managed?.tableKey == elementClass?.tableKey,
            let stored = value(forKey: key)
        else {
            return false
        }
        return stored.value == .link(object._rlmRow.key)
    }
}

extension DictionaryTree {
    /// Returns all keys, leaf by leaf; an Int key as its digits.
    fileprivate func keyTexts() throws -> [String] {
        try keys?.values().enumerated().map { index, key in
            if case .string(let text) = key { text } else { try self.key(at: index) }
        } ?? []
    }
}
