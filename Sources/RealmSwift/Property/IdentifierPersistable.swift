// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage

extension ObjectId: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, _DefaultConstructible {
    public typealias PersistedType = ObjectId
    public static var _shape: _PropertyShape { _PropertyShape(type: .objectId) }

    /// Takes the hexadecimal text too.
    public static func _convert(_ value: Any?) -> ObjectId? {
        value as? ObjectId ?? (value as? String).flatMap { try? ObjectId(string: $0) }
    }

    /// A new random identifier; `init()` makes the one of all zeros.
    public static func _makeDefault() -> ObjectId { generate() }

    public var _dynamicValue: Any? { self }

    @inlinable public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> ObjectId {
        object._objectId(key)
    }

    public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: ObjectId) {
        object._store(.objectId(value.bits), key)
    }

    @inlinable public static func _getOptional(_ object: ObjectBase, _ key: PropertyKey) -> ObjectId? {
        object._optionalObjectId(key)
    }

    public static func _setOptional(_ object: ObjectBase, _ key: PropertyKey, _ value: ObjectId?) {
        object._store(value.map { value in .objectId(value.bits) } ?? .null, key)
    }
}

extension UUID: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, _DefaultConstructible {
    public typealias PersistedType = UUID
    public static var _shape: _PropertyShape { _PropertyShape(type: .UUID) }

    /// Takes the text form too.
    public static func _convert(_ value: Any?) -> UUID? {
        value as? UUID ?? (value as? String).flatMap(UUID.init(uuidString:))
    }

    public var _dynamicValue: Any? { self }

    @inlinable public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> UUID {
        object._uuid(key)
    }

    public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: UUID) {
        object._store(.uuid(UUIDBytes(value)), key)
    }

    @inlinable public static func _getOptional(_ object: ObjectBase, _ key: PropertyKey) -> UUID? {
        object._optionalUUID(key)
    }

    public static func _setOptional(_ object: ObjectBase, _ key: PropertyKey, _ value: UUID?) {
        object._store(value.map { value in .uuid(UUIDBytes(value)) } ?? .null, key)
    }
}

extension Decimal128: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, _DefaultConstructible {
    public typealias PersistedType = Decimal128
    public static var _shape: _PropertyShape { _PropertyShape(type: .decimal128) }

    /// Takes any number, and text that is one.
    public static func _convert(_ value: Any?) -> Decimal128? {
        if let value = value as? Decimal128 { return value }
        if let text = value as? String {
            guard let value = try? Decimal128(string: text), !value.isNaN else { return nil }
            return value
        }
        return DynamicNumber(value).map { Decimal128(value: $0.anyValue) }
    }

    public var _dynamicValue: Any? { self }

    @inlinable public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> Decimal128 {
        object._decimal(key)
    }

    public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: Decimal128) {
        object._store(.decimal(value.bits), key)
    }

    @inlinable public static func _getOptional(_ object: ObjectBase, _ key: PropertyKey) -> Decimal128? {
        object._optionalDecimal(key)
    }

    public static func _setOptional(_ object: ObjectBase, _ key: PropertyKey, _ value: Decimal128?) {
        object._store(value.map { value in .decimal(value.bits) } ?? .null, key)
    }
}
