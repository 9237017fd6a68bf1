// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A type that can be the key type of a `Map`; only `String` conforms.
public protocol _MapKey: Hashable, _ObjcBridgeable {
    /// The key in its stored form.
    var _mapKey: String { get }

    /// Creates the key from its stored form.
    init(_mapKey: String)
}

extension String: _MapKey {
    public var _mapKey: String { self }

    public init(_mapKey: String) { self = _mapKey }
}

extension Map: CollectionProperty {
    static func acceptsElement(_ value: Any?) -> Bool { Value._convert(value) != nil }
}

extension Map: _RealmSchemaDiscoverable where Value: _RealmSchemaDiscoverable {
    public static var _shape: _PropertyShape { Value._elementShape.collected(.dictionary) }
}

extension Map: _ObjcBridgeable {
    /// Converts any dictionary with string keys whose values can be converted. Nil is converted to an empty map.
    public static func _convert(_ value: Any?) -> Map? {
        if let map = instance(value, of: Map.self) { return map }
        guard let value else { return Map() }
        guard let entries = dictionaryEntries(of: value) else { return nil }
        let map = Map()
        for (key, value) in entries {
            guard let value = Value._convert(value) else { return nil }
            map.updateValue(value, forKey: Key(_mapKey: key))
        }
        return map
    }

    public var _rlmDynamicValue: Any? { self }
}

extension Map: _DefaultConstructible where Value: _Persistable {}

extension Map: _HasPersistedType where Value: _Persistable {
    /// The type in which values are stored.
    public typealias PersistedType = Map
}

extension Map: _Persistable where Value: _Persistable {
    @inlinable public static var _keepsManagedValue: Bool { true }

    /// Copies the entries into the property's map, which remains the same instance.
    public static func _assigned(_ value: Map, replacing old: Map?) -> Map {
        let map = old ?? Map()
        if map !== value { map.replaceContents(with: value) }
        return map
    }

    public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> Map {
        object._map(key)
    }

    public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: Map) {
        object._store(value, in: object._map(key) as Map)
    }
}
