// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The untyped core of a managed `MutableSet`. Positions are those of the file, which stores sets in order, except for
/// links to objects that don't exist in this file.
final class ManagedSet: ManagedCollection {
    @safe @exclusivity(unchecked) private var tree: SetTree?
    /// The positions of the visible elements in the tree; nil if no element is hidden.
    @safe @exclusivity(unchecked) private var visible: [Int]?
    /// An index of the elements of the tree. Created at the first search for an element.
    @safe @exclusivity(unchecked) private var knownFenceIndex: FenceKeyIndex?

    override var words: CollectionVocabulary { .set }

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

    override var foundCount: Int { visible?.count ?? tree?.count ?? 0 }

    /// Returns element `index`; null if it doesn't exist.
    func element(at index: Int) -> _StoredElement {
        guard isReadable, let tree else { return element(.null) }
        guard index >= 0, index < foundCount else { return element(.null) }
        return element(realm.reading(.null) { try tree.value(at: visible?[index] ?? index) })
    }

    override func values() -> [StoredValue] {
        guard isReadable, let tree else { return [] }
        return realm.reading([]) {
            let all = try tree.values()
            return visible.map { $0.map { all[$0] } } ?? all
        }
    }

    override func keys() -> [ObjectKey] {
        guard isReadable, let tree else { return [] }
        return realm.reading([]) { try tree.tree.keys().filter { !$0.isUnresolved } }
    }

    override func makeCursor() -> ElementCursor {
        guard isOfValues, isReadable, let tree = tree?.tree else { return super.makeCursor() }
        return ElementCursor(realm, tree, of: self)
    }

    func contains(_ value: StoredValue) -> Bool {
        guard isReadable, let tree else { return false }
        return reading(false) { try tree.contains(value, by: fenceIndex) }
    }

    // MARK: Changes, by a caller that has verified the write and the owner

    func insert(_ element: _StoredContent) {
        if case .value(let value) = element.kind { return insert(value) }
        verifyClass(of: element)
        realm.put(element, at: .setElement(path), update: .error)
    }

    func insert(_ value: StoredValue) {
        change { _ = try $0.set(at: path).insert(value) }
    }

    func remove(_ value: StoredValue) {
        change { _ = try $0.set(at: path).erase(value) }
    }

    func removeAll() {
        change { try $0.set(at: path).clear() }
    }
}
