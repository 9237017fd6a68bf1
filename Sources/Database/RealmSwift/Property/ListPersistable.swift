// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A collection as the value of a property. The element type is erased.
protocol CollectionProperty {
    static func acceptsElement(_ value: Any?) -> Bool
}

extension RealmCollectionValue {
    /// Converts a value of any type to an element of a list or set; nil if that is impossible. For a type that is
    /// stored as an object, null is converted to the default only as the value of a property (row T13).
    static func converted(element value: Any?) -> Self? {
        if value == nil, _elementShape.isMapped, _elementShape.type == .object, !_elementShape.isOptional { return nil }
        return _convert(value)
    }
}

extension List: CollectionProperty {
    static func acceptsElement(_ value: Any?) -> Bool { Element.converted(element: value) != nil }
}

extension List: _RealmSchemaDiscoverable where Element: _RealmSchemaDiscoverable {
    public static var _shape: _PropertyShape { Element._elementShape.collected(.list) }
}

extension List: _ObjcBridgeable {
    /// Converts any sequence whose elements can be converted. Nil is converted to an empty list.
    public static func _convert(_ value: Any?) -> List? {
        if let list = instance(value, of: List.self) { return list }
        guard let value else { return List([]) }
        guard let elements = sequenceElements(of: value) else { return nil }
        var converted: [Element] = []
        for element in elements {
            guard let element = Element.converted(element: element) else { return nil }
            converted.append(element)
        }
        return List(converted)
    }

    public var _rlmDynamicValue: Any? { self }
}

extension List: _DefaultConstructible where Element: _Persistable {}

extension List: _HasPersistedType where Element: _Persistable {
    /// The type in which values are stored.
    public typealias PersistedType = List
}

extension List: _Persistable where Element: _Persistable {
    @inlinable public static var _keepsManagedValue: Bool { true }

    /// Copies the elements into the property's list, which remains the same instance.
    public static func _assigned(_ value: List, replacing old: List?) -> List {
        guard let list = old else { return List(Array(value)) }
        if list !== value { list.replaceContents(with: value) }
        return list
    }

    public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> List {
        object._list(key)
    }

    public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: List) {
        object._store(value, in: object._list(key) as List)
    }
}
