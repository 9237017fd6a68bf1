// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// The value inside any layers of optionals; nil for nil and for Foundation's null.
func flattened(_ value: Any?) -> Any? {
    guard let value else { return nil }
    if value is NSNull { return nil }
    // Only an optional that holds nothing fails to give up its content here.
    guard let optional = value as? any AnyOptional else { return value }
    return optional.content.flatMap(flattened)
}

private protocol AnyOptional {
    var content: Any? { get }
}

extension Optional: AnyOptional {
    fileprivate var content: Any? { self }
}

/// The elements of a value that is a collection; nil for all others, and for dictionaries, text and bytes.
func sequenceElements(of value: Any) -> [Any?]? {
    if value is String || value is Data || value is [AnyHashable: Any] { return nil }
    guard let sequence = value as? any Sequence else { return nil }
    func array(_ sequence: some Sequence) -> [Any?] { sequence.map { flattened($0) } }
    return array(sequence)
}

/// A value as error texts print it.
func printed(_ value: Any?) -> String {
    value.map { "\($0)" } ?? "<null>"
}

/// Ends the process because `value`, flattened before, cannot be the value of a property.
func throwInvalidValue(_ value: Any?, for property: PropertyInfo, of info: ClassInfo) -> Never {
    let place = "\(property.shape.quotedName) property '\(info.name).\(property.name)'"
    if property.shape.collection == .list {
        guard let value, let elements = sequenceElements(of: value) else {
            throwRealmException("Invalid value (\(printed(value))) for \(place): value is not enumerable.")
        }
        let wrong = elements.first { !property.field.wrapper.acceptsElement($0) } ?? nil
        throwRealmException("Invalid value '\(printed(wrong))' of type '\(typeName(wrong))' for \(place).")
    }
    throwRealmException("Invalid value '\(printed(value))' of type '\(typeName(value))' for \(place).")
}

private func typeName(_ value: Any?) -> String {
    value.map { _typeName(type(of: $0), qualified: false) } ?? "NSNull"
}
