// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

/// The common requirements of `CustomPersistable` and `FailableCustomPersistable`.
public protocol _CustomPersistable: _PersistableInsideOptional, _RealmCollectionValueInsideOptional {
    /// Converts a stored value; returns nil if the type rejects it.
    static func _custom(_ persistedValue: PersistedType) -> Self?

    /// The value in its stored form.
    var persistableValue: PersistedType { get }
}

/// A custom type that can be used in properties and collections, and is stored as a value of another type.
///
/// ```swift
/// extension URL: FailableCustomPersistable {
///     public init?(persistedValue: String) { self.init(string: persistedValue) }
///     public var persistableValue: String { absoluteString }
/// }
/// ```
///
/// `PersistedType` is any basic type that `@Persisted` accepts, except optionals, or a class of embedded objects. The
/// schema contains the persisted type, so you can switch a property between the two types without a migration.
public protocol CustomPersistable: _CustomPersistable {
    /// Converts a stored value.
    init(persistedValue: PersistedType)

    /// The value in its stored form.
    var persistableValue: PersistedType { get }
}

/// A custom type like ``CustomPersistable`` that can reject stored values.
///
/// If a stored value is rejected, an optional property or element is nil. Reading any other property or element traps.
public protocol FailableCustomPersistable: _CustomPersistable {
    /// Converts a stored value; returns nil if the type rejects it.
    init?(persistedValue: PersistedType)

    /// The value in its stored form.
    var persistableValue: PersistedType { get }
}

extension CustomPersistable {
    public static func _custom(_ persistedValue: PersistedType) -> Self? { Self(persistedValue: persistedValue) }

    /// Hashes the stored form of the value.
    public func hash(into hasher: inout Hasher) { hasher.combine(persistableValue) }
}

extension FailableCustomPersistable {
    public static func _custom(_ persistedValue: PersistedType) -> Self? { Self(persistedValue: persistedValue) }

    /// Hashes the stored form of the value.
    public func hash(into hasher: inout Hasher) { hasher.combine(persistableValue) }
}

extension _CustomPersistable {
    /// The shape of the property. A type that is stored as an object has the shape of a link, which is nullable in the
    /// file.
    public static var _shape: _PropertyShape {
        let shape = _elementShape
        return shape.type == .object ? shape.optional : shape
    }

    public static var _elementShape: _PropertyShape {
        var shape = PersistedType._elementShape
        shape.isMapped = true
        return shape
    }

    /// Creates the value represented by the stored type's default.
    public static func _makeDefault() -> Self {
        if let value = _custom(PersistedType._makeDefault()) { return value }
        throwRealmException(
            """
            Failed to default construct a \(Self.self) using the default value for persisted type \
            \(PersistedType.self). This conversion must either succeed, the property must be optional, or you must \
            explicitly specify a default value for the property.
            """)
    }

    public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> Self {
        let stored = PersistedType._get(object, key)
        if let value = _custom(stored) { return value }
        if object.probe != nil || object.isInvalidated { return _makeDefault() }
        throwRealmException(
            """
            Failed to convert persisted value '\(stored)' to type '\(Self.self)' in a non-optional \
            context.\(object.propertyNote(of: key))
            """)
    }

    public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: Self) {
        PersistedType._set(object, key, value.persistableValue)
    }

    public static func _getOptional(_ object: ObjectBase, _ key: PropertyKey) -> Self? {
        PersistedType._getOptional(object, key).flatMap(_custom)
    }

    public static func _setOptional(_ object: ObjectBase, _ key: PropertyKey, _ value: Self?) {
        PersistedType._setOptional(object, key, value?.persistableValue)
    }

    /// Converts a value of the type, or its stored form. Traps if the type rejects it.
    public static func _convert(_ value: Any?) -> Self? {
        if let value = value as? Self { return value }
        // A missing object is read as the default, as in a file without one.
        if value == nil, _elementShape.type == .object { return _makeDefault() }
        guard let value, isContainer(value) else { return PersistedType._convert(value).map(_required) }
        // The embedded object is complete before it is converted.
        return ObjectMaking.completeInside { PersistedType._convert(value).map(_required) }
    }

    /// Converts a value of the type, or its stored form. Returns a nested nil if the type rejects it.
    public static func _convertOptional(_ value: Any?) -> Self?? {
        guard let value else { return .some(nil) }
        if let value = value as? Self { return .some(value) }
        guard isContainer(value) else { return PersistedType._convert(value).map(_custom) }
        return ObjectMaking.completeInside { PersistedType._convert(value).map(_custom) }
    }

    public var _rlmDynamicValue: Any? { persistableValue._rlmDynamicValue }

    public var _rlmContent: _StoredContent { persistableValue._rlmContent }

    /// Converts a stored value; returns nil if the type rejects it.
    public static func _make(_ stored: _StoredElement) -> Self? { PersistedType._make(stored).flatMap(_custom) }

    static func verifyAccepted(_ stored: _StoredElement) { _ = PersistedType._make(stored).map(_required) }

    private static func _required(_ stored: PersistedType) -> Self {
        if let value = _custom(stored) { return value }
        throwRealmException("Could not convert value '\(stored)' to type '\(Self.self)'.")
    }
}
