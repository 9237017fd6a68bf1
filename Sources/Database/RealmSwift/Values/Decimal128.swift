// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage

/// A decimal number of 34 digits with an exponent from −6143 to 6144, the decimal128 of IEEE 754-2008.
///
/// Decimals hold amounts of money exactly: `Decimal128("0.1") + Decimal128("0.2") == Decimal128("0.3")`. Results are
/// rounded to 34 digits, halves to even; results that are too large are infinite. Invalid operations give NaN, which
/// is below every number. Numbers of equal value are equal whatever their digits (`1 == 1.0`), though they keep them.
///
/// It is a class. Only `negate()` changes a decimal; its caller guards it from other threads.
public final class Decimal128: @unchecked Sendable {
    // Unchecked, because `negate()` of the original API changes the receiver. Its callers own the decimal alone, as
    // its documentation demands, which is the guard; nothing in this module calls it.

    /// The bits as the file stores them.
    package private(set) var bits: DecimalBits

    /// Zero.
    public required init() {
        bits = .zero
    }

    package init(bits: DecimalBits) {
        self.bits = bits
    }

    /// Converts a number, a text, a `Decimal` or another decimal.
    ///
    /// - Precondition: The value is of such a type, and a text is a number.
    public required init(value: Any) {
        switch DecimalBits.converting(value) {
        case .success(let bits): self.bits = bits
        case .failure(let failure): throwRealmException(failure.message(for: value))
        }
    }

    /// Converts a number. Floating point keeps the shortest text that identifies it: 3.14159 is exactly 3.14159.
    public required init(number: NSNumber) {
        bits = DecimalBits(number)
    }

    /// Reads a decimal from text such as `12.50`, `-1E3`, `Inf` or `NaN`.
    ///
    /// A text that is no number gives NaN; nothing is ever thrown.
    public required init(string: String) throws {
        bits = DecimalBits(string) ?? .nan
    }

    /// The smallest number, −9.999999999999999999999999999999999E6144.
    public static var min: Decimal128 { Decimal128(bits: DecimalBits.greatestFinite.negated) }

    /// The largest number, 9.999999999999999999999999999999999E6144.
    public static var max: Decimal128 { Decimal128(bits: .greatestFinite) }

    /// The nearest `Double`.
    public var doubleValue: Double { bits.doubleValue }

    /// The same number as a `Decimal`, or NaN if that cannot hold it.
    public var decimalValue: Decimal { Decimal(bits) }

    /// The number as text: `11.11111`, `1.5E3`, `5E-3`, `NaN`, `-Inf`; a number of more than 64 bits is written with
    /// its sign, all digits and the exponent.
    public var stringValue: String { bits.description }

    /// Whether it is not a number.
    public var isNaN: Bool { bits.isNaN }

    /// Whether it is not a number; the original does not tell the kinds of NaN apart.
    public var isSignaling: Bool { bits.isNaN }

    /// Whether it is not a number; the original does not tell the kinds of NaN apart.
    public var isSignalingNaN: Bool { bits.isNaN }

    /// Changes the sign of this decimal itself. No other thread may use it meanwhile.
    public func negate() {
        bits = bits.negated
    }
}

extension Decimal128: CustomStringConvertible {
    /// The same as `stringValue`.
    public var description: String { stringValue }
}

extension Decimal128: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral {
    /// The integer, exactly.
    public convenience init(integerLiteral value: Int64) {
        self.init(bits: DecimalBits(value))
    }

    /// The number with the shortest text that identifies the literal.
    public convenience init(floatLiteral value: Double) {
        self.init(bits: DecimalBits(shortest: value))
    }

    /// The number the text denotes, or NaN if it denotes none.
    public convenience init(stringLiteral value: String) {
        self.init(bits: DecimalBits(value) ?? .nan)
    }
}

/// A decimal is coded as its text. Integers and floating point can be decoded too.
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
