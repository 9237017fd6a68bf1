// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// A type that queries compare as text.
public protocol _QueryString: _QueryBinary {}

/// A type that queries compare by its bytes.
public protocol _QueryBinary {}

extension String: _QueryString {}
extension Data: _QueryBinary {}
extension Optional: _QueryBinary where Wrapped: _QueryBinary {}
extension Optional: _QueryString where Wrapped: _QueryString {}

extension Query where T: _HasPersistedType, T.PersistedType: _QueryString {
    /// Returns whether the text matches a pattern: `?` stands for one character, `*` for any number of them.
    public func like(_ value: T, caseInsensitive: Bool = false) -> Query<Bool> {
        compare(.like, value, caseInsensitive ? .caseInsensitive : [])
    }

    /// Returns whether the text matches a pattern that another property holds: `?` stands for one character, `*` for
    /// any number.
    public func like<U>(_ column: Query<U>, caseInsensitive: Bool = false) -> Query<Bool> {
        compare(.like, to: column, caseInsensitive ? .caseInsensitive : [])
    }
}

extension Query where T: _HasPersistedType, T.PersistedType: _QueryBinary {
    /// Returns whether the value contains another one.
    public func contains(_ value: T, options: StringOptions = []) -> Query<Bool> {
        compare(.contains, value, options)
    }

    /// Returns whether the value contains the other property's value.
    public func contains<U>(_ column: Query<U>, options: StringOptions = []) -> Query<Bool>
    where U: _Persistable, U.PersistedType: _QueryBinary {
        compare(.contains, to: column, options)
    }

    /// Returns whether the value begins with another one.
    public func starts(with value: T, options: StringOptions = []) -> Query<Bool> {
        compare(.beginsWith, value, options)
    }

    /// Returns whether the value begins with the other property's value.
    public func starts<U>(with column: Query<U>, options: StringOptions = []) -> Query<Bool> {
        compare(.beginsWith, to: column, options)
    }

    /// Returns whether the value ends with another one.
    public func ends(with value: T, options: StringOptions = []) -> Query<Bool> {
        compare(.endsWith, value, options)
    }

    /// Returns whether the value ends with the other property's value.
    public func ends<U>(with column: Query<U>, options: StringOptions = []) -> Query<Bool> {
        compare(.endsWith, to: column, options)
    }

    /// Returns whether the text equals a value, ignoring the differences that the options name.
    public func equals(_ value: T, options: StringOptions = []) -> Query<Bool> { compare(.equal, value, options) }

    /// Returns whether the text equals another property, ignoring the differences that the options name.
    public func equals<U>(_ column: Query<U>, options: StringOptions = []) -> Query<Bool> {
        compare(.equal, to: column, options)
    }

    /// Returns whether the text doesn't equal a value, ignoring the differences that the options name.
    public func notEquals(_ value: T, options: StringOptions = []) -> Query<Bool> {
        compare(.notEqual, value, options)
    }

    /// Returns whether the text doesn't equal another property, ignoring the differences that the options name.
    public func notEquals<U>(_ column: Query<U>, options: StringOptions = []) -> Query<Bool> {
        compare(.notEqual, to: column, options)
    }

    /// Returns whether the property is greater than a value.
    public static func > (_ lhs: Query, _ rhs: T) -> Query<Bool> { lhs.compare(.greater, rhs) }

    /// Returns whether the property is greater than another property.
    public static func > (_ lhs: Query, _ rhs: Query) -> Query<Bool> { lhs.compare(.greater, to: rhs) }

    /// Returns whether the property is greater than or equals a value.
    public static func >= (_ lhs: Query, _ rhs: T) -> Query<Bool> { lhs.compare(.greaterOrEqual, rhs) }

    /// Returns whether the property is greater than or equals another property.
    public static func >= (_ lhs: Query, _ rhs: Query) -> Query<Bool> { lhs.compare(.greaterOrEqual, to: rhs) }

    /// Returns whether the property is less than a value.
    public static func < (_ lhs: Query, _ rhs: T) -> Query<Bool> { lhs.compare(.less, rhs) }

    /// Returns whether the property is less than another property.
    public static func < (_ lhs: Query, _ rhs: Query) -> Query<Bool> { lhs.compare(.less, to: rhs) }

    /// Returns whether the property is less than or equals a value.
    public static func <= (_ lhs: Query, _ rhs: T) -> Query<Bool> { lhs.compare(.lessOrEqual, rhs) }

    /// Returns whether the property is less than or equals another property.
    public static func <= (_ lhs: Query, _ rhs: Query) -> Query<Bool> { lhs.compare(.lessOrEqual, to: rhs) }
}
