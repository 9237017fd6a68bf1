// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A basic type. A value of it is a single stored value, which `_rlmContent` and `_make` write and read.
public protocol _StoredAsValue: _PersistableInsideOptional {
    /// The value returned by a read that finds nothing, because the object was deleted or the file is damaged.
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
