// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage

/// A decimal number of 34 digits with an exponent from −6143 to 6144, the decimal128 of IEEE 754-2008.
///
/// Decimals represent amounts of money exactly: `Decimal128("0.1") + Decimal128("0.2") == Decimal128("0.3")`. Results
/// are rounded to 34 digits, halves to even; results that are too large are infinite. Invalid operations give NaN,
/// which is below every number. Numbers of equal value are equal whatever their digits (`1 == 1.0`), though they keep
/// their digits.
///
/// This is a class. `negate()` is the only function that changes a decimal; its caller has to ensure that no other
/// thread uses it.
public final class Decimal128: @unchecked Sendable {
    // Unchecked and not immutable: `negate()` of the original API changes the receiver. As its documentation requires,
    // its caller is the only owner of the decimal; nothing in this module calls it.

    /// The bits as the file stores them.
    package private(set) var bits: DecimalBits

    /// Creates zero.
    public required init() {
        bits = .zero
    }

    package init(bits: DecimalBits) {
        self.bits = bits
    }

    /// Creates a decimal from a number, a text, a `Decimal` or another decimal.
    ///
    /// - Precondition: The value has one of these types, and a text represents a number.
    public required init(value: Any) {
        switch DecimalBits.converting(value) {
        case .success(let bits): self.bits = bits
        case .failure(let failure): throwRealmException(failure.message(for: value))
        }
    }

    /// Creates a decimal from a number. Floating point keeps the shortest text that identifies it: 3.14159 is exactly
    /// 3.14159.
    public required init(number: NSNumber) {
        bits = DecimalBits(number)
    }

    /// Creates a decimal from text such as `12.50`, `-1E3`, `Inf` or `NaN`.
    ///
    /// A text that doesn't represent a number gives NaN; the initialiser never throws.
    public required init(string: String) throws {
        bits = DecimalBits(Self.significantPart(of: string)) ?? .nan
    }

    /// Returns the text without the zeros at the end of a fraction before a positive exponent, which the original drops
    /// (row T16): `1.20E9` is 12·10⁸.
    private static func significantPart(of text: String) -> String {
        guard let match = text.wholeMatch(of: /([+-]?[0-9]+\.[0-9]*?)(0+)([eE]\+?[0-9]+)/) else { return text }
        return String(match.1) + String(match.3)
    }

    /// The smallest number, −9.999999999999999999999999999999999E6144.
    public static var min: Decimal128 { Decimal128(bits: DecimalBits.greatestFinite.negated) }

    /// The largest number, 9.999999999999999999999999999999999E6144.
    public static var max: Decimal128 { Decimal128(bits: .greatestFinite) }

    /// The nearest `Double`.
    public var doubleValue: Double { bits.doubleValue }

    /// The number as a `Decimal`, or NaN if that can't represent it.
    public var decimalValue: Decimal { Decimal(bits) }

    /// The number as text: `11.11111`, `1.5E3`, `5E-3`, `NaN`, `-Inf`; a number of more than 64 bits is written with
    /// its sign, all digits and the exponent.
    public var stringValue: String { bits.description }

    /// A Boolean value that indicates whether this is NaN.
    public var isNaN: Bool { bits.isNaN }

    /// A Boolean value that indicates whether this is NaN; the original doesn't distinguish the kinds of NaN.
    public var isSignaling: Bool { bits.isNaN }

    /// A Boolean value that indicates whether this is NaN; the original doesn't distinguish the kinds of NaN.
    public var isSignalingNaN: Bool { bits.isNaN }

    /// Changes the sign of this decimal in place. No other thread may use it meanwhile.
    public func negate() {
        bits = bits.negated
    }
}

extension Decimal128: CustomStringConvertible {
    /// The number as text; equal to `stringValue`.
    public var description: String { stringValue }
}

extension Decimal128: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral {
    /// Creates the exact integer.
    public convenience init(integerLiteral value: Int64) {
        self.init(bits: DecimalBits(value))
    }

    /// Creates the number with the shortest text that identifies the literal.
    public convenience init(floatLiteral value: Double) {
        self.init(bits: DecimalBits(shortest: value))
    }

    /// Creates the number that the text represents, or NaN if it represents no number.
    public convenience init(stringLiteral value: String) {
        self.init(bits: DecimalBits(value) ?? .nan)
    }
}

/// A decimal is encoded as its text. Integers and floating point can be decoded too.
extension Decimal128: Codable {
    public convenience init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self.init(stringLiteral: text)
        } else if let value = try? container.decode(Int64.self) {
            self.init(integerLiteral: value)
        } else if let value = try? container.decode(UInt64.self) {
            self.init(bits: DecimalBits(value))
        } else if let value = try? container.decode(Double.self) {
            self.init(floatLiteral: value)
        } else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "Cannot convert value to Decimal128")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(stringValue)
    }
}
