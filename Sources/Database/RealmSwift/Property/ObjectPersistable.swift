// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension Object: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, _DefaultConstructible {
    /// The type in which values are stored.
    public typealias PersistedType = Object
}

extension EmbeddedObject: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, _DefaultConstructible {
    /// The type in which values are stored.
    public typealias PersistedType = EmbeddedObject
}

extension ObjectBase {
    public static var _shape: _PropertyShape { _PropertyShape(type: .object, objectType: self) }
    public static var _elementShape: _PropertyShape { _shape }
    public static var _isReference: Bool { true }

    /// Returns a new object if the link is nil. Links that aren't optional are rejected when the schema is built, so a
    /// managed object never has such a property.
    public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> Self {
        _getOptional(object, key) ?? Self()
    }

    public static func _getOptional(_ object: ObjectBase, _ key: PropertyKey) -> Self? {
        object._link(key, to: self)
    }
}

extension Object {
    public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: Object) {
        object._storeLink(value, key)
    }

    public static func _setOptional(_ object: ObjectBase, _ key: PropertyKey, _ value: Object?) {
        object._storeLink(value, key)
    }

    public static func _optionalFieldContent(
        _ object: ObjectBase, _ address: UnsafeMutableRawPointer
    ) -> _StoredContent {
        unsafe linkContent(object, address, unmanaged: Object?.self)
    }

    public static func _bindOptionalField(
        _ key: PropertyKey, _ object: ObjectBase, _ address: UnsafeMutableRawPointer
    ) {
        unsafe Persisted<Object?>.bindWrapper(key, of: object, at: address)
    }
}

extension EmbeddedObject {
    public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: EmbeddedObject) {
        object._storeLink(value, key)
    }

    public static func _setOptional(_ object: ObjectBase, _ key: PropertyKey, _ value: EmbeddedObject?) {
        object._storeLink(value, key)
    }

    public static func _optionalFieldContent(
        _ object: ObjectBase, _ address: UnsafeMutableRawPointer
    ) -> _StoredContent {
        unsafe linkContent(object, address, unmanaged: EmbeddedObject?.self)
    }

    public static func _bindOptionalField(
        _ key: PropertyKey, _ object: ObjectBase, _ address: UnsafeMutableRawPointer
    ) {
        unsafe Persisted<EmbeddedObject?>.bindWrapper(key, of: object, at: address)
    }
}

extension _PersistableInsideOptional where Self: ObjectBase {
    /// Returns the content of a wrapper of `Self?`.
    ///
    /// The optionals of all class references have one layout. So an unmanaged object's link is read as one of the base
    /// class, because looking up the metadata of `Persisted<Self?>` takes a tenth of the time to add an object.
    @inline(__always)
    fileprivate static func linkContent<Link: _Persistable>(
        _ object: ObjectBase, _ address: UnsafeMutableRawPointer, unmanaged: Link?.Type
    ) -> _StoredContent where Link: _PersistableInsideOptional {
        let wrapper = unsafe address.assumingMemoryBound(to: Persisted<Link?>.self)
        guard unsafe wrapper.pointee.key == .unmanaged else {
            return unsafe Persisted<Self?>.value(of: object, at: address)._rlmContent
        }
        return unsafe (wrapper.pointee.value ?? nil)._rlmContent
    }
}
