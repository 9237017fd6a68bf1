// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmStorage

/// A decimal number of 34 digits with an exponent from −6143 to 6144: the decimal128 of IEEE 754-2008.
///
/// Decimals represent amounts of money exactly: `Decimal128("0.1") + Decimal128("0.2") == Decimal128("0.3")`. Results
/// are rounded to 34 digits, halves to even; results that are too large are infinite. Invalid operations return NaN,
/// which compares less than every number. Numbers of equal value are equal even if their digits differ (`1 == 1.0`),
/// and the digits are preserved.
///
/// A decimal is an instance of a class. `negate()` is the only function that changes it; its caller must ensure that
/// no other thread uses the instance.
public final class Decimal128: @unchecked Sendable {
    // Unchecked, because `negate()` of the original API changes the receiver. Its caller must be the only owner of the
    // decimal; nothing in this module calls it.

    package private(set) var bits: DecimalBits

    /// Creates zero.
    public required init() {
        bits = .zero
    }

    package init(bits: DecimalBits) {
        self.bits = bits
    }

    /// Creates a decimal from a number, a string, a `Decimal` or another decimal.
    ///
    /// - Precondition: The value has one of these types, and a string represents a number.
    public required init(value: Any) {
        switch DecimalBits.converting(value) {
        case .success(let bits): self.bits = bits
        case .failure(let failure): throwRealmException(failure.message(for: value))
        }
    }

    /// Creates a decimal from a number. A floating-point number is converted through its shortest description, so
    /// 3.14159 is exactly 3.14159.
    public required init(number: NSNumber) {
        bits = DecimalBits(number)
    }

    /// Creates a decimal from a string such as `12.50`, `-1E3`, `Inf` or `NaN`.
    ///
    /// A string that doesn't represent a number creates NaN; the initialiser never throws.
    public required init(string: String) throws {
        bits = DecimalBits(Self.significantPart(of: string)) ?? .nan
    }

    /// Removes the zeros at the end of a fraction before a positive exponent, as the original does (row T16): `1.20E9`
    /// is 12·10⁸.
    private static func significantPart(of text: String) -> String {
        guard let match = text.wholeMatch(of: /([+-]?[0-9]+\.[0-9]*?)(0+)([eE]\+?[0-9]+)/) else { return text }
        return String(match.1) + String(match.3)
    }

    /// The smallest finite number, −9.999999999999999999999999999999999E6144.
    public static var min: Decimal128 { Decimal128(bits: DecimalBits.greatestFinite.negated) }

    /// The largest finite number, 9.999999999999999999999999999999999E6144.
    public static var max: Decimal128 { Decimal128(bits: .greatestFinite) }

    /// The nearest `Double` to the number.
    public var doubleValue: Double { bits.doubleValue }

    /// The number as a `Decimal`; NaN if a `Decimal` can't represent it.
    public var decimalValue: Decimal { Decimal(bits) }

    /// The number as a string, such as `11.11111`, `1.5E3`, `5E-3`, `NaN`, or `-Inf`. A number whose digits need more
    /// than 64 bits is written with all digits and an exponent.
    public var stringValue: String { bits.description }

    /// A Boolean value that indicates whether the value is NaN.
    public var isNaN: Bool { bits.isNaN }

    /// A Boolean value that indicates whether the value is NaN. As in Realm's SDK, kinds of NaN aren't distinguished.
    public var isSignaling: Bool { bits.isNaN }

    /// A Boolean value that indicates whether the value is NaN. As in Realm's SDK, kinds of NaN aren't distinguished.
    public var isSignalingNaN: Bool { bits.isNaN }

    /// Changes the sign of this instance. No other thread may use it meanwhile.
    public func negate() {
        bits = bits.negated
    }
}

extension Decimal128: CustomStringConvertible {
    /// The number as a string, equal to `stringValue`.
    public var description: String { stringValue }
}

extension Decimal128: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral {
    /// Creates a decimal that equals the integer exactly.
    public convenience init(integerLiteral value: Int64) {
        self.init(bits: DecimalBits(value))
    }

    /// Creates a decimal from the shortest description of the literal.
    public convenience init(floatLiteral value: Double) {
        self.init(bits: DecimalBits(shortest: value))
    }

    /// Creates a decimal from a string, or NaN if the string doesn't represent a number.
    public convenience init(stringLiteral value: String) {
        self.init(bits: DecimalBits(value) ?? .nan)
    }
}

/// A decimal is encoded as a string. Integers and floating-point numbers can also be decoded.
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
