// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// A type that queries compare as a string.
public protocol _QueryString: _QueryBinary {}

/// A type that queries compare by its bytes.
public protocol _QueryBinary {}

extension String: _QueryString {}
extension Data: _QueryBinary {}
extension Optional: _QueryBinary where Wrapped: _QueryBinary {}
extension Optional: _QueryString where Wrapped: _QueryString {}

extension Query where T: _HasPersistedType, T.PersistedType: _QueryString {
    /// Returns a condition that is true if the string matches a pattern, in which `?` matches one character and `*` any
    /// number of characters.
    public func like(_ value: T, caseInsensitive: Bool = false) -> Query<Bool> {
        compare(.like, value, caseInsensitive ? .caseInsensitive : [])
    }

    /// Returns a condition that is true if the string matches the pattern in another property, in which `?` matches one
    /// character and `*` any number of characters.
    public func like<U>(_ column: Query<U>, caseInsensitive: Bool = false) -> Query<Bool> {
        compare(.like, to: column, caseInsensitive ? .caseInsensitive : [])
    }
}

extension Query where T: _HasPersistedType, T.PersistedType: _QueryBinary {
    /// Returns a condition that is true if the property contains the value.
    public func contains(_ value: T, options: StringOptions = []) -> Query<Bool> {
        compare(.contains, value, options)
    }

    /// Returns a condition that is true if the property contains the other property's value.
    public func contains<U>(_ column: Query<U>, options: StringOptions = []) -> Query<Bool>
    where U: _Persistable, U.PersistedType: _QueryBinary {
        compare(.contains, to: column, options)
    }

    /// Returns a condition that is true if the property begins with the value.
    public func starts(with value: T, options: StringOptions = []) -> Query<Bool> {
        compare(.beginsWith, value, options)
    }

    /// Returns a condition that is true if the property begins with the other property's value.
    public func starts<U>(with column: Query<U>, options: StringOptions = []) -> Query<Bool> {
        compare(.beginsWith, to: column, options)
    }

    /// Returns a condition that is true if the property ends with the value.
    public func ends(with value: T, options: StringOptions = []) -> Query<Bool> {
        compare(.endsWith, value, options)
    }

    /// Returns a condition that is true if the property ends with the other property's value.
    public func ends<U>(with column: Query<U>, options: StringOptions = []) -> Query<Bool> {
        compare(.endsWith, to: column, options)
    }

    /// Returns a condition that is true if the string equals the value, compared with the given options.
    public func equals(_ value: T, options: StringOptions = []) -> Query<Bool> { compare(.equal, value, options) }

    /// Returns a condition that is true if the string equals the other property, compared with the given options.
    public func equals<U>(_ column: Query<U>, options: StringOptions = []) -> Query<Bool> {
        compare(.equal, to: column, options)
    }

    /// Returns a condition that is true if the string doesn't equal the value, compared with the given options.
    public func notEquals(_ value: T, options: StringOptions = []) -> Query<Bool> {
        compare(.notEqual, value, options)
    }

    /// Returns a condition that is true if the string doesn't equal the other property, compared with the given
    /// options.
    public func notEquals<U>(_ column: Query<U>, options: StringOptions = []) -> Query<Bool> {
        compare(.notEqual, to: column, options)
    }

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
}
