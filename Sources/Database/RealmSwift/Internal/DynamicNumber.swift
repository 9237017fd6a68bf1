// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// A number of a type unknown at compile time, for lossless conversions.
enum DynamicNumber {
    case signed(Int64)
    case unsigned(UInt64)
    case float(Float)
    case double(Double)
    case bool(Bool)

    /// Returns nil for values that aren't numbers. Foundation's numbers keep the type with which they were created.
    init?(_ value: Any?) {
        // Every native number also casts to Foundation's class, so the class itself is checked first.
        if let value, type(of: value) is NSNumber.Type, let boxed = value as? NSNumber {
            self.init(boxed: boxed)
            return
        }
        switch value {
        case let value as Bool: self = .bool(value)
        case let value as Double: self = .double(value)
        case let value as Float: self = .float(value)
        case let value as UInt64: self = .unsigned(value)
        case let value as UInt: self = .unsigned(UInt64(value))
        case let value as any BinaryInteger:
            guard let value = Int64(exactly: value) else { return nil }
            self = .signed(value)
        default: return nil
        }
    }

    private init(boxed value: NSNumber) {
        if value === NSNumber(value: true) || value === NSNumber(value: false) {
            self = .bool(value.boolValue)
            return
        }
        switch unsafe UInt8(bitPattern: value.objCType.pointee) {
        case UInt8(ascii: "f"): self = .float(value.floatValue)
        case UInt8(ascii: "d"): self = .double(value.doubleValue)
        case UInt8(ascii: "Q"): self = .unsigned(value.uint64Value)
        default: self = .signed(value.int64Value)
        }
    }

    func integer<Integer: FixedWidthInteger>() -> Integer? {
        switch self {
        case .signed(let value): Integer(exactly: value)
        case .unsigned(let value): Integer(exactly: value)
        case .float(let value): Integer(exactly: value)
        case .double(let value): Integer(exactly: value)
        case .bool(let value): value ? 1 : 0
        }
    }

    /// A Boolean, or the number that represents one.
    var bool: Bool? {
        if case .bool(let value) = self { return value }
        let number: Int? = integer()
        return number == 0 ? false : number == 1 ? true : nil
    }

    /// The number, rounded; nil when out of range.
    var float: Float? {
        switch self {
        case .float(let value): return value
        case .double(let value):
            let rounded = Float(value)
            return rounded.isFinite || !value.isFinite ? rounded : nil
        default: return double.map { Float($0) }
        }
    }

    /// The number, rounded. A Boolean isn't converted to a floating-point number.
    var double: Double? {
        switch self {
        case .signed(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .float(let value): Double(value)
        case .double(let value): value
        case .bool: nil
        }
    }

    /// The number in its own type.
    var anyValue: Any {
        switch self {
        case .signed(let value): value
        case .unsigned(let value): value
        case .float(let value): value
        case .double(let value): value
        case .bool(let value): value ? 1 : 0
        }
    }
}
