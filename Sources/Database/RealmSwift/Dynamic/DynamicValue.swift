// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime

/// Unwraps all layers of optionals; returns nil for nil and for Foundation's null.
func flattened(_ value: Any?) -> Any? {
    guard let value else { return nil }
    if isPlain(value) || isContainer(value) { return value }
    if value is NSNull { return nil }
    // Only an optional without a value can't be unwrapped here.
    guard let optional = value as? any AnyOptional else { return value }
    return optional.content.flatMap(flattened)
}

/// Whether the value has exactly one of the commonest types. Checking for protocols or classes is a run-time lookup,
/// which takes a hundred times as long.
func isPlain(_ value: Any) -> Bool {
    func isPlain<Value>(_: Value) -> Bool {
        Value.self == String.self || Value.self == Int.self || Value.self == Double.self || Value.self == Bool.self
            || Value.self == Date.self || Value.self == Data.self
    }
    return _openExistential(value, do: isPlain)
}

/// Returns the value if it has exactly this type, without searching for a conversion.
@inline(__always)
func exactly<Wanted>(_: Wanted.Type, _ value: Any) -> Wanted? {
    func exactly<Value>(_ value: Value) -> Wanted? {
        unsafe Value.self == Wanted.self ? unsafeBitCast(value, to: Wanted.self) : nil
    }
    return _openExistential(value, do: exactly)
}

/// Whether the value is an array, a set or a dictionary of Swift.
///
/// Call this before any check of a value's class: for that check, Foundation bridges such a value to an object with its
/// contents, at any depth.
func isContainer(_ value: Any) -> Bool { type(of: value) is any Container.Type }

func instance<Class: AnyObject>(_ value: Any?, of _: Class.Type) -> Class? {
    guard let value, !isContainer(value) else { return nil }
    return value as? Class
}

private protocol Container {}
extension Array: Container {}
extension Set: Container {}
extension Dictionary: Container {}

private protocol AnyOptional {
    var content: Any? { get }
}

extension Optional: AnyOptional {
    fileprivate var content: Any? { self }
}

/// Returns the elements of a collection; nil for all other values, and for dictionaries, strings and data.
func sequenceElements(of value: Any) -> [Any?]? {
    if value is String || value is Data || value is [AnyHashable: Any] || value is any RealmKeyedCollection {
        return nil
    }
    guard let sequence = value as? any Sequence else { return nil }
    func array(_ sequence: some Sequence) -> [Any?] { sequence.map { flattened($0) } }
    return array(sequence)
}

/// Returns the entries of a dictionary with strings as keys; nil for all other values.
func dictionaryEntries(of value: Any) -> [(key: String, value: Any?)]? {
    if let values = valuesByName(value) {
        if let all = value as? [AnyHashable: Any], all.count != values.count { return nil }
        return values.map { ($0.key, flattened($0.value)) }
    }
    guard let map = value as? any RealmKeyedCollection else { return nil }
    return entries(of: map)
}

private func entries(of map: some RealmKeyedCollection) -> [(key: String, value: Any?)] {
    map.keys.map { ($0._mapKey, map[$0].flatMap { flattened($0._rlmDynamicValue) }) }
}

func printed(_ value: Any?) -> String {
    value.map { "\($0)" } ?? "<null>"
}

/// Traps because `value`, flattened before, can't be the value of a property.
func throwInvalidValue(_ value: Any?, for property: PropertyInfo, of info: ClassInfo) -> Never {
    let place = "\(property.shape.quotedName) property '\(info.name).\(property.name)'"
    if property.shape.type == .any, property.shape.collection == .none {
        throwRealmException(
            """
            Invalid data type for RLMPropertyTypeAny property. '\(info.name).\(property.name)' cannot hold \
            '\(printed(value))' of type '\(typeName(value))'.
            """)
    }
    if property.shape.collection != .none {
        let isMap = property.shape.collection == .dictionary
        let found = value.flatMap { isMap ? dictionaryEntries(of: $0)?.map(\.value) : sequenceElements(of: $0) }
        guard let elements = found else {
            throwRealmException("Invalid value (\(printed(value))) for \(place): value is not enumerable.")
        }
        let wrong = elements.first { !property.field.wrapper.acceptsElement($0) } ?? nil
        throwRealmException("Invalid value '\(printed(wrong))' of type '\(typeName(wrong))' for \(place).")
    }
    throwRealmException("Invalid value '\(printed(value))' of type '\(typeName(value))' for \(place).")
}

func typeName(_ value: Any?) -> String {
    value.map { _typeName(type(of: $0), qualified: false) } ?? "NSNull"
}
