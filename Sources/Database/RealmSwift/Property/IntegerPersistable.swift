// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A signed integer type. All signed integers have the same stored form.
public protocol _StoredAsInteger: FixedWidthInteger, SignedInteger, RealmOptionalType {}

extension _StoredAsInteger {
    public static var _shape: _PropertyShape { _PropertyShape(type: .int) }

    /// Converts any number that this type can represent exactly.
    public static func _convert(_ value: Any?) -> Self? {
        if let value = value as? Self { return value }
        return DynamicNumber(value)?.integer()
    }

    public var _rlmDynamicValue: Any? { self }

    @inlinable public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> Self {
        Self(truncatingIfNeeded: object._int(key))
    }

    public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: Self) {
        object._store(Int64(value), key)
    }

    @inlinable public static func _getOptional(_ object: ObjectBase, _ key: PropertyKey) -> Self? {
        object._optionalInt(key).map { Self(truncatingIfNeeded: $0) }
    }

    public static func _setOptional(_ object: ObjectBase, _ key: PropertyKey, _ value: Self?) {
        object._store(value.map { .int(Int64($0)) } ?? .null, key)
    }
}

extension Int: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, _DefaultConstructible,
    _StoredAsInteger
{
    /// The type in which values are stored.
    public typealias PersistedType = Int
}

extension Int8: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, _DefaultConstructible,
    _StoredAsInteger
{
    /// The type in which values are stored.
    public typealias PersistedType = Int8
}

extension Int16: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, _DefaultConstructible,
    _StoredAsInteger
{
    /// The type in which values are stored.
    public typealias PersistedType = Int16
}

extension Int32: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, _DefaultConstructible,
    _StoredAsInteger
{
    /// The type in which values are stored.
    public typealias PersistedType = Int32
}

extension Int64: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, _DefaultConstructible,
    _StoredAsInteger
{
    /// The type in which values are stored.
    public typealias PersistedType = Int64
}
