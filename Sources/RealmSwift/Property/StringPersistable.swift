// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage

extension String: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, _DefaultConstructible {
    public typealias PersistedType = String
    public static var _shape: _PropertyShape { _PropertyShape(type: .string) }

    public static func _convert(_ value: Any?) -> String? {
        value as? String ?? (value as? Substring).map(String.init)
    }

    public var _dynamicValue: Any? { self }

    @inlinable public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> String {
        object._string(key)
    }

    public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: String) {
        object._store(.string(value), key)
    }

    @inlinable public static func _getOptional(_ object: ObjectBase, _ key: PropertyKey) -> String? {
        object._optionalString(key)
    }

    public static func _setOptional(_ object: ObjectBase, _ key: PropertyKey, _ value: String?) {
        object._store(value.map { value in .string(value) } ?? .null, key)
    }
}

extension Data: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, _DefaultConstructible {
    public typealias PersistedType = Data
    public static var _shape: _PropertyShape { _PropertyShape(type: .data) }

    public static func _convert(_ value: Any?) -> Data? {
        value as? Data ?? (value as? [UInt8]).map { Data($0) }
    }

    public var _dynamicValue: Any? { self }

    @inlinable public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> Data {
        object._data(key)
    }

    public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: Data) {
        object._store(.binary(Array(value)), key)
    }

    @inlinable public static func _getOptional(_ object: ObjectBase, _ key: PropertyKey) -> Data? {
        object._optionalData(key)
    }

    public static func _setOptional(_ object: ObjectBase, _ key: PropertyKey, _ value: Data?) {
        object._store(value.map { value in .binary(Array(value)) } ?? .null, key)
    }
}

extension Date: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, _DefaultConstructible {
    public typealias PersistedType = Date
    public static var _shape: _PropertyShape { _PropertyShape(type: .date) }

    public static func _convert(_ value: Any?) -> Date? {
        value as? Date
    }

    public var _dynamicValue: Any? { self }

    @inlinable public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> Date {
        object._date(key)
    }

    public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: Date) {
        object._store(.timestamp(Timestamp(value)), key)
    }

    @inlinable public static func _getOptional(_ object: ObjectBase, _ key: PropertyKey) -> Date? {
        object._optionalDate(key)
    }

    public static func _setOptional(_ object: ObjectBase, _ key: PropertyKey, _ value: Date?) {
        object._store(value.map { value in .timestamp(Timestamp(value)) } ?? .null, key)
    }
}
