// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A map entry that an iterator can create from a key and its value. `SingleMapEntry` conforms to it.
public protocol _RealmMapValue {
    /// The type of the key.
    associatedtype Key: _MapKey
    /// The type of the value.
    associatedtype Value: RealmCollectionValue

    init(_key: Key, value: Value)
}

/// An entry of a `Map`.
///
/// Two entries are equal if their values are equal; their keys aren't compared.
public struct SingleMapEntry<Key: _MapKey, Value: RealmCollectionValue>: _RealmMapValue, Hashable {
    /// The key of the entry.
    public var key: Key
    /// The value of the entry.
    public var value: Value

    @inlinable public init(_key: Key, value: Value) {
        key = _key
        self.value = value
    }

    public static func == (lhs: SingleMapEntry, rhs: SingleMapEntry) -> Bool { lhs.value == rhs.value }

    /// Hashes the key.
    public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

/// The position of an entry in a `Map`.
public struct MapIndex {
    /// The number of entries before this one.
    public var offset: UInt
}

/// An iterator over the entries that a map had when the iteration began.
@frozen public struct RLMMapIterator<Element: _RealmMapValue>: IteratorProtocol {
    @usableFromInline var entries: _MapEntries<Element.Key, Element.Value>

    @usableFromInline init(_ entries: _MapEntries<Element.Key, Element.Value>) { self.entries = entries }

    @inlinable public mutating func next() -> Element? {
        guard let entry = entries.next() else { return nil }
        return Element(_key: entry.key, value: entry.value)
    }
}

/// An iterator over the keys and values that a map had when the iteration began.
@frozen public struct RLMKeyValueIterator<Key: _MapKey, Value: RealmCollectionValue>: IteratorProtocol {
    public typealias Element = (key: Key, value: Value)

    @usableFromInline var entries: _MapEntries<Key, Value>

    @usableFromInline init(_ entries: _MapEntries<Key, Value>) { self.entries = entries }

    @inlinable public mutating func next() -> (key: Key, value: Value)? { entries.next() }
}

/// The state of an iteration, shared by `RLMMapIterator` and `RLMKeyValueIterator`: the entries that the map
/// had at its start.
public struct _MapEntries<Key: _MapKey, Value: RealmCollectionValue> {
    @usableFromInline var keys: [Key]
    @usableFromInline var values: [Value]
    @usableFromInline var position = 0
    /// The remaining entries of a managed map, after `keys` and `values`.
    private var walks: (keys: ValueWalk, values: ValueWalk)?

    init(_ map: Map<Key, Value>) {
        keys = map.storage.entries.map(\.key)
        values = map.storage.entries.map(\.value)
        walks = map.managed?.makeWalks()
    }

    @inlinable mutating func next() -> (key: Key, value: Value)? {
        guard position < keys.count || advance() else { return nil }
        position &+= 1
        return (keys[position &- 1], values[position &- 1])
    }

    /// Reads more entries. Returns false at the end and if the file is damaged.
    @usableFromInline @inline(never) mutating func advance() -> Bool {
        position = 0
        let texts = walks?.keys.next(String.self) ?? []
        // An array whose keys are strings already needs no conversion.
        keys = texts as Any as? [Key] ?? texts.map(Key.init(_mapKey:))
        values = walks?.values.next(Value.self) ?? []
        if keys.count != values.count { (keys, values) = ([], []) }
        return !keys.isEmpty
    }
}

extension Map: Sequence {
    public func makeIterator() -> RLMMapIterator<SingleMapEntry<Key, Value>> { RLMMapIterator(_MapEntries(self)) }

    /// Returns the entries as a sequence of key-value pairs.
    public func asKeyValueSequence() -> KeyValueSequence { KeyValueSequence(map: self) }

    /// The entries of a map as a sequence of key-value pairs.
    public struct KeyValueSequence: Sequence {
        let map: Map<Key, Value>

        public func makeIterator() -> RLMKeyValueIterator<Key, Value> { RLMKeyValueIterator(_MapEntries(map)) }
    }
}
