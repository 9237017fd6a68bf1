// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

/// An enum that can be used in properties and collections. The database stores its raw value.
///
/// ```swift
/// enum Size: Int, PersistableEnum { case small, large }
/// ```
///
/// The raw type may be any basic type that `@Persisted` accepts. If a stored value isn't a raw value of the enum, an
/// optional property is nil, and reading any other property traps. `<` compares the raw values.
public protocol PersistableEnum: RealmEnum, CaseIterable, _RealmCollectionValueInsideOptional, MinMaxType, Comparable
where RawValue: Comparable {}

extension PersistableEnum {
    /// Returns the first case.
    public init() {
        guard let first = Self.allCases.first else {
            throwRealmException("Enum '\(Self.self)' has no cases.")
        }
        self = first
    }

    public static func < (lhs: Self, rhs: Self) -> Bool {
        lhs.rawValue < rhs.rawValue
    }

    public static func _makeDefault() -> Self { Self() }

    // Repeated from `RealmEnum`, so that the user's module can inline them.
    @inlinable public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> Self {
        let rawValue = RawValue._get(object, key)
        guard let value = Self(rawValue: rawValue) else { return _unknownCase(rawValue, object, key) }
        return value
    }

    @inlinable public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: Self) {
        RawValue._set(object, key, value.rawValue)
    }

    @inlinable public static func _getOptional(_ object: ObjectBase, _ key: PropertyKey) -> Self? {
        RawValue._getOptional(object, key).flatMap(Self.init(rawValue:))
    }

    @inlinable public static func _setOptional(_ object: ObjectBase, _ key: PropertyKey, _ value: Self?) {
        RawValue._setOptional(object, key, value?.rawValue)
    }
}
