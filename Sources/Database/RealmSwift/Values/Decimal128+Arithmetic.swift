// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage

extension Decimal128: Comparable, Hashable {
    public static func == (lhs: Decimal128, rhs: Decimal128) -> Bool { compare(lhs, rhs) == 0 }
    public static func < (lhs: Decimal128, rhs: Decimal128) -> Bool { compare(lhs, rhs) < 0 }
    public static func <= (lhs: Decimal128, rhs: Decimal128) -> Bool { compare(lhs, rhs) <= 0 }
    public static func >= (lhs: Decimal128, rhs: Decimal128) -> Bool { compare(lhs, rhs) >= 0 }
    public static func > (lhs: Decimal128, rhs: Decimal128) -> Bool { compare(lhs, rhs) > 0 }

    /// Hashes the value. Numbers of equal value have equal hashes, even if their digits differ.
    public func hash(into hasher: inout Hasher) { hasher.combine(bits.normalized) }

    /// Returns whether this number is greater than `n`; false for nil.
    public func isGreaterThan(_ n: Decimal128?) -> Bool { n.map { self > $0 } ?? false }
    /// Returns whether this number is greater than or equal to `n`; false for nil.
    public func isGreaterThanOrEqual(to n: Decimal128?) -> Bool { n.map { self >= $0 } ?? false }
    /// Returns whether this number is less than `n`; false for nil.
    public func isLessThan(_ n: Decimal128?) -> Bool { n.map { self < $0 } ?? false }
    /// Returns whether this number is less than or equal to `n`; false for nil.
    public func isLessThanOrEqual(to n: Decimal128?) -> Bool { n.map { self <= $0 } ?? false }

    private static func compare(_ a: Decimal128, _ b: Decimal128) -> Int {
        DecimalBits.compare(a.bits, b.bits)
    }
}

/// Fractions of results have no trailing zeros, as in the original: 2.5 − 3.5 is −1, not −1.0.
extension Decimal128: Numeric {
    public typealias Magnitude = Decimal128
    /// The type of the difference between two decimals.
    public typealias Stride = Decimal128

    /// Creates a decimal from an integer. Returns nil if the integer has more than 34 digits before its trailing zeros.
    public convenience init?<T>(exactly source: T) where T: BinaryInteger {
        if let value = Int64(exactly: source) {
            self.init(bits: DecimalBits(value))
            return
        }
        let text = String(source)
        let digits = text.drop { $0 == "-" }
        let zeros = digits.reversed().prefix { $0 == "0" }.count
        guard digits.count - zeros <= 34, let bits = DecimalBits(text) else { return nil }
        self.init(bits: bits)
    }

    private convenience init(result: DecimalBits) {
        self.init(bits: result.withoutFractionZeros)
    }

    /// The absolute value.
    public var magnitude: Magnitude { Decimal128(bits: bits.absolute) }

    public static func + (lhs: Decimal128, rhs: Decimal128) -> Decimal128 { Decimal128(result: lhs.bits + rhs.bits) }
    public static func - (lhs: Decimal128, rhs: Decimal128) -> Decimal128 { Decimal128(result: lhs.bits - rhs.bits) }
    public static func * (lhs: Decimal128, rhs: Decimal128) -> Decimal128 { Decimal128(result: lhs.bits * rhs.bits) }
    public static func *= (lhs: inout Decimal128, rhs: Decimal128) { lhs = lhs * rhs }

    /// Returns the quotient; a division by zero returns an infinity, or NaN for zero.
    public static func / (lhs: Decimal128, rhs: Decimal128) -> Decimal128 { Decimal128(result: lhs.bits / rhs.bits) }

    /// Returns the difference between `other` and this number.
    public func distance(to other: Decimal128) -> Decimal128 { other - self }
    /// Returns the sum of this number and `n`.
    public func advanced(by n: Decimal128) -> Decimal128 { self + n }

    /// Returns `self + decimalNumber`.
    public func decimalNumber(byAdding decimalNumber: Decimal128) -> Decimal128 { self + decimalNumber }
    /// Returns `self - decimalNumber`.
    public func decimalNumber(bySubtracting decimalNumber: Decimal128) -> Decimal128 { self - decimalNumber }
    /// Returns `self * decimalNumber`.
    public func decimalNumberByMultiplying(by decimalNumber: Decimal128) -> Decimal128 { self * decimalNumber }
    /// Returns `self / decimalNumber`.
    public func decimalNumberByDividing(by decimalNumber: Decimal128) -> Decimal128 { self / decimalNumber }
}
