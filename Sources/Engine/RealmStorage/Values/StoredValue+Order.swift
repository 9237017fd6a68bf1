// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension StoredValue {
    /// Returns −1, 0 or 1 if `a` is below, equal to or above `b` (content 8.1 to 8.4).
    ///
    /// Values of one type are compared by 8.1 and 8.2, numbers of different types by 8.4, other values by the rank of
    /// their types; null is below everything. NaNs are below all numbers, and ordered by their bits. All lists are
    /// equal, and so are all dictionaries. A comparison of a Decimal of many digits with a Float or a Double rounds and
    /// isn't transitive (content 13.20).
    package static func compare(_ a: StoredValue, _ b: StoredValue) -> Int {
        switch (a, b) {
        case (.null, .null): 0
        case (.null, _): -1
        case (_, .null): 1
        case (.int(let a), .int(let b)): ordered(a, b)
        case (.bool(let a), .bool(let b)): ordered(a ? 1 : 0, b ? 1 : 0)
        case (.string(let a), .string(let b)): ByteOrder.compare(a, b)
        case (.binary(let a), .binary(let b)): ByteOrder.compare(a, b)
        case (.timestamp(let a), .timestamp(let b)): ordered(a, b)
        case (.objectId(let a), .objectId(let b)): ordered(a, b)
        case (.uuid(let a), .uuid(let b)): ordered(a, b)
        case (.link(let a), .link(let b)): ordered(a, b)
        case (.typedLink(let a), .typedLink(let b)): ordered(a, b)
        case (.decimal(let a), .decimal(let b)): DecimalBits.compare(a, b)
        default: a.rank == b.rank ? compareNumbers(a, b) : ordered(a.rank, b.rank)
        }
    }

    package var isNumber: Bool { rank == 1 }

    /// Whether the order of the two values depends on more than the ranks of their types: both have the same type, or
    /// are numbers.
    package func isComparable(to other: StoredValue) -> Bool {
        rank == other.rank
    }

    /// The rank of the type among all types. Sets (10) are never values.
    var rank: Int {
        switch self {
        case .null: -1
        case .bool: 0
        case .int, .float, .double, .decimal: 1
        case .string: 2
        case .binary: 3
        case .timestamp: 4
        case .objectId: 5
        case .uuid: 6
        case .typedLink: 7
        case .link: 8
        case .list: 9
        case .dictionary: 11
        }
    }

    private static func ordered<Value: Comparable>(_ a: Value, _ b: Value) -> Int {
        a < b ? -1 : b < a ? 1 : 0
    }

    /// Compares the remaining pairs of numbers. The only other values of equal rank are collections, which are equal.
    private static func compareNumbers(_ a: StoredValue, _ b: StoredValue) -> Int {
        switch (a, b) {
        case (.float(let a), .float(let b)): compare(a, b)
        case (.double(let a), .double(let b)): compare(a, b)
        case (.float(let a), .double(let b)): compare(Double(widening: a), b)
        case (.double(let a), .float(let b)): compare(a, Double(widening: b))
        case (.int(let a), .double(let b)): compare(a, b)
        case (.double(let a), .int(let b)): -compare(b, a)
        case (.int(let a), .float(let b)): compare(a, Double(b))
        case (.float(let a), .int(let b)): -compare(b, Double(a))
        default: compareDecimals(a.comparedAsDecimal, b.comparedAsDecimal)
        }
    }

    private static func compareDecimals(_ a: DecimalBits?, _ b: DecimalBits?) -> Int {
        guard let a, let b else { return 0 }
        return DecimalBits.compare(a, b)
    }

    /// The decimal that represents the value in a comparison with a decimal; nil for values that aren't numbers.
    package var comparedAsDecimal: DecimalBits? {
        switch self {
        case .decimal(let value): value
        case .int(let value): DecimalBits(value)
        case .float(let value): DecimalBits(comparing: value)
        case .double(let value): DecimalBits(comparing: value)
        default: nil
        }
    }

    /// Orders NaNs first, by bit pattern, then the numbers, with −0 equal to 0.
    package static func compare(_ a: Float, _ b: Float) -> Int {
        if a < b { return -1 }
        if a > b { return 1 }
        if a == b { return 0 }
        return a.isNaN && b.isNaN ? ordered(a.bitPattern, b.bitPattern) : a.isNaN ? -1 : 1
    }

    package static func compare(_ a: Double, _ b: Double) -> Int {
        if a < b { return -1 }
        if a > b { return 1 }
        if a == b { return 0 }
        return a.isNaN && b.isNaN ? ordered(a.bitPattern, b.bitPattern) : a.isNaN ? -1 : 1
    }

    /// Compares exactly. Every NaN is below every integer.
    package static func compare(_ a: Int64, _ b: Double) -> Int {
        if b.isNaN { return 1 }
        if b >= 0x1p63 { return -1 }
        if b < -0x1p63 { return 1 }
        let whole = Int64(b)
        return a != whole ? ordered(a, whole) : -ordered(b, Double(whole))
    }
}

extension Double {
    /// Keeps the pattern of a NaN, which the processor would make quiet.
    init(widening value: Float) {
        guard value.isNaN else {
            self = Double(value)
            return
        }
        let bits = UInt64(value.bitPattern)
        let sign = bits >> 31
        self = Double(bitPattern: sign << 63 | 0x7FF << 52 | (bits & 0x7F_FFFF) << 29)
    }
}
