// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage

extension _ObjcBridgeable {
    /// Like `_convert`, but also accepts a value of a custom type if its stored form is required: for example an enum's
    /// case for a property that holds the raw value (row S10).
    static func _convertStored(_ value: Any?) -> Self? {
        if let converted = _convert(value) { return converted }
        return value.flatMap { storedForm($0) }.flatMap { _convert($0) }
    }
}

/// Returns the value with its parts, at any depth, in their stored form; nil if all parts already are.
private func storedForm(_ value: Any, level: Int = 0) -> Any? {
    // Deeper values can't be stored.
    if level > FileFormat.maximumNestingLevel { return nil }
    if let value = flattened(value), !isContainer(value) {
        if value is any PersistableEnum || value is any _CustomPersistable || value is any RealmEnum {
            return (value as? any _ObjcBridgeable)?._rlmDynamicValue
        }
        if value is ObjectBase || value is RLMSwiftCollectionBase { return nil }
    }
    if let entries = dictionaryEntries(of: value) {
        var hasOther = false
        let values = entries.map { entry in (entry.key, part(entry.value, level, &hasOther)) }
        return hasOther ? Dictionary(values) { $1 } : nil
    }
    guard let elements = sequenceElements(of: value) else { return nil }
    var hasOther = false
    let values = elements.map { part($0, level, &hasOther) }
    return hasOther ? values : nil
}

private func part(_ value: Any?, _ level: Int, _ hasOther: inout Bool) -> Any {
    guard let value else { return NSNull() }
    guard let stored = storedForm(value, level: level + 1) else { return value }
    hasOther = true
    return stored
}

/// An optional whose property may hold a stored form without a corresponding value: a raw value that isn't a case of
/// the enum (row S10), or a value that a custom type rejects (row T3). Such a stored form is stored, and read as nil.
protocol OptionalOfOwnType {
    static func refuses(_ value: Any?) -> Bool

    /// Stores a stored form without a corresponding value in a property of a managed object. For any other value,
    /// returns false and does nothing.
    static func storeRefused(_ value: Any?, of object: ObjectBase, _ key: PropertyKey) -> Bool
}

extension Optional: OptionalOfOwnType {
    static func refuses(_ value: Any?) -> Bool { storeOfRefused(value) != nil }

    static func storeRefused(_ value: Any?, of object: ObjectBase, _ key: PropertyKey) -> Bool {
        guard let store = storeOfRefused(value) else { return false }
        store(object, key)
        return true
    }

    private static func storeOfRefused(_ value: Any?) -> ((ObjectBase, PropertyKey) -> Void)? {
        guard let value else { return nil }
        if let type = Wrapped.self as? any PersistableEnum.Type { return type.storeOfRefused(value) }
        return (Wrapped.self as? any _CustomPersistable.Type)?.storeOfRefused(value)
    }
}

extension PersistableEnum {
    fileprivate static func storeOfRefused(_ value: Any) -> ((ObjectBase, PropertyKey) -> Void)? {
        guard let form = RawValue._convert(value), Self(rawValue: form) == nil else { return nil }
        return { RawValue._setOptional($0, $1, form) }
    }
}

extension _CustomPersistable {
    fileprivate static func storeOfRefused(_ value: Any) -> ((ObjectBase, PropertyKey) -> Void)? {
        guard !isContainer(value), !(value is Self), let form = PersistedType._convert(value), _custom(form) == nil
        else { return nil }
        return { PersistedType._setOptional($0, $1, form) }
    }
}
