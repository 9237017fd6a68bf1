// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime

/// Key-value coding: access to properties by keys that are strings. An enum is represented by its raw value.
extension ObjectBase {
    /// Returns the value of the property with this name; the object itself for `"self"`.
    ///
    /// - Precondition: The object has a property with this name.
    public func value(forKey key: String) -> Any? {
        if let property = classInfo.property(named: key) {
            return boxedNumber(dynamicValue(of: property), of: property)
        }
        switch key {
        case "self": return self
        case "invalidated", "isInvalidated": return isInvalidated
        default:
            if self is DynamicObject { return dynamicValue(named: key) }
            throwUnknownKey(key, of: self)
        }
    }

    /// Returns the value at the end of a path of links, such as `"toy.name"`; nil if a link is nil. For a path through
    /// a collection, returns an array of its elements' properties, or the result of an operator, such as
    /// `"dogs.@avg.age"`. Traps if a class on the path has no property of the given name.
    public func value(forKeyPath keyPath: String) -> Any? {
        let parts = keyPath.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let value = flattened(value(forKey: parts[0]))
        guard parts.count > 1 else { return value }
        return RealmSwift.value(ofValue: value, forKeyPath: parts[1])
    }

    /// Returns the values of the properties with these names, by name; `NSNull` for null.
    public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
        var values: [String: Any] = [:]
        for key in keys { values[key] = value(forKey: key) ?? NSNull() }
        return values
    }

    /// Sets the property with this name. The value must be of its type or convertible to it without loss.
    ///
    /// - Precondition: The object has a property with this name, which isn't the primary key of a managed object. A
    ///   managed object requires a write transaction.
    public func setValue(_ value: Any?, forKey key: String) {
        if !(self is DynamicObject), classInfo.property(named: key) == nil {
            throwUnknownKey(key, of: self, "setValue:for")
        }
        if let property = classInfo.property(named: key), property.isPrimaryKey, isKeyFixed {
            throwRealmException("Cannot modify primary key after creation: '\(classInfo.name).\(key)'")
        }
        setDynamicValue(value, named: key)
    }

    /// Sets the properties with these names, like `setValue(_:forKey:)`.
    public func setValuesForKeys(_ keyedValues: [String: Any]) {
        for (key, value) in keyedValues { setValue(value is NSNull ? nil : value, forKey: key) }
    }

    /// Sets the property at the end of a path of links. Does nothing if a link is nil.
    public func setValue(_ value: Any?, forKeyPath keyPath: String) {
        guard let end = keyPath.lastIndex(of: ".") else { return setValue(value, forKey: keyPath) }
        let owner = self.value(forKeyPath: String(keyPath[..<end]))
        let key = String(keyPath[keyPath.index(after: end)...])
        switch owner {
        case let owner as ObjectBase: owner.setValue(value, forKey: key)
        case let owner as any RealmCollection: owner.setValue(value, forKey: key)
        case let owner as any RealmKeyedCollection: owner.setValue(value, forKey: key)
        case let owner?: throwUnknownKey(key, of: owner)
        case nil: break
        }
    }
}

/// Returns the result of `value(forKeyPath:)` for any value of a property.
func value(ofValue value: Any?, forKeyPath keyPath: String) -> Any? {
    switch value {
    case nil: nil
    case let object as ObjectBase: object.value(forKeyPath: keyPath)
    case let collection as any RealmCollection: collection.value(forKeyPath: keyPath)
    case let map as any RealmKeyedCollection: map.value(forKeyPath: keyPath)
    case let value? where keyPath == "self": value
    case let value?: throwUnknownKey(keyPath, of: value)
    }
}
