// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage

extension DecimalBits {
    enum ConversionFailure: Error {
        case wrongType
        case invalidText

        func message(for value: Any) -> String {
            let reason = "Cannot convert value '\(value)' of type '\(type(of: value))' to decimal128"
            return self == .invalidText ? reason + ": the text is not a number" : reason
        }
    }

    static func converting(_ value: Any) -> Result<DecimalBits, ConversionFailure> {
        switch value {
        case let value as Decimal128: return .success(value.bits)
        case let text as String: return DecimalBits(text).map { .success($0) } ?? .failure(.invalidText)
        case let value as any BinaryInteger: return .success(DecimalBits(integer: value))
        case is NSNull: return .success(.nan)
        case let value as Decimal: return .success(DecimalBits(value))
        // Checked before `Double`: a number created from a `Float` would be converted with all its binary digits.
        case let value as NSNumber: return .success(DecimalBits(value))
        case let value as Double: return .success(DecimalBits(shortest: value))
        case let value as Float: return .success(DecimalBits(shortest: value))
        case let value as Bool: return .success(DecimalBits(Int64(value ? 1 : 0)))
        default: return .failure(.wrongType)
        }
    }

    init(_ number: NSNumber) {
        if let decimal = number as? NSDecimalNumber {
            self.init(decimal.decimalValue)
            return
        }
        switch unsafe String(cString: number.objCType) {
        case "d": self.init(shortest: number.doubleValue)
        case "f": self.init(shortest: number.floatValue)
        case "Q": self.init(number.uint64Value)
        default: self.init(number.int64Value)
        }
    }

    init?(foundation value: Any) {
        if let value = exactly(Decimal.self, value) {
            self.init(value)
        } else if type(of: value) is NSDecimalNumber.Type, let number = value as? NSDecimalNumber {
            self.init(number.decimalValue)
        } else {
            return nil
        }
    }

    init(_ value: Decimal) {
        self = DecimalBits(value.description) ?? .nan
    }

    private init(integer value: some BinaryInteger) {
        self = DecimalBits(String(value)) ?? .nan
    }
}

extension Decimal {
    /// NaN is the result for NaN and for numbers out of range: a `Decimal` has 38 digits and exponents from −128 to
    /// 127.
    init(_ bits: DecimalBits) {
        let value = bits.normalized
        guard bits.isFinite, -128...131 ~= value.exponent else {
            self = .nan
            return
        }
        let (low, high) = value.coefficient
        var significand = Decimal(high) * (Decimal(UInt64.max) + 1) + Decimal(low)
        // 34 digits leave space for four zeros.
        for _ in 0..<max(value.exponent - 127, 0) { significand *= 10 }
        // Converted through a string, because the initialiser from parts drops zeros before it processes the exponent.
        let text = (value.isNegative ? "-" : "") + significand.description + "E" + String(min(value.exponent, 127))
        self = Decimal(string: text) ?? .nan
    }
}
