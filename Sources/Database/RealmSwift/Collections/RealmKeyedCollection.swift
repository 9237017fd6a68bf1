// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch

/// A collection of values by key. `Map` is the only conforming type.
public protocol RealmKeyedCollection: Sequence, ThreadConfined, CustomStringConvertible {
    /// The type of the keys.
    associatedtype Key: _MapKey
    /// The type of the values.
    associatedtype Value: RealmCollectionValue

    /// The Realm that manages the collection; nil when unmanaged.
    var realm: Realm? { get }

    /// A Boolean value that indicates whether the collection was managed and its object was deleted, or its Realm was
    /// invalidated.
    var isInvalidated: Bool { get }

    /// A Boolean value that indicates whether the collection belongs to a frozen object.
    var isFrozen: Bool { get }

    /// Returns an immutable snapshot of the collection at the version that its Realm reads.
    func freeze() -> Self

    /// Returns the live version of the collection for the current thread, or nil if its object was deleted.
    func thaw() -> Self?

    /// The number of entries.
    var count: Int { get }

    /// A textual representation of the entries, at most 100.
    var description: String { get }

    /// Sets the value of a key, adding an entry if the key doesn't exist.
    func updateValue(_ value: Value, forKey key: Key)

    /// Removes the entry with this key, if it exists.
    func removeObject(for key: Key)

    /// Removes all entries.
    func removeAll()

    /// Accesses the value of a key; nil if the key doesn't exist. Assigning nil removes the entry.
    subscript(key: Key) -> Value? { get set }

    /// Returns the value of a key, `NSNull` for null; nil if the key doesn't exist. An enum is represented by its raw
    /// value.
    func value(forKey key: String) -> AnyObject?

    /// Returns the value of a key, like `value(forKey:)`, but also a property of that value, or the result of an
    /// operator.
    func value(forKeyPath keyPath: String) -> AnyObject?

    /// Sets the value of a key, adding an entry if the key doesn't exist; nil removes the entry.
    func setValue(_ value: Any?, forKey key: String)

    /// Returns whether any entry satisfies a condition.
    func contains(where predicate: @escaping (_ key: Key, _ value: Value) -> Bool) -> Bool

    /// Returns the values, sorted.
    func sorted(ascending: Bool) -> Results<Value>

    /// Returns the objects, sorted by a property.
    func sorted(byKeyPath keyPath: String, ascending: Bool) -> Results<Value>

    /// Returns the objects, sorted by several properties. The first descriptor has the highest priority.
    func sorted<S: Sequence>(by sortDescriptors: S) -> Results<Value> where S.Iterator.Element == SortDescriptor

    /// Calls `block` with the collection's current state, and again after each change, until the token is invalidated
    /// or deallocated.
    func observe(
        keyPaths: [String]?, on queue: DispatchQueue?, _ block: @escaping (RealmMapChange<Self>) -> Void
    ) -> NotificationToken

    /// The keys, in the order of `values`.
    var keys: [Key] { get }

    /// The values, in the order of `keys`.
    var values: [Value] { get }

    /// Returns the smallest value of a property among the objects; nil if no object has a value.
    func min<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType

    /// Returns the largest value of a property among the objects; nil if no object has a value.
    func max<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType

    /// Returns the sum of a property over the objects. Integers wrap around.
    func sum<T: _HasPersistedType>(ofProperty property: String) -> T where T.PersistedType: AddableType

    /// Returns the average of a property over the objects; nil if no object has a value.
    func average<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: AddableType
}

extension RealmKeyedCollection where Value: OptionalProtocol, Value.Wrapped: ObjectBase {
    /// Returns the smallest value of a property among the objects; nil if no object has a value.
    public func min<T: _HasPersistedType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T?
    where T.PersistedType: MinMaxType {
        min(ofProperty: PropertyProbe.name(of: keyPath))
    }

    /// Returns the largest value of a property among the objects; nil if no object has a value.
    public func max<T: _HasPersistedType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T?
    where T.PersistedType: MinMaxType {
        max(ofProperty: PropertyProbe.name(of: keyPath))
    }

    /// Returns the sum of a property over the objects. Integers wrap around.
    public func sum<T: _HasPersistedType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T
    where T.PersistedType: AddableType {
        sum(ofProperty: PropertyProbe.name(of: keyPath))
    }

    /// Returns the average of a property over the objects; nil if no object has a value.
    public func average<T: _HasPersistedType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T?
    where T.PersistedType: AddableType {
        average(ofProperty: PropertyProbe.name(of: keyPath))
    }
}

extension RealmKeyedCollection
where Value: OptionalProtocol, Value.Wrapped: ObjectBase, Value.Wrapped: RealmCollectionValue {
    /// Returns the objects, sorted by a property.
    public func sorted<T: _HasPersistedType>(
        by keyPath: KeyPath<Value.Wrapped, T>, ascending: Bool = true
    ) -> Results<Value> where T.PersistedType: SortableType {
        sorted(byKeyPath: PropertyProbe.name(of: keyPath), ascending: ascending)
    }
}

extension RealmKeyedCollection where Value.PersistedType: MinMaxType {
    /// Returns the smallest value; nil if the map has no values.
    public func min() -> Value? { ElementAggregate.value(.min, over: values) }

    /// Returns the largest value; nil if the map has no values.
    public func max() -> Value? { ElementAggregate.value(.max, over: values) }
}

extension RealmKeyedCollection where Value.PersistedType: AddableType {
    /// Returns the sum of the values. Integers wrap around.
    public func sum() -> Value {
        // As in `RealmCollection.sum()`.
        if realm == nil, count == 0, let zero = AnyRealmValue.int(0) as? Value { return zero }
        return ElementAggregate.sum(over: values)
    }

    /// Returns the average of the values; nil if the map has no values.
    public func average<T: _HasPersistedType>() -> T? where T.PersistedType: AddableType {
        ElementAggregate.value(.average, over: values)
    }
}

extension RealmKeyedCollection where Value.PersistedType: SortableType {
    /// Returns the values, sorted.
    public func sorted(ascending: Bool = true) -> Results<Value> {
        sorted(by: [SortDescriptor(keyPath: "self", ascending: ascending)])
    }
}
