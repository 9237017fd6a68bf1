// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension Optional: OptionalProtocol {}

extension Optional: _RealmSchemaDiscoverable where Wrapped: _RealmSchemaDiscoverable {
    public static var _shape: _PropertyShape { Wrapped._shape.optional }
}

extension Optional: _ObjcBridgeable where Wrapped: _ObjcBridgeable {
    public static func _convert(_ value: Any?) -> Wrapped?? { Wrapped._convertOptional(value) }

    public var _rlmDynamicValue: Any? { flatMap { $0._rlmDynamicValue } }
}

extension Optional: _HasPersistedType where Wrapped: _HasPersistedType {
    /// The type in which values are stored.
    public typealias PersistedType = Wrapped.PersistedType?
}

extension Optional: _Persistable where Wrapped: _PersistableInsideOptional {
    @inlinable public static func _makeDefault() -> Wrapped? { nil }

    @inlinable public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> Wrapped? {
        Wrapped._getOptional(object, key)
    }

    @inlinable public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: Wrapped?) {
        Wrapped._setOptional(object, key, value)
    }

    public static func _fieldContent(_ object: ObjectBase, _ address: UnsafeMutableRawPointer) -> _StoredContent {
        unsafe Wrapped._optionalFieldContent(object, address)
    }

    public static func _assignField(_ value: Any, _ address: UnsafeMutableRawPointer) -> Bool {
        unsafe Wrapped._assignOptionalField(value, address)
    }

    public static func _bindField(_ key: PropertyKey, _ object: ObjectBase, _ address: UnsafeMutableRawPointer) {
        unsafe Wrapped._bindOptionalField(key, object, address)
    }
}

extension Optional: RealmCollectionValue where Wrapped: _RealmCollectionValueInsideOptional {
    public static var _elementShape: _PropertyShape { Wrapped._elementShape.optional }
    public static var _isReference: Bool { Wrapped._isReference }
}
