// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The collections of managed objects.
extension ObjectBase {
    /// Whether a read may store the collection that it creates. Several threads may be reading a frozen object.
    @usableFromInline final var _keepsCollections: Bool { !isFrozen }

    /// Returns the live list of a property.
    final func _list<Element>(_ key: PropertyKey) -> List<Element> {
        let list = List<Element>()
        list.attach(to: self, key)
        return list
    }

    /// Returns the live set of a property.
    final func _mutableSet<Element>(_ key: PropertyKey) -> MutableSet<Element> {
        let set = MutableSet<Element>()
        set.attach(to: self, key)
        return set
    }

    /// Returns the live map of a property.
    final func _map<Key, Value>(_ key: PropertyKey) -> Map<Key, Value> {
        let map = Map<Key, Value>()
        map.attach(to: self, key)
        return map
    }

    /// Replaces the contents of a collection property by those of `value`. Assigning a collection to itself has no
    /// effect.
    final func _store<Collection: RLMSwiftCollectionBase>(_ value: Collection, in property: Collection) {
        if property == value { return }
        property.replaceContents(with: value)
    }

    /// Returns the live inverse of a link.
    final func _linkingObjects<Element>(_ key: PropertyKey) -> LinkingObjects<Element> {
        LinkingObjects(owner: self, key)
    }
}
