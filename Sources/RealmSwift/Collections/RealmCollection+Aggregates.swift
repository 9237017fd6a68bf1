// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmQuery
import RealmStorage

/// The least, greatest, summed or average value of a property. Nulls count for nothing; of nothing the sum is zero and
/// everything else nil.
extension RealmCollection {
    /// The least value of a property.
    public func min<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
        aggregate(.min, property)
    }

    /// The greatest value of a property.
    public func max<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
        aggregate(.max, property)
    }

    /// The sum of a property. Integers wrap around.
    public func sum<T: _HasPersistedType>(ofProperty property: String) -> T where T.PersistedType: AddableType {
        requireSum(aggregate(.sum, property))
    }

    /// The average of a property.
    public func average<T: _HasPersistedType>(ofProperty property: String) -> T?
    where T.PersistedType: AddableType {
        aggregate(.average, property)
    }

    private func aggregate<T: _HasPersistedType>(_ operation: AggregateOperation, _ property: String) -> T? {
        let shape = Element._elementShape
        if property == "self", shape.objectType == nil, operation.accepts(shape.type.columnType) {
            return converted(valueAggregate(operation))
        }
        return converted(requireCore().aggregate(operation, property))
    }
}

extension RealmCollection where Element: ObjectBase {
    /// The least value of a property.
    public func min<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T? where T.PersistedType: MinMaxType {
        min(ofProperty: PropertyProbe.name(of: keyPath))
    }

    /// The greatest value of a property.
    public func max<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T? where T.PersistedType: MinMaxType {
        max(ofProperty: PropertyProbe.name(of: keyPath))
    }

    /// The sum of a property. Integers wrap around.
    public func sum<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T where T.PersistedType: AddableType {
        sum(ofProperty: PropertyProbe.name(of: keyPath))
    }

    /// The average of a property.
    public func average<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T?
    where T.PersistedType: AddableType {
        average(ofProperty: PropertyProbe.name(of: keyPath))
    }
}

extension RealmCollection where Element.PersistedType: MinMaxType {
    /// The least value.
    public func min() -> Element? { converted(valueAggregate(.min)) }

    /// The greatest value.
    public func max() -> Element? { converted(valueAggregate(.max)) }
}

extension RealmCollection where Element.PersistedType: AddableType {
    /// The sum of the values. Integers wrap around.
    public func sum() -> Element { requireSum(converted(valueAggregate(.sum))) }

    /// The average of the values.
    public func average<T: _HasPersistedType>() -> T? where T.PersistedType: AddableType {
        converted(valueAggregate(.average))
    }
}

extension RealmCollection {
    /// An aggregate of the elements themselves, be they managed or not.
    fileprivate func valueAggregate(_ operation: AggregateOperation) -> StoredValue {
        let values: [StoredValue] = map { element in
            if case .value(let value) = element._content.kind { value } else { .null }
        }
        return Aggregate.value(operation, of: Element._elementShape.type.columnType, over: values)
    }

    fileprivate func requireSum<T>(_ sum: T?) -> T {
        guard let sum else { throwRealmException("The sum is not of type '\(T.self)'.") }
        return sum
    }

    /// A result as the type that is asked for, if it can be that without loss. What is null is nil.
    fileprivate func converted<T: _HasPersistedType>(_ value: StoredValue) -> T? {
        switch value {
        case .null: nil
        case .int(let number): T._convert(number)
        case .float(let number): T._convert(number)
        case .double(let number): T._convert(number)
        case .decimal(let number): T._convert(Decimal128(bits: number))
        case .timestamp(let date): T._convert(Date(date))
        default: nil
        }
    }
}
