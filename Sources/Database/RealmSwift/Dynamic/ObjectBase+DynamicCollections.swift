// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

extension Object {
    /// Returns the list property with this name as a list of dynamic objects.
    ///
    /// - Precondition: The object has a list with this name.
    public func dynamicList(_ propertyName: String) -> List<DynamicObject> { dynamicListProperty(propertyName) }

    /// Returns the set property with this name as a set of dynamic objects.
    ///
    /// - Precondition: The object has a set with this name.
    public func dynamicMutableSet(_ propertyName: String) -> MutableSet<DynamicObject> {
        let property = collectionProperty(propertyName, .set)
        if let key = managedKey(of: property) { return _mutableSet(key) }
        let set = MutableSet<DynamicObject>()
        set.insert(objectsIn: dynamicElements(of: property))
        return set
    }

    /// Returns the map property with this name as a map of dynamic objects.
    ///
    /// - Precondition: The object has a map with this name.
    public func dynamicMap<Key: _MapKey>(_ propertyName: String) -> Map<Key, DynamicObject?> {
        let property = collectionProperty(propertyName, .dictionary)
        if let key = managedKey(of: property) { return _map(key) }
        let map = Map<Key, DynamicObject?>()
        for (key, value) in dynamicValue(of: property).flatMap({ dictionaryEntries(of: $0) }) ?? [] {
            map.updateValue((value as? ObjectBase).map(DynamicObject.view), forKey: Key(_mapKey: key))
        }
        return map
    }
}

extension EmbeddedObject {
    /// Returns the list property with this name as a list of dynamic objects.
    ///
    /// - Precondition: The object has a list with this name.
    public func dynamicList(_ propertyName: String) -> List<DynamicObject> { dynamicListProperty(propertyName) }
}

extension ObjectBase {
    fileprivate func dynamicListProperty(_ name: String) -> List<DynamicObject> {
        let property = collectionProperty(name, .list)
        if let key = managedKey(of: property) { return _list(key) }
        return List(dynamicElements(of: property))
    }

    /// Returns the property with this name, which must be such a collection of objects.
    fileprivate func collectionProperty(_ name: String, _ collection: _PropertyShape.Collection) -> PropertyInfo {
        let info = classInfo
        guard let property = info.property(named: name) else {
            throwRealmException("Invalid property name '\(name)' for class '\(info.name)'.")
        }
        if property.isComputed {
            let name = collection == .list ? "List" : collection == .set ? "MutableSet" : "Map"
            throwRealmException("Unsupported migration type of 'LinkingObjects' for type '\(name)'.")
        }
        // A managed collection of values can be counted, observed and read by key (row S17).
        guard property.shape.collection == collection, property.shape.type == .object || isManaged else {
            throwRealmException(
                """
                Property '\(info.name).\(name)' is a \(property.shape.quotedName), not a \
                \(collection.name ?? "collection") of objects.
                """)
        }
        return property
    }

    fileprivate func managedKey(of property: PropertyInfo) -> PropertyKey? {
        _rlmRow.managed?.column(named: property.name).map { PropertyKey($0.leafIndex) }
    }

    fileprivate func dynamicElements(of property: PropertyInfo) -> [DynamicObject] {
        let elements = dynamicValue(of: property).flatMap { sequenceElements(of: $0) } ?? []
        return elements.compactMap { ($0 as? ObjectBase).map(DynamicObject.view) }
    }
}

extension AnyRealmValue {
    /// The object in the value, as a `DynamicObject`; nil if the value isn't an object.
    public var dynamicObject: DynamicObject? {
        if case .object(let value) = self { DynamicObject.view(of: value) } else { nil }
    }
}
