// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

extension RealmInstance {
    /// Makes a managed object from `value`, or changes the one that has its primary key.
    func create<T: ObjectBase>(_ type: T.Type, _ value: Any, update: Realm.UpdatePolicy) -> T {
        let info = ClassRegistry.shared.info(for: type)
        if update != .error, let object = value as? T, object._rlmRow.realm === self, object.hasRow { return object }
        var copier = ObjectCopier(self)
        let value = copier.source(value, for: info)
        if update != .error, let values = valuesByName(value), let primary = info.primaryKey,
            let value = values[primary.name], let existing = existing(type, primary, value)
        {
            for property in info.properties where !property.isPrimaryKey {
                guard let value = values[property.name] else { continue }
                assign(value, to: property, of: existing, update: update)
            }
            return existing
        }
        let object = type.init()
        object.setValues(from: value)
        _ = add(object, update: update)
        return object
    }

    private func existing<T: ObjectBase>(_ type: T.Type, _ property: PropertyInfo, _ value: Any?) -> T? {
        guard case .value(let stored) = property.field.wrapper.content(converting: flattened(value))?.kind else {
            return nil
        }
        let managed = requireManaged(type)
        return key(ofPrimaryKey: stored, in: managed).map { object(of: type, managed, $0) }
    }

    /// Assigns one value of a partial update; dictionaries for linked objects update those in turn.
    func assign(_ value: Any?, to property: PropertyInfo, of object: ObjectBase, update: Realm.UpdatePolicy) {
        let value = flattened(value)
        guard let managed = object._rlmRow.managed, let column = managed.column(named: property.name),
            let content = object.content(converting: value, for: property)
        else { throwInvalidValue(value, for: property, of: object.classInfo) }
        write(content, to: column, of: object._rlmRow.key, in: managed, update: update)
    }
}

/// The values of a dictionary by property name; nil for anything else.
func valuesByName(_ value: Any) -> [String: Any?]? {
    if let values = value as? [String: Any] { return values }
    guard let values = value as? [AnyHashable: Any] else { return nil }
    return Dictionary(
        values.compactMap { key, value in (key.base as? String).map { ($0, value) } }, uniquingKeysWith: { $1 })
}
