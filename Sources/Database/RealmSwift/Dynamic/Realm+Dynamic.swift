// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

/// Access to objects by the name of their class: of any table of the file, with or without a Swift class.
extension Realm {
    /// Returns all objects of the class with this name. The results are live and lazy, like those of `objects(_:)`.
    ///
    /// Includes embedded objects, regardless of their parents.
    ///
    /// - Precondition: The file has a class with this name, and it isn't asymmetric, because objects of asymmetric
    ///   classes are write-only.
    public func dynamicObjects(_ typeName: String) -> Results<DynamicObject> {
        let managed = instance.requireDynamicClass(named: typeName)
        verifyQueryable(managed.info, includingEmbedded: true)
        return Results(LiveQuery(instance, .table, elementClass: managed))
    }

    /// Returns the object with this primary key in the class with this name, or nil if it doesn't exist.
    ///
    /// - Precondition: The file has a class with this name, which is neither embedded nor asymmetric and has a primary
    ///   key. The type of `key` is that of the primary key, or convertible to it without loss.
    public func dynamicObject(ofType typeName: String, forPrimaryKey key: Any) -> DynamicObject? {
        let managed = instance.requireDynamicClass(named: typeName)
        verifyQueryable(managed.info)
        let stored = primaryKey(key, of: managed.info)
        return instance.key(ofPrimaryKey: stored, in: managed)
            .map { instance.object(of: DynamicObject.self, managed, $0) }
    }

    /// Creates a managed object of the class with this name, like `create(_:value:update:)`. Call this only within a
    /// write transaction.
    ///
    /// - Precondition: The file has a class with this name, which is neither embedded nor asymmetric; it has a primary
    ///   key unless `update` is `.error`.
    @discardableResult
    public func dynamicCreate(
        _ typeName: String, value: Any = [String: Any](), update: UpdatePolicy = .error
    ) -> DynamicObject {
        verifyInWrite()
        let managed = instance.requireDynamicClass(named: typeName)
        switch managed.info.kind {
        case .embedded: throwRealmException("Embedded objects cannot be created directly")
        case .asymmetric:
            throwRealmException("Asymmetric objects cannot be created by name: use create(_:value:) with the class.")
        case .topLevel: break
        }
        if update != .error, managed.info.primaryKey == nil {
            throwRealmException("'\(managed.info.name)' does not have a primary key and can not be updated")
        }
        return instance.createDynamic(managed, value, update: update)
    }

    private func verifyQueryable(_ info: ClassInfo, includingEmbedded: Bool = false) {
        if info.isEmbedded, !includingEmbedded {
            throwRealmException("Embedded objects of class '\(info.name)' can be queried only through their parents.")
        }
        if info.isAsymmetric {
            throwRealmException("Asymmetric objects of class '\(info.name)' are write-only and cannot be queried.")
        }
    }
}
