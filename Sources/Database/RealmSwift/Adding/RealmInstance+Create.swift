// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmStorage

extension RealmInstance {
    /// Creates a managed object from `value`, or changes the one that has its primary key.
    func create<T: ObjectBase>(_ type: T.Type, _ value: Any, update: Realm.UpdatePolicy) -> T {
        let info = requireManaged(type).info
        if update != .error, let object = value as? T, object._rlmRow.realm === self, object.hasRow { return object }
        let object: T
        if update == .error {
            object = type.init()
            let values = exactly([String: Any].self, value)
            if values.map({ object.setPlainValues($0, info: info) }) != true { setCopies(from: value, of: object) }
        } else {
            let value = withLinkedObjects(ObjectCopier(self).source(value, for: info), info, update)
            if let values = valuesByName(value), let primary = info.primaryKey, let value = values[primary.name],
                let existing = existing(type, primary, value)
            {
                assign(values, to: existing, update: update)
                return existing
            }
            object = type.init()
            object.setValues(from: value)
        }
        _ = add(object, update: update)
        return object
    }

    func setCopies(from value: Any, of object: ObjectBase) {
        if let source = instance(value, of: ObjectBase.self), source.isInvalidated { refuseInvalidated() }
        ObjectMaking.complete(copier: ObjectCopier(self)) { object.setValues(from: value) }
    }

    private func existing<T: ObjectBase>(_ type: T.Type, _ property: PropertyInfo, _ value: Any?) -> T? {
        guard case .value(let stored) = property.field.wrapper.content(converting: flattened(value))?.kind else {
            return nil
        }
        let managed = requireManaged(type)
        return key(ofPrimaryKey: stored, in: managed).map { object(of: type, managed, $0) }
    }

    func assign(_ values: [String: Any?], to object: ObjectBase, update: Realm.UpdatePolicy) {
        for property in object.classInfo.properties where !property.isPrimaryKey {
            guard let value = values[property.name] else { continue }
            assign(value, to: property, of: object, update: update)
        }
    }

    /// Assigns one value of a partial update; dictionaries for linked objects update these recursively.
    func assign(_ value: Any?, to property: PropertyInfo, of object: ObjectBase, update: Realm.UpdatePolicy) {
        let given = flattened(value)
        if update == .modified, property.shape.type == .object, property.shape.collection == .none,
            let values = given.flatMap(valuesByName), let child = object.dynamicValue(of: property) as? ObjectBase,
            child.livesInParent
        {
            return assign(values, to: child, update: update)
        }
        let value = update == .modified ? withChangedChildren(given, property, of: object) : given
        guard let managed = object._rlmRow.managed, let column = managed.column(named: property.name),
            let content = object.content(converting: value, for: property)
        else { throwInvalidValue(value, for: property, of: object.classInfo) }
        write(content, to: column, of: object._rlmRow.key, in: managed, update: update)
    }
}

extension RealmInstance {
    /// Returns the value with each description of an object with a primary key replaced by the managed object, updated
    /// as `update` specifies. Otherwise, such an object would be updated as a whole even if its description names only
    /// some of its properties.
    func withLinkedObjects(_ value: Any, _ info: ClassInfo, _ update: Realm.UpdatePolicy) -> Any {
        var values = valuesByName(value)
        if let inOrder = value as? [Any], inOrder.count <= info.properties.count {
            values = Dictionary(zip(info.properties.map(\.name), inOrder)) { first, _ in first }
        }
        guard var values else { return value }
        for property in info.properties {
            guard let value = values[property.name], property.shape.type == .object, !property.shape.isMapped else {
                continue
            }
            values[property.name] = withLinkedObjects(value, property.shape, update)
        }
        return values
    }

    private func withLinkedObjects(
        _ value: Any?, _ shape: _PropertyShape, _ update: Realm.UpdatePolicy
    ) -> Any? {
        guard let value = flattened(value) else { return nil }
        switch shape.collection {
        case .none: return linkedObject(value, shape, update)
        case .list, .set:
            return sequenceElements(of: value)?.map { linkedObject($0, shape, update) ?? NSNull() } ?? value
        case .dictionary:
            guard let entries = dictionaryEntries(of: value) else { return value }
            return Dictionary(entries.map { ($0.key, linkedObject($0.value, shape, update) ?? NSNull()) }) { $1 }
        }
    }

    private func linkedObject(_ value: Any?, _ shape: _PropertyShape, _ update: Realm.UpdatePolicy) -> Any? {
        guard let value, valuesByName(value) != nil || value is [Any] else { return value }
        if let name = shape.objectName {
            let managed = requireDynamicClass(named: name)
            let hasKey = managed.info.primaryKey != nil
            return hasKey
                ? createDynamic(managed, value, update: update) : withLinkedObjects(value, managed.info, update)
        }
        guard let target = shape.objectType else { return value }
        let info = ClassRegistry.shared.info(for: target)
        return info.primaryKey == nil ? withLinkedObjects(value, info, update) : create(target, value, update: update)
    }
}

/// Returns the values of a dictionary by property name, or nil for other values. A key path stands for the name of its
/// property (row R7).
func valuesByName(_ value: Any) -> [String: Any?]? {
    if let values = value as? [String: Any] { return values }
    guard let values = value as? [AnyHashable: Any] else { return nil }
    return Dictionary(
        values.compactMap { key, value in
            let name = key.base as? String ?? (key.base as? AnyKeyPath).map(PropertyProbe.name)
            return name.map { ($0, value) }
        }, uniquingKeysWith: { $1 })
}
