// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Arrays and sets whose type says that the elements can be stored: their values are had without asking each element
/// what it is, which would take longer than to look it up in the database.
protocol PlainElements {
    /// The stored values; nil if some element is more than one.
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

/// The constants of an IN, stored already.
struct StoredConstants {
    let values: [StoredValue]
    /// What they were given as.
    let source: Any

    init?(_ source: Any) {
        guard let values = (source as? any PlainElements)?.storedElements else { return nil }
        self.values = values
        self.source = source
    }
}

extension StoredValue {
    /// The value if it is of one of the commonest types exactly. What else it could be takes far longer to find out:
    /// whether a value has a protocol is looked up at run time. So is, once more, what a cast of `Any` gives.
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

    /// The stored form of a plain value whose type is known at run time only; nil for other types.
    init?(ofAny value: Any) {
        func stored<Value>(_ value: Value) -> StoredValue? { StoredValue(plain: value) }
        guard let value = _openExistential(value, do: stored) else { return nil }
        self = value
    }

    /// What it is one of the commonest types' values for; nil for all others.
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
