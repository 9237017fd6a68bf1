// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

extension ObjectBase {
    /// Returns the value of a property in its stored form: an enum as its raw value, a collection as itself.
    func dynamicValue(of property: PropertyInfo) -> Any? {
        unsafe property.field.wrapper.dynamicValue(of: self, at: property.field.address(in: self))
    }

    func dynamicValue(named name: String) -> Any? {
        dynamicValue(of: property(named: name))
    }

    /// Returns the value of a property as the API presents it: a number may be a number of Foundation (row S11).
    func boxedValue(named name: String) -> Any? {
        let property = property(named: name)
        return boxedNumber(dynamicValue(of: property), of: property)
    }

    func setDynamicValue(_ value: Any?, named name: String) {
        setDynamicValue(value, of: property(named: name))
    }

    /// Sets a property to a value of any type. Traps if the value can't be converted.
    func setDynamicValue(_ value: Any?, of property: PropertyInfo) {
        let value = flattened(value)
        if property.isPrimaryKey, isKeyFixed {
            throwRealmException("Primary key can't be changed to '\(printed(value))' after an object is inserted.")
        }
        let field = property.field
        if unsafe !field.wrapper.setDynamicValue(value, of: self, at: field.address(in: self)) {
            throwInvalidValue(value, for: property, of: classInfo)
        }
    }

    var isKeyFixed: Bool {
        guard let realm = _rlmRow.realm, let managed = _rlmRow.managed else { return false }
        return !realm.allowsKeyChange(of: managed)
    }

    private func property(named name: String) -> PropertyInfo {
        let info = classInfo
        guard let property = info.property(named: name) else {
            throwRealmException("Invalid property name '\(name)' for class '\(info.name)'.")
        }
        return property
    }
}
