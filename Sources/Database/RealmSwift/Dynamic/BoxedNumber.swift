// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// Returns a number read by key as Foundation's number, which casts to each numeric type that can hold it, if the
/// property's type isn't `Int` or `Double`: programs written for Foundation's numbers read `Int` as well as the
/// property's own type (row S11). `Int` and `Double` are returned unchanged, because converting them to a number of
/// Foundation and back takes ten times as long.
func boxedNumber(_ value: Any?, of property: PropertyInfo) -> Any? {
    // Each cast below is resolved at run time.
    guard let value, property.isNumber || property.shape.type == .any else { return value }
    if isPlain(value) && !property.boxesNumbers { return value }
    switch value {
    case let value as Int8: return NSNumber(value: value)
    case let value as Int16: return NSNumber(value: value)
    case let value as Int32: return NSNumber(value: value)
    case let value as Int64: return NSNumber(value: value)
    case let value as Float: return NSNumber(value: value)
    case let value as Int where property.boxesNumbers: return NSNumber(value: value)
    case let value as Double where property.boxesNumbers: return NSNumber(value: value)
    default: return value
    }
}

extension PropertyInfo {
    var isPlainNumber: Bool {
        let wrapper = field.wrapper
        return wrapper == Persisted<Int>.self || wrapper == Persisted<Int?>.self || wrapper == Persisted<Double>.self
            || wrapper == Persisted<Double?>.self
    }

    var isNumber: Bool {
        guard shape.collection == .none else { return false }
        switch shape.type {
        case .int, .float, .double: return true
        default: return false
        }
    }
}
