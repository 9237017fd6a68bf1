// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

/// The common superclass of `RealmProperty` and `RealmOptional`: a single value that a property of a class without
/// `@Persisted` stores in a separate object.
public class RLMSwiftValueStorage: CustomStringConvertible {
    /// The location of the value once a Realm manages the object. It doesn't retain the object, which retains this.
    private var place: Place?

    private struct Place {
        let owner: OwnerReference
        let key: PropertyKey

        var column: ColumnKey { owner.managed.columnKey(key) }
        var name: String { owner.managed.propertyName(key) }
    }

    /// Creates an unmanaged storage whose value is nil.
    public init() {}

    /// A textual representation of the value.
    public var description: String { "" }

    /// Makes this the live value of a managed object's property. A probe has no row, so the value remains unmanaged.
    final func attach(to owner: ObjectBase, _ key: PropertyKey) {
        place = OwnerReference(owner).map { Place(owner: $0, key: key) }
        if place != nil { discardUnmanagedValue() }
    }

    /// Called when the object becomes managed: its previous value is stored in its row.
    func discardUnmanagedValue() {}

    /// Returns the stored value, or `unmanaged` if the object isn't managed. A deleted object reads as empty (design
    /// decision 8).
    final func read<Value: _ObjcBridgeable>(_ unmanaged: Value, empty: Value) -> Value {
        guard let place else { return unmanaged }
        let (owner, realm) = (place.owner, place.owner.realm)
        guard let (table, position) = owner.locate() else {
            realm.readWithoutRow(owner.managed, place.name, "Object has been deleted or invalidated.")
            return empty
        }
        let stored = realm.reading(.null) { try table.value(try table.require(place.column), at: position) }
        // In two steps: casting nil to an optional type would succeed.
        if let nested = AnyRealmValue.nested(stored, of: owner, place.key), let value = nested as? Value {
            return value
        }
        return Value._make(_StoredElement(value: stored, realm: realm)) ?? empty
    }

    /// Stores a value in the row. Returns false if the object is unmanaged and has no row.
    final func write<Value: _ObjcBridgeable>(_ value: Value) -> Bool {
        guard let place else { return false }
        let (owner, realm) = (place.owner, place.owner.realm)
        if owner.locate() == nil { realm.refuse("Object has been deleted or invalidated.") }
        if realm.isFrozen {
            throwRealmException("Attempting to modify a frozen object - call thaw on the Object instance first.")
        }
        realm.verifyInWrite(
            "Attempting to modify object outside of a write transaction - call beginWriteTransaction on an RLMRealm instance first."
        )
        if owner.managed.primaryKey == place.column, !realm.allowsKeyChange(of: owner.managed) {
            throwRealmException(
                "Cannot modify primary key after creation: '\(owner.managed.info.name).\(place.name)'")
        }
        let path = CollectionPath(place.column, of: owner.key, in: owner.managed.tableKey)
        realm.put(value._rlmContent, at: .property(path), update: .error)
        return true
    }
}
