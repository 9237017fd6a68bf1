// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmStorage

/// Objects by the values that they have of a property: what counts and aggregates for each value are asked of. An
/// addition to Realm's API.
///
/// ```swift
/// let people = realm.objects(Person.self).group(by: \.city)
/// for (city, age) in people.average(of: \.age) { print(city, age ?? 0) }
/// people.count()[key: "Berlin"]
/// ```
///
/// Live and lazy: each question goes over the objects as they are then, once, in the engine, and makes none of them.
/// Confined to the Realm's thread.
public struct Grouping<Key: _Persistable & Hashable, Element: ObjectBase> {
    let core: ResultsCore
    let path: String

    /// The number of objects of each group.
    public func count() -> GroupedValues<Key, Int> {
        groups(nil, "") { if case .int(let count) = $0 { Int(count) } else { 0 } }
    }

    /// The least value of a property in each group; nil where all are null.
    public func min<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> GroupedValues<Key, T?>
    where T.PersistedType: MinMaxType {
        groups(.min, PropertyProbe.name(of: keyPath)) { ElementAggregate.converted($0) }
    }

    /// The greatest value of a property in each group; nil where all are null.
    public func max<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> GroupedValues<Key, T?>
    where T.PersistedType: MinMaxType {
        groups(.max, PropertyProbe.name(of: keyPath)) { ElementAggregate.converted($0) }
    }

    /// The sum of a property in each group. Integers wrap around, and of nulls the sum is zero.
    public func sum<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> GroupedValues<Key, T>
    where T.PersistedType: AddableType {
        groups(.sum, PropertyProbe.name(of: keyPath)) { ElementAggregate.required(ElementAggregate.converted($0)) }
    }

    /// The average of a property in each group; nil where all are null. Of decimals ask for one `as: Decimal128.self`.
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
    /// The objects by the values that they have of a property, which may be one of linked objects. An addition to
    /// Realm's API.
    ///
    /// What can be asked of them is `count()`, and `min`, `max`, `sum` and `average` of a property. Needs a managed
    /// collection.
    public func group<Key: _Persistable & Hashable>(by keyPath: KeyPath<Element, Key>) -> Grouping<Key, Element> {
        Grouping(core: requireCore(), path: PropertyProbe.name(of: keyPath))
    }
}
