// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmQuery
import RealmRuntime
import RealmStorage

/// Aggregates over a collection's own elements, managed or unmanaged.
enum ElementAggregate {
    /// Returns the aggregate, or nil if it is null or can't be converted to `Result` without loss.
    static func value<Element: RealmCollectionValue, Result: _HasPersistedType>(
        _ operation: AggregateOperation, over elements: some Sequence<Element>
    ) -> Result? {
        if Element._elementShape.type == .any, let sign = operation.direction {
            return extreme(sign, of: elements) as? Result
        }
        let values: [StoredValue] = elements.map(\._rlmContent.storedValue)
        return converted(Aggregate.value(operation, of: Element._elementShape.type.columnType, over: values))
    }

    /// Returns the aggregate of a property, or of the elements themselves for `"self"`.
    ///
    /// - Parameter core: The query of the elements; nil if they aren't managed.
    static func value<Element: RealmCollectionValue, Result: _HasPersistedType>(
        _ operation: AggregateOperation, of property: String, over elements: some Sequence<Element>,
        _ core: @autoclosure () -> LiveQuery?
    ) -> Result? {
        let shape = Element._elementShape
        if property == "self", shape.objectType == nil, operation.accepts(shape.type.columnType) {
            return value(operation, over: elements)
        }
        if let core = core() { return converted(core.aggregate(operation, property)) }
        return converted(memoryAggregate(operation, of: elements.map(\._rlmDynamicValue), property, shape))
    }

    static func sum<Element: RealmCollectionValue, Result: _HasPersistedType>(
        over elements: some Sequence<Element>
    ) -> Result {
        required(value(.sum, over: elements))
    }

    static func required<Result>(_ sum: Result?) -> Result {
        guard let sum else { throwRealmException("The sum is not of type '\(Result.self)'.") }
        return sum
    }

    static func converted<Result: _HasPersistedType>(_ value: StoredValue) -> Result? {
        switch value {
        case .null: nil
        case .int(let value): Result._convert(value)
        case .bool(let value): Result._convert(value)
        case .float(let value): Result._convert(value)
        case .double(let value): Result._convert(value)
        case .decimal(let value): Result._convert(Decimal128(bits: value))
        case .timestamp(let value): Result._convert(Date(value))
        case .string(let value): Result._convert(value)
        case .binary(let value): Result._convert(Data(value))
        case .objectId(let value): Result._convert(ObjectId(bits: value))
        case .uuid(let value): Result._convert(UUID(value))
        case .link, .typedLink, .list, .dictionary: nil
        }
    }

    /// Returns the minimum (`sign` 1) or maximum (-1) of mixed values, whose order includes all types.
    private static func extreme<Element: RealmCollectionValue>(
        _ sign: Int, of elements: some Sequence<Element>
    ) -> Element? {
        var found: (element: Element, value: StoredValue)?
        for element in elements {
            let value = element._rlmContent.ordered
            if value.isNull { continue }
            if let best = found, StoredValue.compare(value, best.value) * sign >= 0 { continue }
            found = (element, value)
        }
        return found?.element
    }
}

extension AggregateOperation {
    /// 1 for the minimum, -1 for the maximum.
    fileprivate var direction: Int? {
        switch self {
        case .min: 1
        case .max: -1
        case .sum, .average: nil
        }
    }
}

extension _StoredContent {
    /// The value, or one of equal rank in the order of mixed values.
    fileprivate var ordered: StoredValue {
        switch kind {
        case .value(let value): return value
        case .elements: return .list(0, key: 0)
        case .entries: return .dictionary(0, key: 0)
        case .object(let object):
            let table = object._rlmRow.managed?.tableKey ?? .null
            return .typedLink(ObjectLink(table: table, object: object._rlmRow.key))
        }
    }
}
