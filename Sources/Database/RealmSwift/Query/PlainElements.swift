// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// An array or set whose element type can be stored. Its values are read without a dynamic cast of each element, which
/// would take longer than the look-up in the database.
protocol PlainElements {
    var storedElements: [StoredValue]? { get }
}

extension Sequence where Element: _ObjcBridgeable {
    fileprivate var storedContents: [StoredValue]? {
        var values: [StoredValue] = []
        values.reserveCapacity(underestimatedCount)
        for element in self {
            guard case .value(let value) = element._rlmContent.kind else { return nil }
            values.append(value)
        }
        return values
    }
}

extension Array: PlainElements where Element: _ObjcBridgeable {
    var storedElements: [StoredValue]? { storedContents }
}

extension Set: PlainElements where Element: _ObjcBridgeable {
    var storedElements: [StoredValue]? { storedContents }
}

struct StoredConstants {
    let values: [StoredValue]
    let source: Any

    init?(_ source: Any) {
        guard let values = (source as? any PlainElements)?.storedElements else { return nil }
        self.values = values
        self.source = source
    }
}

extension StoredValue {
    /// Creates the value if its type is exactly one of the most common ones. Detecting any other type takes far longer,
    /// because protocol conformances are looked up at run time.
    init?<Value>(plain value: Value) {
        if Value.self == String.self {
            self = unsafe .string(unsafeBitCast(value, to: String.self))
        } else if Value.self == Int.self {
            self = unsafe .int(Int64(unsafeBitCast(value, to: Int.self)))
        } else if Value.self == Double.self {
            self = unsafe .double(unsafeBitCast(value, to: Double.self))
        } else if Value.self == Bool.self {
            self = unsafe .bool(unsafeBitCast(value, to: Bool.self))
        } else {
            return nil
        }
    }

    /// Like `init(plain:)`, for a value whose type is known only at run time.
    init?(ofAny value: Any) {
        func stored<Value>(_ value: Value) -> StoredValue? { StoredValue(plain: value) }
        guard let value = _openExistential(value, do: stored) else { return nil }
        self = value
    }

    var plain: Any? {
        switch self {
        case .string(let text): text
        case .int(let number): Int(number)
        case .double(let number): number
        case .bool(let truth): truth
        default: nil
        }
    }
}
