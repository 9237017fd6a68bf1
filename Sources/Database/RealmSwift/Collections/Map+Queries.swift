// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmQuery
import RealmRuntime
import RealmStorage

/// Queries over the values of a managed map, as live and lazy `Results`. In a map of objects, entries
/// without an object are omitted.
extension Map: RealmKeyedCollection {
    /// Returns the objects of the map that satisfy a predicate.
    public func filter(_ predicateFormat: String, _ args: Any...) -> Results<Value> {
        let core = requireCore()
        return Results(core.filtered(predicateFormat, args))
    }

    /// Returns the objects of the map that satisfy a predicate: a format string, a constant, or a combination of these
    /// with AND, OR and NOT.
    public func filter(_ predicate: NSPredicate) -> Results<Value> {
        let core = requireCore()
        return Results(core.filtered(core.realm.predicate(predicate)))
    }

    /// Returns the objects of the map that a text in Realm Query Language selects; see `RealmCollection.query(_:_:)`.
    ///
    /// - Throws: `RealmQueryError` if the text isn't valid for the map's values; `Realm.Error` if the file can't be
    ///   read.
    public func query(_ text: String, _ args: Any?...) throws -> Results<Value> {
        let core = requireCore()
        return Results(try core.queried(try core.realm.statement(text, args)))
    }

    /// Returns the objects of the map that a validated text selects; see `RealmCollection.query(_:)`.
    ///
    /// - Throws: `RealmQueryError` if the text doesn't match the properties of the map's values; `Realm.Error` if the
    ///   file can't be read.
    public func query(_ text: RealmQueryText) throws -> Results<Value> {
        Results(try requireCore().queried(text.statement))
    }

    /// Returns the objects of the map that satisfy a condition.
    public func `where`(_ isIncluded: (Query<Value>) -> Query<Bool>) -> Results<Value> {
        let core = requireCore()
        return Results(core.filtered(core.realm.predicate(isIncluded)))
    }

    /// Returns whether any entry of the map satisfies a condition.
    public func contains(where predicate: @escaping (_ key: Key, _ value: Value) -> Bool) -> Bool {
        for entry in self where predicate(entry.key, entry.value) { return true }
        return false
    }

    /// Returns the values of the map, sorted.
    public func sorted(ascending: Bool = true) -> Results<Value> { sorted(byKeyPath: "self", ascending: ascending) }

    /// Returns the objects of the map, sorted by a property.
    public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Value> {
        sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
    }

    /// Returns the objects of the map, sorted by several properties. The first descriptor has the highest priority.
    public func sorted<S: Sequence>(by sortDescriptors: S) -> Results<Value>
    where S.Iterator.Element == SortDescriptor {
        Results(requireCore().sorted(by: Array(sortDescriptors)))
    }

    /// Returns the smallest value of a property of the objects, or of the values themselves for `"self"`. Nil if there
    /// isn't any value.
    public func min<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
        aggregate(.min, property)
    }

    /// Returns the largest value of a property of the objects, or of the values themselves for `"self"`. Nil if there
    /// isn't any value.
    public func max<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
        aggregate(.max, property)
    }

    /// Returns the sum of a property of the objects, or of the values themselves for `"self"`. Integers wrap around.
    public func sum<T: _HasPersistedType>(ofProperty property: String) -> T where T.PersistedType: AddableType {
        ElementAggregate.required(aggregate(.sum, property))
    }

    /// Returns the average of a property of the objects, or of the values themselves for `"self"`. Nil if there isn't
    /// any value.
    public func average<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: AddableType {
        aggregate(.average, property)
    }

    private func aggregate<T: _HasPersistedType>(_ operation: AggregateOperation, _ property: String) -> T? {
        ElementAggregate.value(operation, of: property, over: values, managed == nil ? nil : requireCore())
    }

    private func requireCore() -> LiveQuery {
        guard let managed else { words.throwUnmanaged() }
        let core = LiveQuery(managed.realm, .collection(managed), elementClass: managed.elementClass)
        core.verifyValid()
        return core
    }
}

/// Key-value coding: access by keys that are strings.
extension Map {
    /// Returns the value of a key, `NSNull` for null; nil if the key doesn't exist. An enum is represented by its raw
    /// value.
    public func object(forKey key: AnyObject) -> AnyObject? {
        (key as? String).flatMap(value(forKey:))
    }

    /// Returns the value of a key, `NSNull` for null; nil if the key doesn't exist. An enum is represented by its raw
    /// value.
    public func value(forKey key: String) -> AnyObject? {
        self[Key(_mapKey: key)].map { ($0._rlmDynamicValue ?? NSNull()) as AnyObject }
    }

    /// Returns the value of a key; for a path such as `"leo.name"`, a property of the object of a key; for a path such
    /// as `"@avg.age"`, the result of an operator on all values.
    public func value(forKeyPath keyPath: String) -> AnyObject? {
        if let operation = KeyValueOperation(keyPath) {
            let value = operation.value(of: values.map(\._rlmDynamicValue), in: words) { operation, key in
                if Value._elementShape.objectType != nil, managed != nil {
                    return requireCore().aggregate(operation, key).dynamicValue
                }
                return memoryAggregate(
                    operation, of: values.map(\._rlmDynamicValue), key, Value._elementShape
                ).dynamicValue
            }
            return value.map { $0 as AnyObject }
        }
        let parts = keyPath.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let value = flattened(self[Key(_mapKey: parts[0])]?._rlmDynamicValue)
        return (parts.count == 1 ? value : RealmSwift.value(ofValue: value, forKeyPath: parts[1]))
            .map { $0 as AnyObject }
    }

    /// Sets the value of a key, adding an entry if the key doesn't exist. Nil removes the entry; `NSNull`, or an
    /// optional without a value, stores null. Traps if the value has the wrong type.
    public func setValue(_ value: Any?, forKey key: String) {
        guard let given = value else { return removeObject(for: Key(_mapKey: key)) }
        let value = flattened(given)
        guard let converted = Value._convert(value) else {
            throwRealmException(
                """
                Invalid value '\(printed(value))' of type '\(typeName(value))' for expected type \
                '\(Value._elementShape.elementName)'.
                """)
        }
        updateValue(converted, forKey: Key(_mapKey: key))
    }
}
