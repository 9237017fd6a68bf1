// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmStorage

extension MutableSet {
    /// Returns the value of a property for each element, as a `Set` in which null is `NSNull`; for `"self"`, the
    /// elements themselves. `"invalidated"` returns whether the set is invalidated, and a name after `@` is an
    /// operator, as for other collections.
    public func value(forKey key: String) -> Any? {
        if key == "invalidated" { return isInvalidated }
        if key.hasPrefix("@") { return value(forKeyPath: key) }
        let values = compactMap {
            (RealmSwift.value(ofElement: $0._rlmDynamicValue, forKey: key) ?? NSNull()) as? AnyHashable
        }
        return Set(values)
    }

    /// Returns whether the set contains an element.
    public func contains(_ object: Element) -> Bool {
        guard let managed else { return storage.contains(object) }
        return stored(object).map(managed.contains) ?? false
    }

    /// Adds an element. Does nothing if the set already contains it.
    public func insert(_ object: Element) {
        guard let reference else { return storage.insert(object) }
        unsafe reference._withUnsafeGuaranteedRef { managed in
            managed.verifyChange()
            managed.insert(object._rlmContent)
        }
    }

    /// Adds the elements of a sequence.
    public func insert<S: Sequence>(objectsIn objects: S) where S.Iterator.Element == Element {
        managed?.verifyChange()
        for object in Array(objects) { insert(object) }
    }

    /// Removes an element. Does nothing if the set doesn't contain it.
    public func remove(_ object: Element) {
        guard let managed else { return storage.remove(object) }
        managed.verifyChange()
        if let value = stored(object) { managed.remove(value) }
    }

    /// Removes all elements.
    public func removeAll() {
        guard let managed else {
            storage = UniqueElements()
            return
        }
        managed.verifyChange()
        managed.removeAll()
    }

    // MARK: Operations on two sets

    /// Returns whether the other set contains all elements of this set.
    public func isSubset(of possibleSuperset: MutableSet<Element>) -> Bool {
        guard let (managed, operand) = inOneRealm(possibleSuperset) else {
            return allSatisfy(possibleSuperset.contains)
        }
        return managed.values().allSatisfy(operand.contains)
    }

    /// Returns whether the other set contains any element of this set.
    public func intersects(_ otherSet: MutableSet<Element>) -> Bool {
        guard let (managed, operand) = inOneRealm(otherSet) else { return contains(where: otherSet.contains) }
        return managed.values().contains(where: operand.contains)
    }

    /// Removes the elements that the other set doesn't contain. If this set is managed, the other one must belong to
    /// the same Realm.
    public func formIntersection(_ other: MutableSet<Element>) {
        verifyOperand(other, "intersectSet:")
        guard let (managed, operand) = inOneRealm(other) else {
            for element in Array(self) where !other.contains(element) { remove(element) }
            return
        }
        for value in managed.values() where !operand.contains(value) { managed.remove(value) }
    }

    /// Removes the elements that the other set contains. If this set is managed, the other one must belong to the same
    /// Realm.
    public func subtract(_ other: MutableSet<Element>) {
        verifyOperand(other, "minusSet:")
        guard let (managed, operand) = inOneRealm(other) else { return Array(other).forEach(remove) }
        operand.values().forEach(managed.remove)
    }

    /// Adds the elements of the other set. If this set is managed, the other one must belong to the same Realm.
    public func formUnion(_ other: MutableSet<Element>) {
        verifyOperand(other, "unionSet:")
        guard let (managed, operand) = inOneRealm(other) else { return insert(objectsIn: other) }
        for value in operand.values() { managed.insert(value) }
    }

    /// Returns both sets if they are managed by the same Realm and so store equal elements as equal values.
    private func inOneRealm(_ other: MutableSet<Element>) -> (ManagedSet, ManagedSet)? {
        guard let managed, let operand = other.managed, managed.realm === operand.realm else { return nil }
        return (managed, operand)
    }

    private func verifyOperand(_ other: MutableSet<Element>, _ selector: String) {
        guard let managed else { return }
        if managed.isInvalidated { managed.owner.refuseAsInvalid(managed.words.name) }
        managed.realm.verifyInWrite(
            """
            Can only perform [RLMSet \(selector)] in a Realm in a write transaction - call beginWriteTransaction on \
            an RLMRealm instance first.
            """)
        guard let operand = other.managed else { throwRealmException("Right hand side value must be a managed Set.") }
        if operand.realm !== managed.realm {
            // The original's spelling.
            throwRealmException("Cannot insersect sets managed by different Realms.")
        }
    }

    /// Returns the stored form of an element, for a search; nil if the set can't contain it.
    private func stored(_ element: Element) -> StoredValue? {
        guard let managed else { return nil }
        switch element._rlmContent.kind {
        case .value(let value): return value
        case .elements, .entries: return nil
        case .object(let object):
            if object.isInvalidated { managed.realm.refuse("Attempting to access an invalid object") }
            managed.verifyClass(of: element._rlmContent)
            guard object._rlmRow.realm === managed.realm, let owner = object._rlmRow.managed else { return nil }
            guard managed.column.type == .mixed else { return .link(object._rlmRow.key) }
            return .typedLink(ObjectLink(table: owner.tableKey, object: object._rlmRow.key))
        }
    }
}
