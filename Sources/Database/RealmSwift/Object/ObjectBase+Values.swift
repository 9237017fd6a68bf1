// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime

extension ObjectBase {
    static func make(from value: Any) -> Self {
        let object = Self()
        ObjectMaking.fill(object, from: value)
        return object
    }

    /// Sets the properties of an unmanaged object from a dictionary, an array or another object (model 1.2).
    func setValues(from value: Any) {
        guard let value = flattened(value) else { throwRealmException("Must provide a non-nil value.") }
        let info = classInfo
        if let values = value as? [Any] {
            setValues(inOrder: values, info: info)
        } else if let values = valuesByName(value) {
            for property in info.properties {
                if let value = values[property.name] { setCopy(value, of: property) }
            }
        } else {
            let source = PropertySource(value)
            for property in info.properties { setCopy(source.value(named: property.name, for: info), of: property) }
        }
    }

    /// Sets a property to a value that may contain objects, which `create` copies.
    private func setCopy(_ value: Any?, of property: PropertyInfo) {
        setDynamicValue(ObjectMaking.copied(value, for: property), of: property)
    }

    /// Sets the properties of an unmanaged object from a dictionary, as long as the values are plain. Returns false if
    /// one isn't; some of the others have been set then.
    func setPlainValues(_ values: [String: Any], info: ClassInfo) -> Bool {
        for (name, value) in values {
            guard let property = info.property(named: name), !property.isComputed else { continue }
            guard isPlain(value) else { return false }
            let field = property.field
            if unsafe field.wrapper.assign(plain: value, at: field.address(in: self)) { continue }
            setDynamicValue(value, of: property)
        }
        return true
    }

    private func setValues(inOrder values: [Any], info: ClassInfo) {
        if values.count > info.properties.count {
            throwRealmException(
                """
                Invalid array input: more values (\(values.count)) than properties (\(info.properties.count)).
                """)
        }
        for (property, value) in zip(info.properties, values) { setCopy(value, of: property) }
    }
}

/// A value whose properties can be read by name: a model object, or any other Swift value that has such properties.
struct PropertySource {
    private let source: Any
    private let children: [String: Any]?

    init(_ source: Any) {
        self.source = source
        children = source is ObjectBase ? nil : Self.children(of: Mirror(reflecting: source))
    }

    private static func children(of mirror: Mirror) -> [String: Any] {
        var children = mirror.superclassMirror.map(children) ?? [:]
        for case (let label?, let value) in mirror.children { children[label] = value }
        return children
    }

    /// Traps if the source has no property of this name.
    func value(named name: String, for target: ClassInfo) -> Any? {
        if let object = source as? ObjectBase, let property = object.classInfo.property(named: name) {
            return object.dynamicValue(of: property)
        }
        if let value = children?[name] { return value }
        throwRealmException(
            """
            Invalid value '\(printed(source))' to initialize object of type '\(target.name)': missing key '\(name)'
            """)
    }
}
