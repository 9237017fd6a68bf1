// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The collections of managed objects.
extension ObjectBase {
    /// The live list of a property.
    final func _list<Element>(_ key: PropertyKey) -> List<Element> {
        let list = List<Element>()
        list.attach(to: self, key)
        return list
    }

    /// Replaces the contents of a list property. Assigning a list to itself changes nothing.
    final func _storeList<Element>(_ value: List<Element>, _ key: PropertyKey) {
        let list: List<Element> = _list(key)
        if list == value { return }
        let elements = Array(value)
        list.removeAll()
        list.append(objectsIn: elements)
    }

    /// The live inverse of a link.
    final func _linkingObjects<Element>(_ key: PropertyKey) -> LinkingObjects<Element> {
        LinkingObjects(owner: self, key)
    }
}
