// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmQuery
import RealmStorage

/// The minimum, maximum, sum or average of a property. Nulls are ignored; without values the sum is zero and all others
/// are nil.
extension RealmCollection {
    /// Returns the smallest value of a property among the objects; nil if no object has a value.
    public func min<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
        aggregate(.min, property)
    }

    /// Returns the largest value of a property among the objects; nil if no object has a value.
    public func max<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
        aggregate(.max, property)
    }

    /// Returns the sum of a property over the objects. Integers wrap around.
    public func sum<T: _HasPersistedType>(ofProperty property: String) -> T where T.PersistedType: AddableType {
        ElementAggregate.required(aggregate(.sum, property))
    }

    /// Returns the average of a property over the objects; nil if no object has a value.
    public func average<T: _HasPersistedType>(ofProperty property: String) -> T?
    where T.PersistedType: AddableType {
        aggregate(.average, property)
    }

    private func aggregate<T: _HasPersistedType>(_ operation: AggregateOperation, _ property: String) -> T? {
        ElementAggregate.value(operation, of: property, over: self, managedCore())
    }
}

extension RealmCollection where Element: ObjectBase {
    /// Returns the smallest value of a property among the objects; nil if no object has a value.
    public func min<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T? where T.PersistedType: MinMaxType {
        min(ofProperty: PropertyProbe.name(of: keyPath))
    }

    /// Returns the largest value of a property among the objects; nil if no object has a value.
    public func max<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T? where T.PersistedType: MinMaxType {
        max(ofProperty: PropertyProbe.name(of: keyPath))
    }

    /// Returns the sum of a property over the objects. Integers wrap around.
    public func sum<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T where T.PersistedType: AddableType {
        sum(ofProperty: PropertyProbe.name(of: keyPath))
    }

    /// Returns the average of a property over the objects; nil if no object has a value.
    public func average<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T?
    where T.PersistedType: AddableType {
        average(ofProperty: PropertyProbe.name(of: keyPath))
    }
}

extension RealmCollection where Element.PersistedType: MinMaxType {
    /// Returns the smallest element; nil if the collection has no values.
    public func min() -> Element? { ElementAggregate.value(.min, over: self) }

    /// Returns the largest element; nil if the collection has no values.
    public func max() -> Element? { ElementAggregate.value(.max, over: self) }
}

extension RealmCollection where Element.PersistedType: AddableType {
    /// Returns the sum of the elements. Integers wrap around.
    public func sum() -> Element {
        // As in the original, if no Realm determines the type of the sum of mixed values (row S22).
        if _origin == nil, isEmpty, let zero = AnyRealmValue.int(0) as? Element { return zero }
        return ElementAggregate.sum(over: self)
    }

    /// Returns the average of the elements; nil if the collection has no values.
    public func average<T: _HasPersistedType>() -> T? where T.PersistedType: AddableType {
        ElementAggregate.value(.average, over: self)
    }
}
