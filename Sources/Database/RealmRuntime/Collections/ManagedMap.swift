// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The untyped core of a managed `Map`. Entries are in the order of the file, which is that of the keys.
@usableFromInline
package final class ManagedMap: ManagedCollection {
    @safe @exclusivity(unchecked) private var tree: DictionaryTree?
    /// An index of the keys of that tree. Created at the first search for a key.
    @safe @exclusivity(unchecked) private var knownFenceIndex: FenceKeyIndex?

    package override var words: CollectionVocabulary { .dictionary }

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

    package override var foundCount: Int { tree?.count ?? 0 }

    /// Returns the value of a key, as presented to users; nil if the key doesn't exist.
    package func storedValue(forKey key: String) -> StoredValue? {
        guard let (values, row) = entry(of: key), let value = reading(nil, { try values.value(at: row) }) else {
            return nil
        }
        return seen(value)
    }

    /// Returns the leaf that contains the value of a key, and its row there; nil if the key doesn't exist.
    package func entry(of key: String) -> (values: MixedLeaf, row: Int)? {
        guard isReadable else { return nil }
        return reading(nil) { try tree?.entry(of: key, by: fenceIndex) }
    }

    /// The trees of the keys and of the values; nil if the map doesn't exist or has never had an entry.
    package var entryTrees: (keys: BPlusTree, values: BPlusTree)? {
        guard isReadable, let tree, let keys = tree.keys, let values = tree.valuesTree else { return nil }
        return (keys, values)
    }

    /// Returns the current keys, in the order of `values()`.
    package func entryKeys() -> [String] {
        guard isReadable, let tree else { return [] }
        return realm.reading([]) { try tree.keyTexts() }
    }

    package override func values() -> [StoredValue] {
        guard isReadable, let tree else { return [] }
        return realm.reading([]) { try tree.values().map(seen) }
    }

    package override func keys() -> [ObjectKey] {
        values().compactMap { if case .link(let key) = $0 { key } else { nil } }
    }

    /// Returns a value as presented to users: a link without its class, which is that of the column, and null if its
    /// object doesn't exist.
    package override func seen(_ value: StoredValue) -> StoredValue {
        guard column.type == .link, case .typedLink(let link) = value else { return value }
        return link.object.isUnresolved ? .null : .link(link.object)
    }

    // MARK: Changes, by a caller that has verified the write and the owner

    package func set(_ value: StoredValue, forKey key: String) {
        change { _ = try $0.dictionary(at: path).set(value, forKey: key) }
    }

    package func remove(_ key: String) {
        change { _ = try $0.dictionary(at: path).erase(key) }
    }

    package func removeAll() {
        change { try $0.dictionary(at: path).clear() }
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
