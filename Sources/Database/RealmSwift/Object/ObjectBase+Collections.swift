// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension ObjectBase {
    /// Whether a read may store the collection that it creates. Several threads may be reading a frozen object.
    @usableFromInline final var _keepsCollections: Bool { !isFrozen }

    final func _list<Element>(_ key: PropertyKey) -> List<Element> {
        let list = List<Element>()
        list.attach(to: self, key)
        return list
    }

    final func _mutableSet<Element>(_ key: PropertyKey) -> MutableSet<Element> {
        let set = MutableSet<Element>()
        set.attach(to: self, key)
        return set
    }

    final func _map<Key, Value>(_ key: PropertyKey) -> Map<Key, Value> {
        let map = Map<Key, Value>()
        map.attach(to: self, key)
        return map
    }

    /// Assigning a collection to itself has no effect.
    final func _store<Collection: RLMSwiftCollectionBase>(_ value: Collection, in property: Collection) {
        if property == value { return }
        property.replaceContents(with: value)
    }

    final func _linkingObjects<Element>(_ key: PropertyKey) -> LinkingObjects<Element> {
        LinkingObjects(owner: self, key)
    }
}
