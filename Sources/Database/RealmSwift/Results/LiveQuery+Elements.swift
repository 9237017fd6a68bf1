// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

/// The elements of a query as values and objects of the program.
extension LiveQuery {
    /// Creates the objects that are read one by one.
    private final class Accessors {
        @safe @exclusivity(unchecked) var factory: AccessorFactory

        init(_ factory: AccessorFactory) { self.factory = factory }
    }

    var first: _StoredElement? { storedFirst.map(element) }

    /// Returns an empty element if it can't be read.
    func element(at index: Int) -> _StoredElement { element(storedElement(at: index)) }

    private func element(_ element: QueryElement) -> _StoredElement {
        switch element {
        case .object(let key, let place):
            return _StoredElement(value: .link(key), realm: realm, target: isMapped ? nil : elementClass, place: place)
        case .value(let value): return baseCollection?.element(value) ?? _StoredElement(value: value, realm: realm)
        }
    }

    /// Returns an accessor; nil for values, and for frozen queries, which threads may share.
    func object(at index: Int) -> ObjectBase? {
        guard let elementClass, !realm.isFrozen, !isMapped else { return nil }
        guard let (key, place) = storedObject(at: index) else { return nil }
        let accessors = accessors(of: elementClass)
        guard let place else { return accessors.factory.object(key) }
        return accessors.factory.object(key, at: place)
    }

    private func accessors(of elementClass: ManagedClass) -> Accessors {
        if let accessors { return unsafe unsafeDowncast(accessors, to: Accessors.self) }
        let made = Accessors(AccessorFactory(realm, elementClass))
        accessors = made
        return made
    }

    // MARK: Iterations

    func makeCursor(at positions: some Collection<Int>) -> ElementCursor {
        if case .values(let values) = allContents {
            return ElementCursor(realm, positions.compactMap(values.element), of: baseCollection)
        }
        let all = keys()
        let keys = positions.compactMap(all.element)
        if let elementClass, !isMapped { return ElementCursor(realm, keys, of: elementClass) }
        return ElementCursor(realm, keys.map { .link($0) }, of: baseCollection)
    }

    func makeCursor() -> ElementCursor {
        update()
        if let walk = backlinkWalk() { return ElementCursor(walk) }
        switch (allContents, elementClass) {
        case (.table, let elementClass?): return ElementCursor(realm, allOf: elementClass)
        case (.keys(let keys), _) where isMapped:
            return ElementCursor(realm, keys.map { .link($0) }, of: baseCollection)
        case (.keys(let keys), let elementClass?): return ElementCursor(realm, keys, of: elementClass)
        case (.values(let values), _): return ElementCursor(realm, values, of: baseCollection)
        default: return ElementCursor(realm, [], of: nil)
        }
    }

    // MARK: Inverse properties

    /// Creates the query for the inverse property `key` of `owner`; nil for an unmanaged object. `type` is the class of
    /// the elements.
    convenience init?(backlinksOf owner: ObjectBase, _ key: PropertyKey, _ type: ObjectBase.Type) {
        guard let anchor = OwnerReference(owner) else { return nil }
        let column = anchor.managed.columnKey(key)
        self.init(
            anchor.realm, .backlinks(anchor, column), elementClass: anchor.realm.requireManaged(type), filter: nil)
        if column != .null { inverse = Inverse(key: key, place: owner.lastPlace) }
    }

    func isInverse(_ key: PropertyKey, _ type: ObjectBase.Type) -> Bool {
        inverse?.key == key && ownClass?.info.objectClass == type
    }

    /// Changes this query to that of the same inverse property of another object.
    func move(to owner: ObjectBase) {
        move(
            to: owner._rlmRow.key, createdInWrite: owner._rlmRow.createdInWrite, epoch: owner._rlmRow.epoch,
            at: owner.lastPlace)
    }

    var originProperty: String {
        guard case .backlinks(let owner, let column) = base else { return "" }
        return owner.managed.propertyName(PropertyKey(column.leafIndex))
    }

    /// Iterates over all objects of an inverse property in their current state; nil for any other query. An unused walk
    /// is restarted, because creating one takes longer than iterating over a few objects.
    private func backlinkWalk() -> KeyWalk? {
        guard inverse != nil, let ownClass, !realm.isFrozen, !isKnown else { return nil }
        if !isKnownUniquelyReferenced(&walk) { walk = KeyWalk(AccessorFactory(realm, ownClass), []) }
        guard let walk else { return nil }
        let keys = unsafe unsafeDowncast(walk, to: KeyWalk.self)
        keys.restart(appendBacklinks)
        return keys
    }
}

extension RealmInstance {
    /// Returns the stored form of an element, for a search; nil for an object that this Realm doesn't manage, which the
    /// collection therefore doesn't contain.
    func stored<Element: RealmCollectionValue>(_ element: Element, of elementClass: ManagedClass?) -> StoredValue? {
        switch element._rlmContent.kind {
        case .value(let value): return value
        case .elements, .entries: return nil
        case .object(let object):
            if object.isInvalidated { refuse("Attempting to access an invalid object") }
            if let wanted = elementClass?.info, object.classInfo.name != wanted.name {
                throwRealmException(
                    "Object of type '\(object.classInfo.name)' does not match Results type '\(wanted.name)'")
            }
            guard object._rlmRow.realm === self, let managed = object._rlmRow.managed else { return nil }
            guard elementClass == nil else { return .link(object._rlmRow.key) }
            return .typedLink(ObjectLink(table: managed.tableKey, object: object._rlmRow.key))
        }
    }
}
