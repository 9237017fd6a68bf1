// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// A type that queries compare as a number or date.
public protocol _QueryNumeric: _RealmSchemaDiscoverable {}

extension Int: _QueryNumeric {}
extension Int8: _QueryNumeric {}
extension Int16: _QueryNumeric {}
extension Int32: _QueryNumeric {}
extension Int64: _QueryNumeric {}
extension Float: _QueryNumeric {}
extension Double: _QueryNumeric {}
extension Decimal128: _QueryNumeric {}
extension Date: _QueryNumeric {}
extension AnyRealmValue: _QueryNumeric {}
extension Optional: _QueryNumeric where Wrapped: _QueryNumeric {}

extension Query where T: _HasPersistedType, T.PersistedType: _QueryNumeric {
    /// Returns a condition that is true if the property is greater than a value.
    public static func > (_ lhs: Query, _ rhs: T) -> Query<Bool> { lhs.compare(.greater, rhs) }

    /// Returns a condition that is true if the property is greater than another property.
    public static func > (_ lhs: Query, _ rhs: Query) -> Query<Bool> { lhs.compare(.greater, to: rhs) }

    /// Returns a condition that is true if the property is greater than or equal to a value.
    public static func >= (_ lhs: Query, _ rhs: T) -> Query<Bool> { lhs.compare(.greaterOrEqual, rhs) }

    /// Returns a condition that is true if the property is greater than or equal to another property.
    public static func >= (_ lhs: Query, _ rhs: Query) -> Query<Bool> { lhs.compare(.greaterOrEqual, to: rhs) }

    /// Returns a condition that is true if the property is less than a value.
    public static func < (_ lhs: Query, _ rhs: T) -> Query<Bool> { lhs.compare(.less, rhs) }

    /// Returns a condition that is true if the property is less than another property.
    public static func < (_ lhs: Query, _ rhs: Query) -> Query<Bool> { lhs.compare(.less, to: rhs) }

    /// Returns a condition that is true if the property is less than or equal to a value.
    public static func <= (_ lhs: Query, _ rhs: T) -> Query<Bool> { lhs.compare(.lessOrEqual, rhs) }

    /// Returns a condition that is true if the property is less than or equal to another property.
    public static func <= (_ lhs: Query, _ rhs: Query) -> Query<Bool> { lhs.compare(.lessOrEqual, to: rhs) }

    /// The smallest value among the elements of the collection in the path.
    public var min: Query { aggregate(.min) }

    /// The largest value among the elements of the collection in the path.
    public var max: Query { aggregate(.max) }

    /// The average over the elements of the collection in the path.
    public var avg: Query { aggregate(.average) }

    /// The sum over the elements of the collection in the path.
    public var sum: Query { aggregate(.sum) }
}

extension Query where T: Comparable {
    /// Returns a condition that is true if the value is in the range, which excludes its upper bound.
    public func contains(_ range: Range<T>) -> Query<Bool> { isWithin(range.lowerBound, range.upperBound, .less) }

    /// Returns a condition that is true if the value is in the range.
    public func contains(_ range: ClosedRange<T>) -> Query<Bool> { isBetween(range.lowerBound, range.upperBound) }
}

extension Query where T: OptionalProtocol, T.Wrapped: Comparable {
    /// Returns a condition that is true if the value is in the range, which excludes its upper bound. False for null.
    public func contains(_ range: Range<T.Wrapped>) -> Query<Bool> {
        isWithin(range.lowerBound, range.upperBound, .less)
    }

    /// Returns a condition that is true if the value is in the range. False for null.
    public func contains(_ range: ClosedRange<T.Wrapped>) -> Query<Bool> {
        isBetween(range.lowerBound, range.upperBound)
    }
}
