// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

protocol LinkingObjectsDeclaration {
    var originProperty: String { get }
}

extension LinkingObjects: LinkingObjectsDeclaration {}

extension LinkingObjects: _RealmSchemaDiscoverable {
    public static var _shape: _PropertyShape {
        _PropertyShape(type: .linkingObjects, collection: .list, objectType: Element.self)
    }
}

extension LinkingObjects: _ObjcBridgeable {
    public static func _convert(_ value: Any?) -> LinkingObjects? { value as? LinkingObjects }

    public var _rlmDynamicValue: Any? { self }
}

extension LinkingObjects: _HasPersistedType where Element: _Persistable {
    /// The type in which values are stored.
    public typealias PersistedType = LinkingObjects
}

extension LinkingObjects: _Persistable where Element: _Persistable {
    /// Creates linking objects without an origin, for a declaration that the schema then rejects.
    public static func _makeDefault() -> LinkingObjects { LinkingObjects(fromType: Element.self, property: "") }

    public static func _assigned(_ value: LinkingObjects, replacing old: LinkingObjects?) -> LinkingObjects {
        throwRealmException("LinkingObjects properties are read-only")
    }

    public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> LinkingObjects {
        object._linkingObjects(key)
    }

    public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: LinkingObjects) {
        throwRealmException("LinkingObjects properties are read-only")
    }
}
