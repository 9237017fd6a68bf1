// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The untyped core of a managed `MutableSet`. Positions are those of the file, which stores sets in order, except for
/// links to objects that don't exist in this file.
@usableFromInline
package final class ManagedSet: ManagedCollection {
    @safe @exclusivity(unchecked) private var tree: SetTree?
    /// The positions of the visible elements in the tree; nil if no element is hidden.
    @safe @exclusivity(unchecked) private var visible: [Int]?
    /// An index of the elements of the tree. Created at the first search for an element.
    @safe @exclusivity(unchecked) private var knownFenceIndex: FenceKeyIndex?

    package override var words: CollectionVocabulary { .set }

    override func found(_ collection: StoredCollection?) throws {
        tree = collection?.set
        (visible, knownFenceIndex) = (nil, nil)
        guard let elements = tree?.tree, try elements.hidesElements else { return }
        visible = try elements.keys().enumerated().filter { !$0.element.isUnresolved }.map(\.offset)
    }

    override func foundAfterChange(in transaction: WriteTransaction) -> Bool {
        guard let changed = reading(nil, { try transaction.set(at: path).changedLast() }),
            reading(nil, { try found(.set(changed.set)) }) != nil
        else { return false }
        knownFenceIndex = changed.fenceIndex
        return true
    }

    /// nil for a frozen set, in which several threads may search.
    private var fenceIndex: FenceKeyIndex? {
        if knownFenceIndex == nil, !realm.isFrozen { knownFenceIndex = FenceKeyIndex() }
        return knownFenceIndex
    }

    #if DEBUG
        override func isCached(_ collection: StoredCollection?) -> Bool {
            tree?.tree.root == collection?.set?.tree.root
        }
    #endif

    override var isFound: Bool { tree != nil }

    package override var foundCount: Int { visible?.count ?? tree?.count ?? 0 }

    /// Returns element `index`; null if it doesn't exist.
    package func value(at index: Int) -> StoredValue {
        guard isReadable, let tree, index >= 0, index < foundCount else { return .null }
        return realm.reading(.null) { try tree.value(at: visible?[index] ?? index) }
    }

    package override func values() -> [StoredValue] {
        guard isReadable, let tree else { return [] }
        return realm.reading([]) {
            let all = try tree.values()
            return visible.map { $0.map { all[$0] } } ?? all
        }
    }

    package override func keys() -> [ObjectKey] {
        guard isReadable, let tree else { return [] }
        return realm.reading([]) { try tree.tree.keys().filter { !$0.isUnresolved } }
    }

    package override var elementTree: BPlusTree? { isOfValues && isReadable ? tree?.tree : nil }

    package func contains(_ value: StoredValue) -> Bool {
        guard isReadable, let tree else { return false }
        return reading(false) { try tree.contains(value, by: fenceIndex) }
    }

    // MARK: Changes, by a caller that has verified the write and the owner

    package func insert(_ value: StoredValue) {
        change { _ = try $0.set(at: path).insert(value) }
    }

    package func remove(_ value: StoredValue) {
        change { _ = try $0.set(at: path).erase(value) }
    }

    package func removeAll() {
        change { try $0.set(at: path).clear() }
    }
}
