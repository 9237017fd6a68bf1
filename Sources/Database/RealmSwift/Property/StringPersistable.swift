// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage

extension String: _StoredAsValue, _RealmCollectionValueInsideOptional, _DefaultConstructible {
    /// The type in which values are stored.
    public typealias PersistedType = String
    public static var _emptyValue: String { "" }
    public static var _shape: _PropertyShape { _PropertyShape(type: .string) }

    public static func _convert(_ value: Any?) -> String? {
        value as? String ?? (value as? Substring).map(String.init)
    }

    public var _rlmDynamicValue: Any? { self }

    @inlinable public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> String {
        object._string(key)
    }

    @inlinable public static func _getOptional(_ object: ObjectBase, _ key: PropertyKey) -> String? {
        object._optionalString(key)
    }
}

extension Data: _StoredAsValue, _RealmCollectionValueInsideOptional, _DefaultConstructible {
    /// The type in which values are stored.
    public typealias PersistedType = Data
    public static var _emptyValue: Data { Data() }
    public static var _shape: _PropertyShape { _PropertyShape(type: .data) }

    public static func _convert(_ value: Any?) -> Data? {
        value as? Data ?? (value as? [UInt8]).map { Data($0) }
    }

    public var _rlmDynamicValue: Any? { self }
}

extension Date: _StoredAsValue, _RealmCollectionValueInsideOptional, _DefaultConstructible {
    /// The type in which values are stored.
    public typealias PersistedType = Date
    public static var _emptyValue: Date { Date(Timestamp(seconds: 0, nanoseconds: 0)) }
    public static var _shape: _PropertyShape { _PropertyShape(type: .date) }

    public static func _convert(_ value: Any?) -> Date? {
        value as? Date
    }

    public var _rlmDynamicValue: Any? { self }

    @inlinable public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> Date {
        object._date(key) ?? _emptyValue
    }

    @inlinable public static func _getOptional(_ object: ObjectBase, _ key: PropertyKey) -> Date? { object._date(key) }
}
