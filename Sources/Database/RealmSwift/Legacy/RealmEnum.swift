// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

/// The protocol of enums in classes without `@Persisted` properties; the raw values are integers. Declare
/// `enum Size: Int, RealmEnum` for `RealmProperty<Size?>` and such classes, and `PersistableEnum` for all others.
public protocol RealmEnum: RealmOptionalType, RawRepresentable, _PersistableInsideOptional
where PersistedType == RawValue {}

extension RealmEnum {
    public static var _shape: _PropertyShape { RawValue._shape }

    /// Converts a case of the enum, or its raw value.
    public static func _convert(_ value: Any?) -> Self? {
        if let value = value as? Self { return value }
        return RawValue._convert(value).flatMap(Self.init(rawValue:))
    }

    public var _rlmDynamicValue: Any? { rawValue._rlmDynamicValue }

    public var _rlmContent: _StoredContent { rawValue._rlmContent }

    /// Returns the case for a stored raw value; nil if there isn't one.
    public static func _make(_ stored: _StoredElement) -> Self? {
        RawValue._make(stored).flatMap(Self.init(rawValue:))
    }

    /// Returns an arbitrary case, because the protocol doesn't list them. Declare properties of such an enum with a
    /// value.
    public static func _makeDefault() -> Self {
        if let value = Self(rawValue: RawValue._makeDefault()) { return value }
        let values = (1...1000).lazy.compactMap { RawValue._convert($0).flatMap(Self.init(rawValue:)) }
        guard let value = values.first else {
            throwRealmException("No case of the enum '\(Self.self)' is known; declare the property with a value.")
        }
        return value
    }

    public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> Self {
        let rawValue = RawValue._get(object, key)
        return Self(rawValue: rawValue) ?? _unknownCase(rawValue, object, key)
    }

    public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: Self) {
        RawValue._set(object, key, value.rawValue)
    }

    public static func _getOptional(_ object: ObjectBase, _ key: PropertyKey) -> Self? {
        RawValue._getOptional(object, key).flatMap(Self.init(rawValue:))
    }

    public static func _setOptional(_ object: ObjectBase, _ key: PropertyKey, _ value: Self?) {
        RawValue._setOptional(object, key, value?.rawValue)
    }

    /// Handles a stored value that isn't a case. A deleted object reads as the type's empty value, which for an enum is
    /// the first case even if the raw type's empty value isn't a case.
    @usableFromInline static func _unknownCase(
        _ rawValue: RawValue, _ object: ObjectBase, _ key: PropertyKey
    ) -> Self {
        if object.isInvalidated || object.probe != nil { return _makeDefault() }
        let note = object.propertyNote(of: key)
        throwRealmException("Could not convert value '\(rawValue)' to type '\(Self.self)'.\(note)")
    }
}
