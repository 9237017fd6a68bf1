// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

/// Iterates in batches over the values that a collection had when the walk was created. The first batches are small,
/// because an iteration may end early.
struct ValueWalk {
    private let realm: RealmInstance
    private let collection: ManagedCollection?
    private let tree: BPlusTree?
    /// Guarantees that the addresses in `tree` stay valid. Nil during a write, which changes nodes in place, so the
    /// values are copied.
    private let snapshot: Snapshot?
    private var copies: [StoredValue] = []
    private var index = 0
    private var step = 16

    init(_ realm: RealmInstance, _ values: [StoredValue], of collection: ManagedCollection?) {
        self.realm = realm
        self.collection = collection
        (tree, snapshot) = (nil, nil)
        copies = values
    }

    init(_ realm: RealmInstance, _ tree: BPlusTree, of collection: ManagedCollection?) {
        self.realm = realm
        self.collection = collection
        snapshot = realm.transaction == nil ? realm.snapshot : nil
        self.tree = snapshot == nil ? nil : tree
        if snapshot == nil { copies = realm.reading([], { try tree.values() }) }
    }

    mutating func next<Element: RealmCollectionValue>(_ type: Element.Type) -> [Element] {
        let range = index..<min(index + step, count)
        // Without this check, creating the array would write to the empty array that all threads share.
        if range.isEmpty { return [] }
        let elements = unsafe [Element](unsafeUninitializedCapacity: range.count) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            while count < range.count {
                let read = unsafe read(type, range.dropFirst(count), to: start + count)
                count += read
                if read == 0 { break }
            }
        }
        index = elements.count == range.count ? range.upperBound : count
        step = min(step * 4, FileFormat.treeNodeCapacity)
        return elements
    }

    private var count: Int { tree?.count ?? copies.count }

    /// Reads the values of `range` that are in its first leaf. Returns their number; 0 for damage.
    private func read<Element: RealmCollectionValue>(
        _ type: Element.Type, _ range: Range<Int>, to address: UnsafeMutablePointer<Element>
    ) -> Int {
        guard let tree else {
            for index in range {
                unsafe (address + index - range.lowerBound).initialize(to: ._element(seen(copies[index])))
            }
            return range.count
        }
        guard let leaf = realm.reading(nil, { try tree.leaf(holding: range.lowerBound) }) else { return 0 }
        let rows = range.clamped(to: leaf.range)
        return unsafe Element._read(
            rows.lowerBound - leaf.start..<rows.upperBound - leaf.start, of: _StoredLeaf(leaf.leaf, realm, collection),
            to: address)
    }

    private func seen(_ value: StoredValue) -> _StoredElement {
        collection.map { $0.element($0.seen(value)) } ?? _StoredElement(value: value, realm: realm)
    }
}

/// Adjacent values in a leaf of a collection, for conversion to a Swift type. Valid only during the call that creates
/// it, like `_StoredElement`.
public struct _StoredLeaf {
    @usableFromInline let leaf: ColumnLeaf
    @safe unowned(unsafe) let realm: RealmInstance
    @safe unowned(unsafe) let collection: ManagedCollection?

    init(_ leaf: ColumnLeaf, _ realm: RealmInstance, _ collection: ManagedCollection?) {
        self.leaf = leaf
        self.realm = realm
        self.collection = collection
    }

    func element(_ row: Int) throws -> _StoredElement {
        let value = try leaf.value(at: row)
        guard let collection else { return _StoredElement(value: value, realm: realm) }
        return collection.element(collection.seen(value))
    }

    /// Writes the results of `element` to memory, up to the first damaged row. Returns their number.
    func read<Element>(
        _ rows: Range<Int>, to address: UnsafeMutableRawPointer, _ element: (Int) throws -> Element
    ) -> Int {
        let elements = unsafe address.assumingMemoryBound(to: Element.self)
        var count = 0
        realm.reading(()) {
            for row in rows {
                unsafe (elements + count).initialize(to: try element(row))
                count += 1
            }
        }
        return count
    }
}

/// A managed list whose values are read one at a time. Valid only during the call that creates it.
@frozen
@safe public struct _StoredList {
    @usableFromInline let list: Unmanaged<ManagedList>

