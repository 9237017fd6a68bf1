// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension Bool: _StoredAsValue, _RealmCollectionValueInsideOptional, _DefaultConstructible,
    RealmOptionalType
{
    /// The type in which values are stored.
    public typealias PersistedType = Bool
    public static var _emptyValue: Bool { false }
    public static var _shape: _PropertyShape { _PropertyShape(type: .bool) }

    /// Converts a Boolean, or the numbers 0 and 1.
    public static func _convert(_ value: Any?) -> Bool? {
        if let value = value as? Bool { return value }
        return DynamicNumber(value)?.bool
    }

    public var _rlmDynamicValue: Any? { self }

    @inlinable public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> Bool {
        object._bool(key)
    }

    @inlinable public static func _getOptional(_ object: ObjectBase, _ key: PropertyKey) -> Bool? {
        object._optionalBool(key)
    }

    public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: Bool) {
        object._store(value, key)
    }
}

extension Float: _StoredAsValue, _RealmCollectionValueInsideOptional, _DefaultConstructible,
    RealmOptionalType
{
    /// The type in which values are stored.
    public typealias PersistedType = Float
    public static var _emptyValue: Float { 0 }
    public static var _shape: _PropertyShape { _PropertyShape(type: .float) }

    /// Converts any number within range, rounding it.
    public static func _convert(_ value: Any?) -> Float? {
        if let value = value as? Float { return value }
        return DynamicNumber(value)?.float
    }

    public var _rlmDynamicValue: Any? { self }
}

extension Double: _StoredAsValue, _RealmCollectionValueInsideOptional, _DefaultConstructible,
    RealmOptionalType
{
    /// The type in which values are stored.
    public typealias PersistedType = Double
    public static var _emptyValue: Double { 0 }
    public static var _shape: _PropertyShape { _PropertyShape(type: .double) }

    /// Converts any number, rounding it.
    public static func _convert(_ value: Any?) -> Double? {
        if let value = value as? Double { return value }
        return DynamicNumber(value)?.double
    }

    public var _rlmDynamicValue: Any? { self }

    @inlinable public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> Double {
        object._double(key)
    }

    @inlinable public static func _getOptional(_ object: ObjectBase, _ key: PropertyKey) -> Double? {
        object._optionalDouble(key)
    }

    public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: Double) {
        object._store(value, key)
    }
}
