// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

/// The elements of a managed collection as values and objects of the program.
extension ManagedCollection {
    convenience init<Element: RealmCollectionValue>(
        _ owner: OwnerReference, _ key: PropertyKey, of type: Element.Type
    ) {
        let (path, shape) = (
            CollectionPath(owner.managed.columnKey(key), of: owner.key, in: owner.managed.tableKey), type._elementShape
        )
        let elementType = shape.objectType
        self.init(
            owner, path, of: elementType, isMapped: elementType != nil && !type._isReference,
            elementType == DynamicObject.self ? nil : shape.elementName)
    }

    /// Creates a collection that is nested in a mixed value.
    convenience init(_ owner: OwnerReference, nested path: CollectionPath) {
        self.init(owner, path, of: nil, isMapped: false, AnyRealmValue._elementShape.elementName)
    }

    final func element(_ value: StoredValue, at place: RowLocation? = nil) -> _StoredElement {
        var element = _StoredElement(value: value, realm: realm)
        switch value {
        case .link:
            element.target = referencedClass
            element.place = place
        case .list, .dictionary: element.container = self
        default: break
        }
        return element
    }

    /// Returns a cursor over the elements; over the values of a map, with null for objects that don't exist.
    final func makeCursor() -> ElementCursor {
        if let elementTree { return ElementCursor(realm, elementTree, of: self) }
        if let referencedClass, !(self is ManagedMap) { return ElementCursor(realm, keys(), of: referencedClass) }
        return ElementCursor(realm, values(), of: self)
    }

    final func verifyClass(of element: _StoredContent) {
        guard case .object(let object) = element.kind, let wanted = elementClass?.info else { return }
        let name = object.classInfo.name
        guard name != wanted.name else { return }
        if words.className == CollectionVocabulary.dictionary.className {
            throwRealmException("Value of type '\(name)' does not match RLMDictionary value type '\(wanted.name)'.")
        }
        throwRealmException("Object of type '\(name)' does not match \(words.className) type '\(wanted.name)'.")
    }
}

extension ManagedSet {
    func element(at index: Int) -> _StoredElement { element(value(at: index)) }

    /// Inserts an element. The caller has verified the write and the owner.
    func insert(_ element: _StoredContent) {
        if case .value(let value) = element.kind { return insert(value) }
        verifyClass(of: element)
        realm.put(element, at: .setElement(path), update: .error)
    }
}
