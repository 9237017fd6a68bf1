// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage

extension _ObjcBridgeable {
    /// Converts a value like `_convert`, and takes values of the user's own types where their stored form is wanted:
    /// the case of an enum for a property that is its raw value (row S10).
    static func _convertStored(_ value: Any?) -> Self? {
        if let converted = _convert(value) { return converted }
        return value.flatMap { storedForm($0) }.flatMap { _convert($0) }
    }
}

/// The value with its own parts, at any depth, in their stored form; nil where none of them has another one.
private func storedForm(_ value: Any, level: Int = 0) -> Any? {
    // Nothing is stored that is deeper.
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

/// An optional enum, whose property may hold a raw value that is no case: it is stored, and reads as nil (row S10).
protocol OptionalEnum {
    /// Whether the value is a raw value, of a case or not.
    static func acceptsRaw(_ value: Any?) -> Bool

    /// Stores a raw value in a property of a managed object.
    static func storeRaw(_ value: Any?, of object: ObjectBase, _ key: PropertyKey)
}

extension Optional: OptionalEnum where Wrapped: PersistableEnum {
    static func acceptsRaw(_ value: Any?) -> Bool { Wrapped.RawValue._convert(value) != nil }

    static func storeRaw(_ value: Any?, of object: ObjectBase, _ key: PropertyKey) {
        Wrapped.RawValue._setOptional(object, key, Wrapped.RawValue._convert(value))
    }
}
