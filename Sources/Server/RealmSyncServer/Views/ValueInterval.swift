// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Property types whose values have one order, in which each comparison of a query with a constant is exact.
enum ValueFamily: Hashable {
    case number
    case text
    case date
    case objectId
    case uuid

    /// Returns `nil` if the values of the property aren't compared exactly, such as Float, for which constants are
    /// rounded.
    init?(_ column: Column) {
        guard !column.key.isCollection else { return nil }
        switch column.key.type {
        case .int, .double: self = .number
        case .string: self = .text
        case .timestamp: self = .date
        case .objectId: self = .objectId
        case .uuid: self = .uuid
        default: return nil
        }
    }

    /// Returns `nil` for a constant that isn't compared exactly with all properties of its family.
    init?(_ constant: StoredValue) {
        switch constant {
        case .int: self = .number
        case .float(let value) where !value.isNaN: self = .number
        case .double(let value) where !value.isNaN: self = .number
        case .string: self = .text
        case .timestamp: self = .date
        case .objectId: self = .objectId
        case .uuid: self = .uuid
        default: return nil
        }
    }
}

extension StoredValue {
    /// The value in the order of its family, in which texts are bytes. Nil for null and NaN, which are in no interval.
    var ordered: StoredValue? {
        switch self {
        case .null: nil
        case .double(let value) where value.isNaN: nil
        case .string(let text): .binary(Array(text.utf8))
        default: self
        }
    }
}

/// A position between the ordered values of a family.
enum ValueCut: Comparable {
    case start
    case before(StoredValue)
    case after(StoredValue)
    case end

    static func == (a: ValueCut, b: ValueCut) -> Bool { compare(a, b) == 0 }
    static func < (a: ValueCut, b: ValueCut) -> Bool { compare(a, b) < 0 }

    private static func compare(_ a: ValueCut, _ b: ValueCut) -> Int {
        switch (a, b) {
        case (.start, .start), (.end, .end): return 0
        case (.start, _), (_, .end): return -1
        case (.end, _), (_, .start): return 1
        case (.before(let a), .before(let b)), (.after(let a), .after(let b)): return StoredValue.compare(a, b)
        case (.before(let a), .after(let b)): return StoredValue.compare(a, b) <= 0 ? -1 : 1
        case (.after(let a), .before(let b)): return StoredValue.compare(a, b) >= 0 ? 1 : -1
        }
    }
}

/// The ordered values between two cuts.
struct ValueInterval: Comparable {
    let low: ValueCut
    let high: ValueCut

    init(_ low: ValueCut, _ high: ValueCut) { (self.low, self.high) = (low, high) }

    init(only value: StoredValue) { self.init(.before(value), .after(value)) }

    /// The texts with a prefix that isn't empty. No byte of UTF-8 is 255.
    init(prefix: [UInt8]) {
        var next = prefix
        next[next.count - 1] += 1
        self.init(.before(.binary(prefix)), .before(.binary(next)))
    }

    var isEmpty: Bool { low >= high }
    var isBounded: Bool { low != .start && high != .end }

    var isSingle: Bool {
        guard case .before(let first) = low, case .after(let last) = high else { return false }
        return StoredValue.compare(first, last) == 0
    }

    func intersection(_ other: ValueInterval) -> ValueInterval {
        ValueInterval(max(low, other.low), min(high, other.high))
    }

    static func < (a: ValueInterval, b: ValueInterval) -> Bool {
        a.low == b.low ? a.high < b.high : a.low < b.low
    }
}
