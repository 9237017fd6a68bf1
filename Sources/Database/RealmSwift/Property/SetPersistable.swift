// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension MutableSet: CollectionProperty {
    static func acceptsElement(_ value: Any?) -> Bool { Element.converted(element: value) != nil }
}

extension MutableSet: _RealmSchemaDiscoverable where Element: _RealmSchemaDiscoverable {
    public static var _shape: _PropertyShape { Element._elementShape.collected(.set) }
}

extension MutableSet: _ObjcBridgeable {
    /// Converts any sequence whose elements can be converted. Nil is converted to an empty set.
    public static func _convert(_ value: Any?) -> MutableSet? {
        if let set = instance(value, of: MutableSet.self) { return set }
        guard let value else { return MutableSet() }
        guard let elements = sequenceElements(of: value) else { return nil }
        let set = MutableSet()
        for element in elements {
            guard let element = Element.converted(element: element) else { return nil }
            set.insert(element)
        }
        return set
    }

    public var _rlmDynamicValue: Any? { self }
}

extension MutableSet: _DefaultConstructible where Element: _Persistable {}

extension MutableSet: _HasPersistedType where Element: _Persistable {
    /// The type in which values are stored.
    public typealias PersistedType = MutableSet
}

extension MutableSet: _Persistable where Element: _Persistable {
    @inlinable public static var _keepsManagedValue: Bool { true }

    /// Copies the elements into the property's set, which remains the same instance.
    public static func _assigned(_ value: MutableSet, replacing old: MutableSet?) -> MutableSet {
        let set = old ?? MutableSet()
        if set !== value { set.replaceContents(with: value) }
        return set
    }

    public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> MutableSet {
        object._mutableSet(key)
    }

    public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: MutableSet) {
        object._store(value, in: object._mutableSet(key) as MutableSet)
    }
}
