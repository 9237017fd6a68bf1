// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension Bool: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, _DefaultConstructible,
    RealmOptionalType
{
    public typealias PersistedType = Bool
    public static var _shape: _PropertyShape { _PropertyShape(type: .bool) }

    /// Takes 0 and 1 too.
    public static func _convert(_ value: Any?) -> Bool? {
        if let value = value as? Bool { return value }
        return DynamicNumber(value)?.bool
    }

    public var _dynamicValue: Any? { self }

    @inlinable public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> Bool {
        object._bool(key)
    }

    public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: Bool) {
        object._store(.bool(value), key)
    }

    @inlinable public static func _getOptional(_ object: ObjectBase, _ key: PropertyKey) -> Bool? {
        object._optionalBool(key)
    }

    public static func _setOptional(_ object: ObjectBase, _ key: PropertyKey, _ value: Bool?) {
        object._store(value.map { value in .bool(value) } ?? .null, key)
    }
}

extension Float: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, _DefaultConstructible,
    RealmOptionalType
{
    public typealias PersistedType = Float
    public static var _shape: _PropertyShape { _PropertyShape(type: .float) }

    /// Takes any number within range, rounding it.
    public static func _convert(_ value: Any?) -> Float? {
        if let value = value as? Float { return value }
        return DynamicNumber(value)?.float
    }

    public var _dynamicValue: Any? { self }

    @inlinable public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> Float {
        object._float(key)
    }

    public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: Float) {
        object._store(.float(value), key)
    }

    @inlinable public static func _getOptional(_ object: ObjectBase, _ key: PropertyKey) -> Float? {
        object._optionalFloat(key)
    }

    public static func _setOptional(_ object: ObjectBase, _ key: PropertyKey, _ value: Float?) {
        object._store(value.map { value in .float(value) } ?? .null, key)
    }
}

extension Double: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, _DefaultConstructible,
    RealmOptionalType
{
    public typealias PersistedType = Double
    public static var _shape: _PropertyShape { _PropertyShape(type: .double) }

    /// Takes any number, rounding it.
    public static func _convert(_ value: Any?) -> Double? {
        if let value = value as? Double { return value }
        return DynamicNumber(value)?.double
    }

    public var _dynamicValue: Any? { self }

    @inlinable public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> Double {
        object._double(key)
    }

    public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: Double) {
        object._store(.double(value), key)
    }

    @inlinable public static func _getOptional(_ object: ObjectBase, _ key: PropertyKey) -> Double? {
        object._optionalDouble(key)
    }

    public static func _setOptional(_ object: ObjectBase, _ key: PropertyKey, _ value: Double?) {
        object._store(value.map { value in .double(value) } ?? .null, key)
    }
}
