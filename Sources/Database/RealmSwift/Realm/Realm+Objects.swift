// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmStorage

extension Realm {
    /// The behavior when an object with the same primary key already exists.
    public enum UpdatePolicy: Int, Sendable {
        /// Traps, because a duplicate primary key is a programmer error.
        case error = 1
        /// Writes only properties whose values differ.
        case modified = 3
        /// Writes every property.
        case all = 2
    }

    /// Adds an unmanaged object to the Realm, with all objects that it links to. Call this only within a write
    /// transaction.
    ///
    /// The instance becomes managed. An object that this Realm already manages is unchanged. In a write that has failed
    /// because of an I/O error (see `write(_:)`), the object stays unmanaged.
    ///
    /// - Precondition: The object isn't deleted and doesn't belong to another Realm. With `.error`, its primary key
    ///   isn't in use.
    public func add(_ object: Object, update: UpdatePolicy = .error) {
        verifyInWrite()
        if update != .error { verifyUpdatable(object.classInfo) }
        _ = instance.add(object, update: update)
    }

    /// Adds each object of a sequence. Call this only within a write transaction.
    public func add<S: Sequence>(_ objects: S, update: UpdatePolicy = .error) where S.Iterator.Element: Object {
        for object in Array(objects) { add(object, update: update) }
    }

    @available(
        *, unavailable,
        message: """
            Pass .error, .modified or .all rather than a boolean. .error is equivalent to false and .all is equivalent \
            to true.
            """
    )
    public func add(_ object: Object, update: Bool) {}

    @available(
        *, unavailable,
        message: """
            Pass .error, .modified or .all rather than a boolean. .error is equivalent to false and .all is equivalent \
            to true.
            """
    )
    public func add<S: Sequence>(_ objects: S, update: Bool) where S.Iterator.Element: Object {}

    /// Creates a managed object from a dictionary by property name, an array in the order of the properties, or another
    /// object. With an update policy, an existing object with the same primary key is changed instead, and a dictionary
    /// changes only the properties that it contains. In a write that has failed because of an I/O error (see
    /// `write(_:)`), the result is an unmanaged object with these values. Call this only within a write transaction.
    @discardableResult
    public func create<T: Object>(_ type: T.Type, value: Any = [String: Any](), update: UpdatePolicy = .error) -> T {
        verifyInWrite()
        if update != .error { verifyUpdatable(ClassRegistry.shared.info(for: type)) }
        return instance.create(type, value, update: update)
    }

    /// Deletes an object of this Realm, and its embedded objects. Links to it become nil or are removed from their
    /// lists. Call this only within a write transaction.
    public func delete(_ object: ObjectBase) {
        verifyInWrite()
        if instance.reader.writeFailure != nil { return }
        guard object._rlmRow.realm === instance, let managed = object._rlmRow.managed,
            object.mayHaveRow(in: instance)
        else { return instance.refuse(Realm.foreignDeletion) }
        switch instance.change({ try $0.removeObject(object._rlmRow.key, from: managed.tableKey) }) {
        case true?: object._rlmRow.isDeleted = true
        case false?: instance.refuse(Realm.foreignDeletion)
        case nil: break
        }
    }

    /// Deletes each object of a sequence. Call this only within a write transaction.
    public func delete<S: Sequence>(_ objects: S) where S.Iterator.Element: ObjectBase {
        for object in Array(objects) { delete(object) }
    }

    /// Deletes all objects of the classes in `schema`, except asymmetric objects. The schema, and the objects of other
    /// classes in the file, remain. Call this only within a write transaction.
    public func deleteAll() {
        verifyInWrite()
        // Embedded objects are deleted with their parents; asymmetric ones are still to be uploaded.
        for one in instance.coordinator.managedClasses where one.info.kind == .topLevel {
            instance.change { try $0.clear(one.tableKey) }
        }
    }

    /// Returns the object with this primary key, or nil if it doesn't exist.
    public func object<Element: Object, KeyType>(ofType type: Element.Type, forPrimaryKey key: KeyType) -> Element? {
        instance.verifyThread()
        if instance.remembersClasses {
            let known = instance.known(type)
            if let stored = known.locator.managed.plainKey(key) { return instance.object(type, known, stored) }
        }
        let info = ClassRegistry.shared.info(for: type)
        let stored = primaryKey(key, of: info)
        let managed = instance.requireManaged(type)
        return instance.key(ofPrimaryKey: stored, in: managed).map { instance.object(of: type, managed, $0) }
    }

    func primaryKey(_ key: Any, of info: ClassInfo) -> StoredValue {
        guard let property = info.primaryKey else {
            throwRealmException("'\(info.name)' does not have a primary key defined")
        }
        let value = flattened(key)
        if value == nil, !property.shape.isOptional {
            throwRealmException("Invalid null value for non-nullable primary key '\(info.name).\(property.name)'.")
        }
        guard case .value(let stored) = property.field.wrapper.content(converting: value)?.kind else {
            throwInvalidValue(value, for: property, of: info)
        }
        return stored
    }

    static let foreignDeletion = "Can only delete an object from the Realm it belongs to."

    func verifyInWrite() {
        instance.verifyInWrite(
            """
            Can only add, remove, or create objects in a Realm in a write transaction - call beginWriteTransaction on \
            an RLMRealm instance first.
            """)
    }

    private func verifyUpdatable(_ info: ClassInfo) {
        if info.primaryKey == nil {
            throwRealmException("'\(info.name)' does not have a primary key and can not be updated")
        }
    }
}
