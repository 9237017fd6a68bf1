// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The basic types: each is a single stored value, so `_rlmContent` and `_make` are sufficient for reading and writing
/// it.
public protocol _StoredAsValue: _PersistableInsideOptional {
    /// The result of a read without a value: the object was deleted, or its file is damaged.
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
