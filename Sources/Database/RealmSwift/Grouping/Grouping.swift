// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmRuntime
import RealmStorage

/// Objects grouped by the values of a property, for counts and aggregates of each group. An addition to Realm's API.
///
/// ```swift
/// let people = realm.objects(Person.self).group(by: \.city)
/// for (city, age) in people.average(of: \.age) { print(city, age ?? 0) }
/// people.count()[key: "Berlin"]
/// ```
///
/// A grouping is live and lazy: each call makes one pass over the current objects in the engine, without creating any
/// of them. It is confined to the Realm's thread.
public struct Grouping<Key: _Persistable & Hashable, Element: ObjectBase> {
    let core: LiveQuery
    let path: String

    /// Returns the number of objects in each group.
    public func count() -> GroupedValues<Key, Int> {
        groups(nil, "") { if case .int(let count) = $0 { Int(count) } else { 0 } }
    }

    /// Returns the smallest value of a property in each group; nil for a group without values.
    public func min<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> GroupedValues<Key, T?>
    where T.PersistedType: MinMaxType {
        groups(.min, PropertyProbe.name(of: keyPath)) { ElementAggregate.converted($0) }
    }

    /// Returns the largest value of a property in each group; nil for a group without values.
    public func max<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> GroupedValues<Key, T?>
    where T.PersistedType: MinMaxType {
        groups(.max, PropertyProbe.name(of: keyPath)) { ElementAggregate.converted($0) }
    }

    /// Returns the sum of a property in each group. Integers wrap around, and null counts as zero.
    public func sum<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> GroupedValues<Key, T>
    where T.PersistedType: AddableType {
        groups(.sum, PropertyProbe.name(of: keyPath)) { ElementAggregate.required(ElementAggregate.converted($0)) }
    }

    /// Returns the average of a property in each group; nil for a group without values. For decimals, pass `as:
    /// Decimal128.self`.
    public func average<T: _HasPersistedType, Result: _HasPersistedType>(
        of keyPath: KeyPath<Element, T>, as type: Result.Type = Double.self
    ) -> GroupedValues<Key, Result?> where T.PersistedType: AddableType, Result.PersistedType: AddableType {
        groups(.average, PropertyProbe.name(of: keyPath)) { ElementAggregate.converted($0) }
    }

    private func groups<Value>(
        _ operation: AggregateOperation?, _ property: String, _ convert: (StoredValue) -> Value
    ) -> GroupedValues<Key, Value> {
        GroupedValues(
            core.groups(by: path, operation, of: property).map { group in
                let key = Key._make(_StoredElement(value: group.key, realm: core.realm)) ?? Key._makeDefault()
                return (key, convert(group.value))
            })
    }
}

extension RealmCollection where Element: ObjectBase {
    /// Groups the objects by the values of a property, which may belong to a linked object. An addition to Realm's API.
    ///
    /// The result provides `count()`, and `min`, `max`, `sum` and `average` of a property.
    ///
    /// - Precondition: The collection is managed.
    public func group<Key: _Persistable & Hashable>(by keyPath: KeyPath<Element, Key>) -> Grouping<Key, Element> {
        Grouping(core: requireCore(), path: PropertyProbe.name(of: keyPath))
    }
}
