// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

/// A property of a `DynamicObject`, for code that treats all properties alike.
///
/// The object contains no wrapper: the "offset" of such a field is its index among the properties of the class, and an
/// address is only converted back to that, never dereferenced.
enum DynamicField<Value: _Persistable>: PersistedField {
    static var shape: _PropertyShape { Value._shape }
    static var keyOffset: Int { 0 }
    static var keepsManagedValue: Bool { true }

    static func declaration(at address: UnsafeRawPointer) -> PersistedDeclaration {
        PersistedDeclaration(isIndexed: false, isPrimaryKey: false)
    }

    static func dynamicValue(of object: ObjectBase, at address: UnsafeMutableRawPointer) -> Any? {
        guard let (object, index) = unsafe place(object, address) else { return nil }
        let property = object.info.allProperties[index]
        if property.isComputed { return object.inverse(property, at: index) }
        if let subject = object.detached.subject {
            let value = subject.dynamicValue(named: property.name)
            return (value as? ObjectBase).map(DynamicObject.view) ?? value
        }
        let value = value(of: object, index)._rlmDynamicValue
        return property.isReference ? object.shown(value, of: property) : value
    }

    static func setDynamicValue(
        _ value: Any?, of object: ObjectBase, at address: UnsafeMutableRawPointer
    ) -> Bool {
        guard let (object, index) = unsafe place(object, address) else { return false }
        let property = object.info.allProperties[index]
        if property.isComputed { throwRealmException("LinkingObjects properties are read-only") }
        if let subject = object.detached.subject {
            subject.setDynamicValue(value, named: property.name)
            return true
        }
        guard let prepared = object.prepared(value, for: property), let new = Value._convertStored(prepared.value)
        else {
            return false
        }
        if let key = key(of: object, index) {
            object.verifyKeyChange(value, property)
            Value._set(object, key, new)
        } else {
            let old = object.detached.values[index] as? Value
            object.detached.values[index] = Value._assigned(new, replacing: old)
        }
        return true
    }

    static func content(of object: ObjectBase, at address: UnsafeMutableRawPointer) -> _StoredContent {
        guard let (object, index) = unsafe place(object, address) else { return .null }
        return value(of: object, index)._rlmContent
    }

    static func content(converting value: Any?) -> _StoredContent? { Value._convertStored(value)?._rlmContent }

    static func bind(_ key: PropertyKey, of object: ObjectBase, at address: UnsafeMutableRawPointer) {}

    static func bindProbe(_ key: PropertyKey, at address: UnsafeMutableRawPointer) {}

    static func acceptsElement(_ value: Any?) -> Bool {
        (Value.self as? any CollectionProperty.Type)?.acceptsElement(value) ?? false
    }

    private static func place(
        _ object: ObjectBase, _ address: UnsafeMutableRawPointer
    ) -> (object: DynamicObject, index: Int)? {
        guard let dynamic = object as? DynamicObject else { return nil }
        return unsafe (dynamic, address - Unmanaged.passUnretained(object).toOpaque())
    }

    private static func value(of object: DynamicObject, _ index: Int) -> Value {
        if let key = key(of: object, index) { return Value._get(object, key) }
        return detachedValue(of: object, index)
    }

    private static func detachedValue(of object: DynamicObject, _ index: Int) -> Value {
        if let value = object.detached.values[index] as? Value { return value }
        let value = Value._makeDefault()
        object.detached.values[index] = value
        return value
    }

    private static func key(of object: DynamicObject, _ index: Int) -> PropertyKey? {
        object._rlmRow.managed.map { PropertyKey($0.columns[index].leafIndex) }
    }
}
