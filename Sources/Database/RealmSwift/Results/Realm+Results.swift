// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

extension Realm {
    /// Returns all objects of a class, or projections of them, in unspecified order. Nothing is read until the results
    /// are used.
    public func objects<Element: RealmFetchable>(_ type: Element.Type) -> Results<Element> {
        instance.verifyThread()
        guard let type = type as? ObjectBase.Type ?? (type as? any ProjectionClass.Type)?.rootClass,
            !type.isEmbedded()
        else { throwRealmException("Object type '\(type)' is not managed by the Realm.") }
        let managed = instance.requireManaged(type)
        if !managed.isStored, instance.mayGetTables { return Results(LiveQuery(instance, AwaitedQuery(type))) }
        return Results(LiveQuery(instance, .table, elementClass: managed))
    }

    /// Deletes the objects in a list, which empties the list. Call this only within a write transaction.
    public func delete<Element: ObjectBase>(_ objects: List<Element>) {
        verifyInWrite()
        guard let list = objects.managed else { return Array(objects).forEach(delete) }
        delete(list.keys(), of: list.elementClass, in: list.realm)
    }

    /// Deletes the objects in a set, which empties the set. Call this only within a write transaction.
    public func delete<Element: ObjectBase>(_ objects: MutableSet<Element>) {
        verifyInWrite()
        guard let set = objects.managed else { return Array(objects).forEach(delete) }
        delete(set.keys(), of: set.elementClass, in: set.realm)
    }

    /// Deletes the objects in a map, whose entries remain with the value nil. Call this only within a write
    /// transaction.
    public func delete<Key: _MapKey, Value: OptionalProtocol>(_ objects: Map<Key, Value>)
    where Value: RealmCollectionValue, Value.Wrapped: ObjectBase {
        verifyInWrite()
        guard let map = objects.managed else {
            return objects.values.compactMap { $0._rlmDynamicValue as? ObjectBase }.forEach(delete)
        }
        delete(map.keys(), of: map.elementClass, in: map.realm)
    }

    /// Deletes all objects in the results. Call this only within a write transaction.
    public func delete<Element: ObjectBase>(_ objects: Results<Element>) {
        verifyInWrite()
        let core = objects.core
        if core.realm === instance, let managed = core.elementClass, case .table = core.allContents {
            if managed.isStored { instance.change { try $0.clear(managed.tableKey) } }
            return
        }
        delete(core.keys(), of: core.elementClass, in: core.realm)
    }

    private func delete(_ keys: [ObjectKey], of managed: ManagedClass?, in realm: RealmInstance) {
        guard realm === instance else { throwRealmException(Realm.foreignDeletion) }
        guard let managed else { return }
        instance.change { try $0.removeObjects(keys, from: managed.tableKey) }
    }
}
