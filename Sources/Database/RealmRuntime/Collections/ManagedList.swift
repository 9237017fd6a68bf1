// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The untyped core of a managed `List`.
///
/// Positions count the visible elements. Links to objects that don't exist in this file are hidden, and positions are
/// translated (content 7.4).
@usableFromInline
package final class ManagedList: ManagedCollection {
    /// The object that creates accessors of the elements that are read by position, for a live list only. Used by the
    /// module with models.
    @safe @exclusivity(unchecked) package var accessors: AnyObject?

    /// The number of visible elements; nil if the list no longer exists.
    @safe @exclusivity(unchecked) @usableFromInline private(set) var size: Int?
    @safe @exclusivity(unchecked) private var cursor: BPlusTreeCursor?
    /// Whether the cursor has to be moved before use, because it is still in the state before the last changes.
    @safe @exclusivity(unchecked) private var isBehind = false
    /// The list for reads of numbers and links. Created on demand, but at once for a frozen list, which several threads
    /// may read.
    @safe @exclusivity(unchecked) @usableFromInline private(set) var packed: PackedTree?
    /// The positions of the visible elements in the tree; nil if no element is hidden.
    @safe @exclusivity(unchecked) @usableFromInline private(set) var visible: [Int]?

    override func found(_ collection: StoredCollection?) throws {
        (visible, size, packed, isBehind) = (nil, nil, nil, false)
        if case .list(let tree) = collection { try found(tree) }
    }

    private func found(_ tree: BPlusTree) throws {
        cursor = BPlusTreeCursor(tree)
        size = tree.count
        if realm.isFrozen { packed = PackedTree(tree) }
        guard try tree.hidesElements else { return }
        visible = try tree.keys().enumerated().filter { !$0.element.isUnresolved }.map(\.offset)
        size = visible?.count
    }

    override func foundAfterChange(in transaction: WriteTransaction) -> Bool {
        hasFollowed(transaction.list(at: path).followedCount)
    }

    /// Updates the size after a change, if the transaction provides it. Returns false if it doesn't, or if elements are
    /// or were hidden.
    @inline(__always)
    private func hasFollowed(_ count: Int?) -> Bool {
        guard let count, size != nil, visible == nil else { return false }
        (size, packed, isBehind) = (count, nil, true)
        return true
    }

    /// Whether the list can be read through the cursor, like `isReadable`. Moving the cursor takes longer than a small
    /// change and is deferred, because most changes aren't followed by a read.
    private var isCursorReadable: Bool {
        guard isReadable else { return false }
        return isBehind ? hasCaughtUp() : true
    }

    @inline(never) private func hasCaughtUp() -> Bool {
        isBehind = false
        if let transaction = realm.transaction, transaction.list(at: path).follow(&cursor) { return true }
        isOutOfDate()
        return isReadable
    }

    /// Makes a change after which the next read need not search for the list.
    ///
    /// `body` receives the parts of the list it needs as arguments: a closure that captures the list retains it, which
    /// takes as long as a small change.
    @inline(__always)
    func changeFollowed(_ body: (WriteTransaction, CollectionPath) throws -> Int?) {
        let list = unsafe Unmanaged.passUnretained(self)
        let count = change { transaction in try unsafe list._withUnsafeGuaranteedRef { try body(transaction, $0.path) }
        }
        if isInPlace, hasFollowed(count ?? nil) { isUpToDate() }
    }

    #if DEBUG
        override func isCached(_ collection: StoredCollection?) -> Bool {
            guard let list = collection?.list else { return size == nil }
            return isBehind ? size == list.count : cursor?.tree.root == list.root
        }
    #endif

    override var isFound: Bool { size != nil }
    /// Whether positions are translated, according to the last search.
    package var hidesElements: Bool { visible != nil }

    package override var foundCount: Int { size ?? 0 }

    /// Returns element `index`; null if it doesn't exist.
    package func value(at index: Int) -> StoredValue {
        guard isCursorReadable, index >= 0, index < foundCount else { return .null }
        return realm.reading(.null) {
            let index = visible?[index] ?? index
            if realm.isFrozen { return try cursor?.tree.value(at: index) ?? .null }
            guard let (leaf, row) = try cursor?.position(index) else { return .null }
            return try leaf.value(at: row)
        }
    }

    /// Returns element `index` of a list of ints, or its key in a list of objects; nil if it doesn't exist, if the list
    /// has another type or hides elements, and if the file is damaged. Doesn't report the read of a deleted list, since
    /// the caller then reads in another way.
    @inlinable @inline(__always)
    package func number(at index: Int) -> Int64? {
        update()
        guard let size, index >= 0, index < size, visible == nil else { return nil }
        return packed?.elementBelowCompactRoot(at: index) ?? otherNumber(at: index)
    }

    @inline(never) @usableFromInline func otherNumber(at index: Int) -> Int64? {
        if packed == nil, !realm.isFrozen, isCursorReadable { packed = cursor.flatMap { PackedTree($0.tree) } }
        return packed?.elementBelowAnyRoot(at: index)
    }

    /// Returns the leaf that contains element `index`, and its row there, for a list of values; nil if the element
    /// doesn't exist.
    package func position(of index: Int) -> (leaf: ColumnLeaf, row: Int)? {
        guard isCursorReadable, isOfValues, 0..<foundCount ~= index else { return nil }
        return realm.reading(nil) {
            if realm.isFrozen {
                guard let leaf = try cursor?.tree.leaf(holding: index) else { return nil }
                return (leaf.leaf, index - leaf.start)
            }
            return try cursor?.position(index)
        }
    }

    /// Returns the key of element `index` of a list of objects; nil if it doesn't exist.
    package func key(at index: Int) -> ObjectKey? {
        if let number = number(at: index), number >= 0 { return ObjectKey(number) }
        return if case .link(let key) = value(at: index) { key } else { nil }
    }

    package override func values() -> [StoredValue] {
        guard isCursorReadable, let tree = cursor?.tree else { return [] }
        return realm.reading([]) {
            let all = try tree.values()
            return visible.map { $0.map { all[$0] } } ?? all
        }
    }

    package override func keys() -> [ObjectKey] {
        guard isCursorReadable, let tree = cursor?.tree else { return [] }
        return realm.reading([]) { try tree.keys().filter { !$0.isUnresolved } }
    }

    package override var elementTree: BPlusTree? { isOfValues && isCursorReadable ? cursor?.tree : nil }

    package func index(of value: StoredValue) -> Int? {
        if case .link(let key) = value { return keys().firstIndex(of: key) }
        return values().firstIndex(of: value)
    }

    /// Returns the position in the tree of element `index`, or the end of the tree.
    package func treePosition(_ index: Int) -> Int {
        guard let visible else { return index }
        return visible.element(at: index) ?? cursor?.tree.count ?? 0
    }
}