    @inlinable init(_ list: Unmanaged<ManagedList>) { unsafe self.list = unsafe list }
}

/// A managed map whose values are read one at a time. Valid only during the call that creates it.
@frozen
@safe public struct _StoredMap {
    @usableFromInline let map: Unmanaged<ManagedMap>

    @inlinable init(_ map: Unmanaged<ManagedMap>) { unsafe self.map = unsafe map }
}

extension RealmCollectionValue {
    @inlinable public static func _element(_ key: String, of map: _StoredMap) -> Self? {
        guard let place = unsafe map.map._withUnsafeGuaranteedRef({ $0.place(of: key) }) else { return nil }
        return _element(place.row, of: place.leaf)
    }

    @inlinable public static func _element(_ index: Int, of list: _StoredList) -> Self? {
        guard let place = unsafe list.list._withUnsafeGuaranteedRef({ $0.place(of: index) }) else { return nil }
        return _element(place.row, of: place.leaf)
    }

    public static func _element(_ row: Int, of leaf: _StoredLeaf) -> Self {
        _element(leaf.realm.reading(_StoredElement(value: .null, realm: leaf.realm)) { try leaf.element(row) })
    }

    public static func _read(_ rows: Range<Int>, of leaf: _StoredLeaf, to address: UnsafeMutableRawPointer) -> Int {
        unsafe leaf.read(rows, to: address) { _element(try leaf.element($0)) }
    }
}

extension Int {
    @inlinable public static func _element(_ key: String, of map: _StoredMap) -> Int? {
        unsafe map.map._withUnsafeGuaranteedRef { $0.number(of: key) }
    }

    @inlinable public static func _element(_ index: Int, of list: _StoredList) -> Int? {
        unsafe list.list._withUnsafeGuaranteedRef { $0.number(at: index) }.map { Int($0) }
    }

    @inlinable public static func _element(_ row: Int, of leaf: _StoredLeaf) -> Int {
        if case .int = leaf.leaf.kind, row < leaf.leaf.count { return Int(leaf.leaf.node[row]) }
        return _otherElement(row, of: leaf)
    }

    @usableFromInline static func _otherElement(_ row: Int, of leaf: _StoredLeaf) -> Int {
        if case .mixed = leaf.leaf.kind, let value = try? leaf.leaf.mixed.inlineInt(at: row) { return value }
        return _element(leaf.realm.reading(_StoredElement(value: .null, realm: leaf.realm)) { try leaf.element(row) })
    }

    public static func _read(_ rows: Range<Int>, of leaf: _StoredLeaf, to address: UnsafeMutableRawPointer) -> Int {
        switch leaf.leaf.kind {
        case .int: return unsafe leaf.read(rows, to: address) { Int(try leaf.leaf.int(at: $0)) }
        case .mixed:
            guard let mixed = leaf.realm.reading(nil, { try leaf.leaf.mixed }) else { return 0 }
            let inline = unsafe mixed.inlineInts(rows, to: address.assumingMemoryBound(to: Int.self))
            let rest = unsafe address + inline * MemoryLayout<Int>.stride
            return unsafe inline
                + leaf.read(rows.dropFirst(inline), to: rest) {
                    try mixed.inlineInt(at: $0) ?? _element(leaf.element($0))
                }
        default: return unsafe leaf.read(rows, to: address) { _element(try leaf.element($0)) }
        }
    }
}

extension String {
    public static func _read(_ rows: Range<Int>, of leaf: _StoredLeaf, to address: UnsafeMutableRawPointer) -> Int {
        guard case .string = leaf.leaf.kind else {
            return unsafe leaf.read(rows, to: address) { _element(try leaf.element($0)) }
        }
        let (node, isKnown) = (leaf.leaf.node, SmallString.isKnown)
        let made = unsafe SmallString.make(rows, of: node, to: address.assumingMemoryBound(to: String.self))
        return unsafe made
            + leaf.read(rows.dropFirst(made), to: address + made * MemoryLayout<String>.stride) { row in
                try node.shortText(row, isKnown: isKnown) ?? leaf.leaf.string(at: row) ?? ""
            }
    }
}
