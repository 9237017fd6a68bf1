// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

extension RealmInstance {
    /// Returns the class of a table for dynamic objects: that of the model, if one exists, else that of the columns.
    func dynamicClass(of table: Table) -> ManagedClass {
        let model = coordinator.model(of: table)
        if let known = own.dynamicClasses.withLock({ $0[table.key] }), known.isDynamic(of: table, model) {
            return known
        }
        let managed = makeDynamicClass(of: table, model)
        own.dynamicClasses.withLock { $0[table.key] = managed }
        return managed
    }

    private func makeDynamicClass(of table: Table, _ model: ManagedClass?) -> ManagedClass {
        if let model {
            return ManagedClass(
                ClassInfo(dynamic: model.info), table: table, columns: model.columns, backlinks: model.backlinks)
        }
        let blank = ClassInfo(objectClass: DynamicObject.self, properties: [], name: table.className ?? table.name)
        let info = reading(blank) {
            try ClassInfo(dynamic: table, in: try requireSource(), declared: coordinator.declared[table.name])
        }
        let columns = info.properties.isEmpty ? [] : table.propertyColumns.map(\.key)
        return ManagedClass(info, table: table, columns: columns, backlinks: [])
    }

    func dynamicTarget(of column: ColumnKey, in managed: ManagedClass) -> ManagedClass? {
        guard column.type == .link, let table = table(managed.tableKey), table.column(column) != nil else { return nil }
        return self.table(table.oppositeTables[column.leafIndex]).map(dynamicClass)
    }

    func dynamicClass(named name: String) -> ManagedClass? {
        let table = reading(nil) { try source?.table(named: coordinator.tableName(ofClass: name)) }
        return table.map(dynamicClass)
    }

    /// Returns the class with this name. Traps with the documented exception if the file has no table for it, unlike
    /// `dynamicClass(named:)`.
    func requireDynamicClass(named name: String) -> ManagedClass {
        verifyThread()
        if let managed = dynamicClass(named: name) { return managed }
        refuse(RealmInstance.unmanagedClass(name))
        return ManagedClass(unstored: ClassInfo(objectClass: DynamicObject.self, properties: [], name: name))
    }

    /// Returns the class of an object as this Realm stores it, or raises the documented exception.
    func requireManaged(of object: ObjectBase) -> ManagedClass {
        guard let dynamic = object as? DynamicObject else { return requireManaged(type(of: object)) }
        return requireDynamicClass(named: dynamic.info.name)
    }

    // MARK: Creation of objects

    /// Creates an unmanaged object of the class with this name, from a dictionary, an array or another object. If the
    /// class has a Swift class, the object is an instance of it, with its defaults. Returns nil if the class doesn't
    /// exist.
    func makeDetached(_ className: String, from value: Any) -> DynamicObject? {
        guard let managed = dynamicClass(named: className) else { return nil }
        if let model = model(of: managed) { return DynamicObject.view(of: model.info.objectClass.make(from: value)) }
        let object = DynamicObject(managed.info, in: self)
        ObjectMaking.fill(object, from: value)
        return object
    }

    /// Creates an unmanaged object of the same class, without values, that can be added to this Realm.
    func makeTwin(of object: ObjectBase) -> ObjectBase {
        guard let dynamic = object as? DynamicObject else { return type(of: object).init() }
        let managed = requireDynamicClass(named: dynamic.info.name)
        return model(of: managed)?.info.objectClass.init() ?? DynamicObject(managed.info, in: self)
    }

    func createDynamic(_ managed: ManagedClass, _ value: Any, update: Realm.UpdatePolicy) -> DynamicObject {
        if let model = model(of: managed) {
            return DynamicObject.view(of: create(model.info.objectClass, value, update: update))
        }
        let info = managed.info
        if update != .error, let object = value as? ObjectBase, object._rlmRow.realm === self, object.hasRow,
            object._rlmRow.managed?.tableKey == managed.tableKey
        {
            return DynamicObject.view(of: object)
        }
        let object: DynamicObject
        if update == .error {
            object = DynamicObject(info, in: self)
            setCopies(from: value, of: object)
        } else {
            let value = withLinkedObjects(ObjectCopier(self).source(value, for: info), info, update)
            if let existing = existing(managed, value) {
                assign(valuesByName(value) ?? [:], to: existing, update: update)
                return existing
            }
            object = DynamicObject(info, in: self)
            object.setValues(from: value)
        }
        _ = add(object, update: update)
        return object
    }

    /// Adds the object shown by a view; afterwards the view shows its row.
    func add(_ view: DynamicObject, of subject: ObjectBase, update: Realm.UpdatePolicy) -> ObjectKey {
        let key = add(subject, update: update)
        if key.isNull { return key }
        view.detached = DynamicObject.Detached()
        view.manage(self, requireDynamicClass(named: subject.classInfo.name), key)
        return key
    }

    private func existing(_ managed: ManagedClass, _ value: Any) -> DynamicObject? {
        guard let property = managed.info.primaryKey, let value = valuesByName(value)?[property.name],
            case .value(let stored) = property.field.wrapper.content(converting: flattened(value))?.kind
        else { return nil }
        return key(ofPrimaryKey: stored, in: managed).map { object(of: DynamicObject.self, managed, $0) }
    }

    private func model(of managed: ManagedClass) -> ManagedClass? {
        table(managed.tableKey).flatMap(coordinator.model)
    }

    /// Whether the value of a primary key may change: only in a migration, during which the table's primary key is
    /// removed.
    func allowsKeyChange(of managed: ManagedClass) -> Bool {
        guard isMigrating else { return false }
        if table(managed.tableKey)?.primaryKey != nil {
            change { try $0.schema.setPrimaryKey(nil, of: managed.tableKey) }
        }
        return true
    }
}

extension ManagedClass {
    /// Whether this is the current dynamic class of `table`. Called for each link that is followed.
    fileprivate func isDynamic(of table: Table, _ model: ManagedClass?) -> Bool {
        guard primaryKey == table.primaryKey else { return false }
        if let model {
            return columns == model.columns
                && info.properties.elementsEqual(model.info.properties) { $0.name == $1.name }
        }
        var index = 0
        for column in table.publicColumns where PropertyType(column.type) != nil {
            guard index < columns.count, columns[index] == column.key, info.properties[index].name == column.name
            else { return false }
            index += 1
        }
        return index == columns.count
    }
}
