// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage

extension ObjectId: _StoredAsValue, _RealmCollectionValueInsideOptional, _DefaultConstructible {
    /// The type in which values are stored.
    public typealias PersistedType = ObjectId
    public static var _emptyValue: ObjectId { ObjectId() }
    public static var _shape: _PropertyShape { _PropertyShape(type: .objectId) }

    /// Converts an identifier, or its hexadecimal text.
    public static func _convert(_ value: Any?) -> ObjectId? {
        value as? ObjectId ?? (value as? String).flatMap { try? ObjectId(string: $0) }
    }

    /// Returns a newly generated identifier. `init()` creates the identifier of zeros instead.
    public static func _makeDefault() -> ObjectId { generate() }

    public var _rlmDynamicValue: Any? { self }
}

extension UUID: _StoredAsValue, _RealmCollectionValueInsideOptional, _DefaultConstructible {
    /// The type in which values are stored.
    public typealias PersistedType = UUID
    public static var _emptyValue: UUID { UUID(UUIDBytes(high: 0, low: 0)) }
    public static var _shape: _PropertyShape { _PropertyShape(type: .UUID) }

    /// Converts a UUID, or its text form.
    public static func _convert(_ value: Any?) -> UUID? {
        value as? UUID ?? (value as? String).flatMap(UUID.init(uuidString:))
    }

    public var _rlmDynamicValue: Any? { self }
}

extension Decimal128: _StoredAsValue, _RealmCollectionValueInsideOptional, _DefaultConstructible {
    /// The type in which values are stored.
    public typealias PersistedType = Decimal128
    public static var _emptyValue: Decimal128 { Decimal128() }
    public static var _shape: _PropertyShape { _PropertyShape(type: .decimal128) }

    /// Converts any number, or text that represents a number.
    public static func _convert(_ value: Any?) -> Decimal128? {
        if let value = value as? Decimal128 { return value }
        if let text = value as? String {
            guard let value = try? Decimal128(string: text), !value.isNaN else { return nil }
            return value
        }
        if let value = value.flatMap(DecimalBits.init(foundation:)) { return Decimal128(bits: value) }
        return DynamicNumber(value).map { Decimal128(value: $0.anyValue) }
    }

    public var _rlmDynamicValue: Any? { self }
}
