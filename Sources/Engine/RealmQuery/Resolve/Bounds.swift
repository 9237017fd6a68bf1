// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The position of a constant among the values of another type. It turns every comparison into a closed range.
struct Bounds<Value: Comparable & Sendable> {
    /// The largest value that isn't above the constant, and the smallest that isn't below; nil if the type has no such
    /// value.
    let floor: Value?
    let ceiling: Value?

    var isExact: Bool { floor != nil && floor == ceiling }

    static var none: Bounds { Bounds(floor: nil, ceiling: nil) }
}

protocol Steppable: Comparable, Sendable {
    static var least: Self { get }
    static var greatest: Self { get }
    var predecessor: Self? { get }
    var successor: Self? { get }
}

extension Bounds where Value: Steppable {
    init(exactly value: Value) {
        floor = value
        ceiling = value
    }

    /// Creates the bounds of a constant near `value`. `value` is one of its neighbours or equal; `order` compares
    /// `value` with the constant.
    init(near value: Value, order: Int) {
        floor = order <= 0 ? value : value.predecessor
        ceiling = order >= 0 ? value : value.successor
    }

    /// Returns the values for which `value operation constant` is true; nil if it is never true.
    func range(_ operation: ComparisonOperator) -> ClosedRange<Value>? {
        switch operation {
        case .equal, .notEqual: isExact ? range(ceiling, floor) : nil
        case .less: range(.least, isExact ? floor?.predecessor : floor)
        case .lessOrEqual: range(.least, floor)
        case .greater: range(isExact ? ceiling?.successor : ceiling, .greatest)
        case .greaterOrEqual: range(ceiling, .greatest)
        case .in, .between, .contains, .beginsWith, .endsWith, .like, .matches, .geoWithin, .text: nil
        }
    }

    func range(to other: Bounds) -> ClosedRange<Value>? { range(ceiling, other.floor) }

    private func range(_ low: Value?, _ high: Value?) -> ClosedRange<Value>? {
        guard let low, let high, low <= high else { return nil }
        return low...high
    }
}

extension Int64: Steppable {
    static var least: Int64 { .min }
    static var greatest: Int64 { .max }
    var predecessor: Int64? { self == .min ? nil : self - 1 }
    var successor: Int64? { self == .max ? nil : self + 1 }
}

extension Double: Steppable {
    static var least: Double { -.infinity }
    static var greatest: Double { .infinity }
    var predecessor: Double? { self == -.infinity ? nil : nextDown }
    var successor: Double? { self == .infinity ? nil : nextUp }
}

extension Float: Steppable {
    static var least: Float { -.infinity }
    static var greatest: Float { .infinity }
    var predecessor: Float? { self == -.infinity ? nil : nextDown }
    var successor: Float? { self == .infinity ? nil : nextUp }
}

/// Steps visit all pairs of numbers, including those that aren't valid dates. Comparisons accept them.
extension Timestamp: Steppable {
    static var least: Timestamp { Timestamp(seconds: .min, nanoseconds: .min) }
    static var greatest: Timestamp { Timestamp(seconds: .max, nanoseconds: .max) }
    var predecessor: Timestamp? {
        if nanoseconds > .min { return Timestamp(seconds: seconds, nanoseconds: nanoseconds - 1) }
        return seconds.predecessor.map { Timestamp(seconds: $0, nanoseconds: .max) }
    }
    var successor: Timestamp? {
        if nanoseconds < .max { return Timestamp(seconds: seconds, nanoseconds: nanoseconds + 1) }
        return seconds.successor.map { Timestamp(seconds: $0, nanoseconds: .min) }
    }
}

/// Constants of all number types; nil for other constants.
extension Bounds where Value == Int64 {
    init?(_ constant: StoredValue) {
        switch constant {
        case .int(let value): self.init(exactly: value)
        case .bool(let value): self.init(exactly: value ? 1 : 0)
        case .float(let value): self.init(Double(value))
        case .double(let value): self.init(value)
        case .decimal(let value): self.init(value)
        default: return nil
        }
    }

    private init(_ value: Double) {
        if value.isNaN {
            self = .none
        } else if value >= 0x1p63 || value < -0x1p63 {
            self.init(beyond: value < 0)
        } else {
            let whole = Int64(value)
            self.init(near: whole, order: StoredValue.compare(whole, value))
        }
    }

    private init(_ value: DecimalBits) {
        if value.isNaN {
            self = .none
        } else if let whole = value.truncated {
            self.init(near: whole, order: StoredValue.compare(.int(whole), .decimal(value)))
        } else {
            self.init(beyond: value.isNegative)
        }
    }

    private init(beyond isBelow: Bool) {
        self.init(floor: isBelow ? nil : .max, ceiling: isBelow ? .min : nil)
    }
}

extension Bounds where Value == Double {
    init?(_ constant: StoredValue) {
        switch constant {
        case .int(let value): self.init(near: Double(value), order: -StoredValue.compare(value, Double(value)))
        case .bool(let value): self.init(exactly: value ? 1 : 0)
        case .float(let value): self.init(finite: Double(value))
        case .double(let value): self.init(finite: value)
        case .decimal(let value): self.init(finite: value.isNaN ? .nan : value.doubleValue)
        default: return nil
        }
    }

    private init(finite value: Double) {
        self = value.isNaN ? .none : Bounds(exactly: value)
    }
}

extension Bounds where Value == Float {
    /// Doubles and Decimals are rounded to a Float, so that 0.1 equals the Float nearest to it.
    init?(_ constant: StoredValue) {
        switch constant {
        case .int(let value):
            self.init(near: Float(value), order: -StoredValue.compare(value, Double(Float(value))))
        case .bool(let value): self.init(exactly: value ? 1 : 0)
        case .float(let value): self.init(finite: value)
        case .double(let value): self.init(finite: Float(value))
        case .decimal(let value): self.init(finite: value.isNaN ? .nan : Float(value.doubleValue))
        default: return nil
        }
    }

    private init(finite value: Float) {
        self = value.isNaN ? .none : Bounds(exactly: value)
    }
}
