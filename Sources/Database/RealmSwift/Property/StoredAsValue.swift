// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A basic type, which is stored as a single value. `_rlmContent` and `_make` convert it.
public protocol _StoredAsValue: _PersistableInsideOptional {
    /// The value of a read from a deleted object or a damaged file.
    static var _emptyValue: Self { get }
}

extension _StoredAsValue {
    public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> Self { object._read(key) ?? _emptyValue }

    public static func _getOptional(_ object: ObjectBase, _ key: PropertyKey) -> Self? { object._read(key) }

    public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: Self) {
        object._store(value._rlmContent.storedValue, key)
    }

    public static func _setOptional(_ object: ObjectBase, _ key: PropertyKey, _ value: Self?) {
        object._store(value?._rlmContent.storedValue ?? .null, key)
    }
}
