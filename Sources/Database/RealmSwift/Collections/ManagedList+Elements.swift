// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

extension ManagedList {
    /// Creates the objects that are read by position.
    private final class Accessors {
        @safe @exclusivity(unchecked) var factory: AccessorFactory

        init(_ factory: AccessorFactory) { self.factory = factory }
    }

    /// Returns the location of element `index` of a list of values; nil if the element doesn't exist.
    @usableFromInline
    func place(of index: Int) -> (leaf: _StoredLeaf, row: Int)? {
        position(of: index).map { (_StoredLeaf($0.leaf, realm, self), $0.row) }
    }

    func element(at index: Int) -> _StoredElement { element(value(at: index)) }

    /// Returns an accessor of element `index`; nil if it doesn't exist, if the elements aren't objects, and if threads
    /// may share the list.
    func object(at index: Int) -> ObjectBase? {
        guard !isOfValues, !realm.isFrozen, let referencedClass, let key = key(at: index) else { return nil }
        if let accessors { return unsafe unsafeDowncast(accessors, to: Accessors.self).factory.object(key) }
        let accessors = Accessors(AccessorFactory(realm, referencedClass))
        self.accessors = accessors
        return accessors.factory.object(key)
    }
}
