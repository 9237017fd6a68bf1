// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmStorage

/// A collection of values or objects by key, used as the type of a property.
///
/// ```swift
/// class Dog: Object {
///     @Persisted var friends: Map<String, Dog?>
///     @Persisted var traits: Map<String, AnyRealmValue>
/// }
/// ```
///
/// Keys are strings; in a Realm they can't contain a dot or begin with a dollar sign. Objects are stored as optional
/// values: if an object is deleted, its entry remains with the value nil. Removing an entry doesn't delete an object
/// unless it is an embedded one.
///
/// A map is a reference type. Assigning to a map property copies the entries; the property's map remains the same
/// instance. Changing a managed map outside of a write transaction traps. The order of the entries is unspecified, but
/// is the same for `keys`, `values` and iteration.
@safe public final class Map<Key: _MapKey, Value: RealmCollectionValue>: RLMSwiftCollectionBase {
    /// The entries of an unmanaged map.
    var storage = UniqueEntries<Key, Value>()
    /// The core of a managed map; nil while unmanaged. Doesn't retain the owner, which retains this map.
    @safe @exclusivity(unchecked) var managed: ManagedMap? {
        didSet { reference = unsafe managed.map(Unmanaged.passUnretained) }
    }
    /// An unretained `managed`, for single entries: a retain takes as long as a part of the search.
    @safe @exclusivity(unchecked) @usableFromInline var reference: Unmanaged<ManagedMap>?

    /// Creates an empty unmanaged map.
    public override init() {}

    init(_ managed: ManagedMap) {
        self.managed = managed
        reference = unsafe .passUnretained(managed)
    }

    /// The Realm that manages the map; nil when unmanaged.
    public var realm: Realm? { managed.map { Realm($0.realm) } }

    /// A Boolean value that indicates whether the map was managed and its object was deleted, or its Realm was
    /// invalidated. Such a map reads as empty and can't be changed.
    public var isInvalidated: Bool { managed?.isInvalidated ?? false }

    /// The number of entries.
    public override var count: Int {
        if let managed { return managed.count }
        return storage.entries.count
    }

    /// The keys, in the order of iteration, which is also the order of `values`.
    public var keys: [Key] {
        managed.map { $0.entryKeys().map(Key.init(_mapKey:)) } ?? storage.entries.map(\.key)
    }

    /// The values, in the order of `keys`.
    public var values: [Value] { map(\.value) }

    /// Accesses the value of a key; nil if the key doesn't exist. Assigning nil removes the entry; use
    /// `updateValue(nil, forKey:)` to store nil as the value of a key.
    public subscript(key: Key) -> Value? {
        @inlinable get {
            guard let reference, unsafe reference._withUnsafeGuaranteedRef({ $0.isOfValues }) else {
                return otherValue(key)
            }
            return unsafe Value._element(key._mapKey, of: _StoredMap(reference))
        }
        @inlinable set {
            if let newValue { updateValue(newValue, forKey: key) } else { removeObject(for: key) }
        }
    }

    /// The slow path of the subscript: unmanaged maps and maps of objects.
    @usableFromInline @inline(never) func otherValue(_ key: Key) -> Value? {
        guard let managed else { return storage[key] ?? PropertyProbe.element(Value.self) }
        return managed.value(forKey: key._mapKey).map(Value._element)
    }

    // MARK: Changes

    /// Sets the value of a key, adding an entry if the key doesn't exist.
    public func updateValue(_ value: Value, forKey key: Key) {
        guard let reference else { return store(value, forKey: key) }
        unsafe reference._withUnsafeGuaranteedRef { managed in
            managed.verifyChange()
            managed.set(value._rlmContent, forKey: key._mapKey)
        }
    }

    @inline(never) private func store(_ value: Value, forKey key: Key) { storage[key] = value }

    /// Adds the entries of a sequence. For a key that already exists, `combine` computes the value from the existing
    /// and the new one.
    public func merge<S: Sequence>(
        _ sequence: S, uniquingKeysWith combine: (Value, Value) throws -> Value
    ) rethrows where S.Element == (key: Key, value: Value) {
        managed?.verifyChange()
        for (key, value) in Array(sequence) {
            updateValue(try self[key].map { try combine($0, value) } ?? value, forKey: key)
        }
    }

    /// Adds the entries of another map. For a key that already exists, `combine` computes the value from the existing
    /// and the new one.
    public func merge(
        _ other: Map<Key, Value>, uniquingKeysWith combine: (Value, Value) throws -> Value
    ) rethrows {
        try merge(other.asKeyValueSequence(), uniquingKeysWith: combine)
    }

    /// Removes the entry with this key, if it exists.
    public func removeObject(for key: Key) {
        guard let managed else { return storage[key] = nil }
        managed.verifyChange()
        managed.remove(key._mapKey)
    }

    /// Removes all entries.
    public func removeAll() {
        guard let managed else {
            storage = UniqueEntries()
            return
        }
        managed.verifyChange()
        managed.removeAll()
    }

    // MARK: Interface for the owner

    override func attach(to owner: ObjectBase, _ key: PropertyKey) {
        guard let anchor = OwnerReference(owner) else {
            owner.probe?.record(owner, key)
            return
        }
        managed = ManagedMap(anchor, key, of: Value.self)
        storage = UniqueEntries()
    }

    override var contents: _StoredContent {
        _StoredContent(.entries(map { ($0.key._mapKey, $0.value._rlmContent) }))
    }

    override func replaceContents(with other: RLMSwiftCollectionBase) {
        guard let other = other as? Map<Key, Value> else { return }
        let entries = Array(other)
        removeAll()
        for entry in entries { updateValue(entry.value, forKey: entry.key) }
    }

    // MARK: Description and equality

    override var words: CollectionVocabulary { .dictionary }

    public override var description: String { super.description }

    override func description(within limits: DescriptionLimits) -> String {
        if limits.depth == 0 { return "<Maximum depth exceeded>" }
        var lines: [String] = []
        for entry in prefix(100) where !limits.isFull {
            lines.append("[\(entry.key)]: " + printedElement(entry.value._rlmDynamicValue, within: limits))
        }
        return unsafe collectionDescription(
            "Map<string, \(managed?.elementName ?? Value._elementShape.elementName)>",
            at: unsafe Unmanaged.passUnretained(self).toOpaque(), count: count, lines: lines)
    }

    override func isEqual(to other: RLMSwiftCollectionBase) -> Bool {
        guard let other = other as? Map<Key, Value> else { return false }
        if let managed { return other.managed.map(managed.isSame) ?? false }
        return other.managed == nil && count == other.count && allSatisfy { other[$0.key] == $0.value }
    }
}
