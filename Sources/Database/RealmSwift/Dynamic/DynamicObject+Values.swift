// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

extension DynamicObject {
    /// A value that was prepared for a property, which may be null.
    struct Prepared {
        let value: Any?
    }

    /// Returns a value whose objects are of the property's class, created from dictionaries and other values if
    /// necessary; nil if that fails.
    func prepared(_ value: Any?, for property: PropertyInfo) -> Prepared? {
        guard property.shape.type == .object, let value, !(value is RLMSwiftCollectionBase) || !isOwn(value),
            let className = property.objectClassName
        else { return Prepared(value: value) }
        switch property.shape.collection {
        case .none:
            return linked(value, className).map { Prepared(value: $0) }
        case .list, .set:
            guard let elements = sequenceElements(of: value) else { return nil }
            let objects = elements.compactMap { $0.flatMap { linked($0, className) } }
            return objects.count == elements.count ? Prepared(value: objects) : nil
        case .dictionary:
            guard let entries = dictionaryEntries(of: value) else { return nil }
            var objects: [String: DynamicObject?] = [:]
            for (key, value) in entries {
                let object = value.flatMap { linked($0, className) }
                if value != nil, object == nil { return nil }
                objects.updateValue(object, forKey: key)
            }
            return Prepared(value: objects)
        }
    }

    private func isOwn(_ value: Any) -> Bool {
        value is List<DynamicObject> || value is MutableSet<DynamicObject> || value is Map<String, DynamicObject?>
    }

    private func linked(_ value: Any, _ className: String) -> DynamicObject? {
        if let object = value as? ObjectBase { return DynamicObject.view(of: object) }
        guard let realm = _rlmRow.realm ?? detached.owner else { return nil }
        return realm.makeDetached(className, from: value)
    }

    func verifyKeyChange(_ value: Any?, _ property: PropertyInfo) {
        guard property.isPrimaryKey, let realm = _rlmRow.realm, let managed = _rlmRow.managed, hasRow,
            realm.isInWriteTransaction, !realm.allowsKeyChange(of: managed)
        else { return }
        throwRealmException("Primary key can't be changed to '\(printed(value))' after an object is inserted.")
    }
}

extension ObjectBase {
    /// Converts a value of any type to the engine's form for this property; nil if that fails.
    func content(converting value: Any?, for property: PropertyInfo) -> _StoredContent? {
        let wrapper = property.field.wrapper
        guard let dynamic = self as? DynamicObject else { return wrapper.content(converting: value) }
        return dynamic.prepared(value, for: property).flatMap { wrapper.content(converting: $0.value) }
    }
}
