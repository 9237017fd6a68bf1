// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime

/// A class of Foundation whose objects represent values, such as `NSDate` for `Date`. A class without `@Persisted`
/// properties may have properties of such a type; they are stored as the value.
public protocol _FoundationClass: NSObject, _PersistableInsideOptional {
    /// The value represented by the object.
    var _value: PersistedType { get }

    /// Returns an object that represents a value.
    static func _object(_ value: PersistedType) -> Self
}

extension _FoundationClass {
    public static var _shape: _PropertyShape { PersistedType._shape }

    public static func _makeDefault() -> Self { _object(PersistedType._makeDefault()) }

    /// Converts an object of the class, or the Swift value that it represents.
    public static func _convert(_ value: Any?) -> Self? {
        if let value = value as? Self { return value }
        return object(PersistedType._convert(value))
    }

    public var _rlmDynamicValue: Any? { _value._rlmDynamicValue }

    public var _rlmContent: _StoredContent { _value._rlmContent }

    public static func _make(_ stored: _StoredElement) -> Self? { object(PersistedType._make(stored)) }

    public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> Self {
        _object(PersistedType._get(object, key))
    }

    public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: Self) {
        PersistedType._set(object, key, value._value)
    }

    public static func _getOptional(_ object: ObjectBase, _ key: PropertyKey) -> Self? {
        Self.object(PersistedType._getOptional(object, key))
    }

    public static func _setOptional(_ object: ObjectBase, _ key: PropertyKey, _ value: Self?) {
        PersistedType._setOptional(object, key, value?._value)
    }

    private static func object(_ value: PersistedType?) -> Self? {
        if let value { _object(value) } else { nil }
    }

    /// Casts a newly created object to this class. Traps if this class is derived from Foundation's.
    fileprivate static func own(_ object: NSObject) -> Self {
        guard let object = object as? Self else {
            throwRealmException("A property cannot be of the class '\(Self.self)'.")
        }
        return object
    }
}

extension NSString: _FoundationClass {
    /// The type in which values are stored.
    public typealias PersistedType = String
    public var _value: String { substring(from: 0) }
    public static func _object(_ value: String) -> Self { own(NSString(string: value)) }
}

extension NSData: _FoundationClass {
    /// The type in which values are stored.
    public typealias PersistedType = Data
    public var _value: Data { Data(referencing: self) }
    public static func _object(_ value: Data) -> Self { own(NSData(data: value)) }
}

extension NSDate: _FoundationClass {
    /// The type in which values are stored.
    public typealias PersistedType = Date
    public var _value: Date { Date(timeIntervalSinceReferenceDate: timeIntervalSinceReferenceDate) }
    public static func _object(_ value: Date) -> Self {
        own(NSDate(timeIntervalSinceReferenceDate: value.timeIntervalSinceReferenceDate))
    }
}

/// Aggregates may be returned as Foundation's number. It can't be the type of a property, because it doesn't specify a
/// type of number.
extension NSNumber: _HasPersistedType, MinMaxType, AddableType {
    /// The type in which values are stored.
    public typealias PersistedType = NSNumber

    /// Returns the value as an `NSNumber`, or nil if it isn't a number. A `Decimal128` is converted to the nearest
    /// `Double`.
    public static func _convert(_ value: Any?) -> Self? {
        (value as? Decimal128).map { NSNumber(value: $0.doubleValue) } as? Self ?? value as? Self
    }

    public var _rlmDynamicValue: Any? { self }

    public var _rlmContent: _StoredContent {
        let number = DynamicNumber(self)
        if let integer: Int64 = number?.integer() { return _StoredContent(.int(integer)) }
        return number?.double.map { _StoredContent(.double($0)) } ?? .null
    }

    public static func _make(_ stored: _StoredElement) -> Self? { ElementAggregate.converted(stored.value) }
}
