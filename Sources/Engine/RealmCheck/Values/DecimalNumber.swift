// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A decimal as sign, digits and exponent, for exact comparison (content 6.9, 8.1, 8.4).
///
/// The engine compares decimals by its own arithmetic. This one is simple and separate, to audit it.
struct DecimalNumber {
    enum Kind {
        case number
        case infinity
        case nan
    }

    var kind = Kind.number
    var isNegative = false
    /// Most significant first, without leading zeros; empty for zero.
    var digits: [UInt8] = []
    var exponent = 0
    /// The bits by which NaNs are compared.
    var bits = DecimalBits(low: 0, high: 0)

    static let zeroBits = DecimalBits(low: 0, high: 6176 << 49)

    /// The exponent of the first digit.
    var adjustedExponent: Int { digits.count - 1 + exponent }

    init(_ bits: DecimalBits) {
        self.bits = bits
        isNegative = bits.high >> 63 != 0
        switch bits.high >> 58 & 31 {
        case 0b11110: kind = .infinity
        case 0b11111: kind = .nan
        case 0b11000...: break  // not canonical: the value is zero
        default:
            exponent = Int(bits.high >> 49 & 0x3FFF) - 6176
            digits = Self.digits(high: bits.high & 0x1_FFFF_FFFF_FFFF, low: bits.low)
        }
    }

    init(_ value: Int64) {
        isNegative = value < 0
        digits = Self.digits(high: 0, low: value.magnitude)
    }

    /// `value` rounded half-even to 34 digits, and to `precision` if it has more than that (content 8.4).
    init(_ value: Double, precision: Int) {
        isNegative = value.sign == .minus
        if value.isInfinite { kind = .infinity }
        guard value.isFinite, value != 0 else { return }
        let shift = Int(value.exponent) - Double.significandBitCount
        var number = LargeNumber(value.significandBitPattern | (value.isNormal ? 1 << 52 : 0))
        if value.isNormal {
            number.multiply(by: shift >= 0 ? 2 : 5, power: abs(shift))
            exponent = min(shift, 0)
        } else {
            number.multiply(by: 5, power: 1074)
            exponent = -1074
        }
        digits = number.digits
        round(to: 34)
        round(to: precision)
    }

    /// Converts a NaN: it retains its sign, and its payload becomes the top of the 110 bits for it.
    init(nanWithDoubleBits double: UInt64) {
        kind = .nan
        let payload = double & (1 << 51 - 1)
        var high = payload >> 5
        var low = payload << 59
        // A payload of more than 33 digits is not canonical and counts as 0.
        if (high, low) >= (0x314D_C644_8D93, 0x38C1_5B0A_0000_0000) { (high, low) = (0, 0) }
        bits = DecimalBits(low: low, high: (double >> 63) << 63 | 0x7C00_0000_0000_0000 | high)
    }

    private mutating func round(to count: Int) {
        guard digits.count > count else { return }
        let next = digits[count]
        let isHalf = next == 5 && !digits[(count + 1)...].contains { $0 != 0 }
        let roundsUp = next > 5 || next == 5 && (!isHalf || digits[count - 1] & 1 == 1)
        exponent += digits.count - count
        digits.removeLast(digits.count - count)
        if roundsUp { increment() }
    }

    private mutating func increment() {
        var i = digits.count - 1
        while i >= 0, digits[i] == 9 {
            digits[i] = 0
            i -= 1
        }
        if i >= 0 {
            digits[i] += 1
        } else {
            digits.insert(1, at: 0)
        }
    }

    /// Returns the digits of a number below 2^113, by two divisions.
    private static func digits(high: UInt64, low: UInt64) -> [UInt8] {
        let billions: UInt64 = 1_000_000_000_000_000_000
        let (quotient, remainder) = billions.dividingFullWidth((high, low))
        let tail = Array(String(remainder).utf8)
        if quotient == 0 { return remainder == 0 ? [] : tail.map { $0 - 48 } }
        let padding = Array(repeating: UInt8(48), count: 18 - tail.count)
        return (Array(String(quotient).utf8) + padding + tail).map { $0 - 48 }
    }
}

extension DecimalNumber {
    /// Numeric. NaNs are below everything else, among themselves by high word, then low word, unsigned (content 8.1).
    static func compare(_ a: DecimalNumber, _ b: DecimalNumber) -> Int {
        if a.kind == .nan || b.kind == .nan {
            if a.kind != b.kind { return a.kind == .nan ? -1 : 1 }
            return a.bits.high == b.bits.high ? order(a.bits.low, b.bits.low) : order(a.bits.high, b.bits.high)
        }
        let signs = order(a.sign, b.sign)
        if signs != 0 || a.sign == 0 { return signs }
        return a.sign * compareMagnitudes(a, b)
    }

    private var sign: Int { kind == .number && digits.isEmpty ? 0 : isNegative ? -1 : 1 }

    private static func compareMagnitudes(_ a: DecimalNumber, _ b: DecimalNumber) -> Int {
        if a.kind == .infinity || b.kind == .infinity {
            return order(a.kind == .infinity ? 1 : 0, b.kind == .infinity ? 1 : 0)
        }
        if a.adjustedExponent != b.adjustedExponent { return order(a.adjustedExponent, b.adjustedExponent) }
        for i in 0..<max(a.digits.count, b.digits.count) {
            let x = i < a.digits.count ? a.digits[i] : 0
            let y = i < b.digits.count ? b.digits[i] : 0
            if x != y { return order(x, y) }
        }
        return 0
    }

    /// The value truncated toward zero; nil if it isn't finite or doesn't fit.
    var truncated: Int64? {
        guard kind == .number else { return nil }
        if digits.isEmpty || adjustedExponent < 0 { return 0 }
        if adjustedExponent > 18 { return nil }
        var magnitude: UInt64 = 0
        for i in 0...adjustedExponent { magnitude = magnitude * 10 + UInt64(i < digits.count ? digits[i] : 0) }
        if isNegative { return magnitude <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil }
        return Int64(exactly: magnitude)
    }
}

// MARK: - Narrow encodings

extension DecimalNumber {
    static func datum(narrow bits: UInt32) -> Audit.Datum {
        if bits == 0x7C00_00AA { return .null }
        return widened(
            negative: bits >> 31 != 0, top: UInt8(bits >> 26 & 31),
            plain: (Int(bits >> 23 & 0xFF), UInt64(bits & 0x7F_FFFF)),
            long: (Int(bits >> 21 & 0xFF), 1 << 23 + UInt64(bits & 0x1F_FFFF)), bias: 101)
    }

    static func datum(medium bits: UInt64) -> Audit.Datum {
        if bits == 0x7C00_0000_0000_00AA { return .null }
        return widened(
            negative: bits >> 63 != 0, top: UInt8(bits >> 58 & 31),
            plain: (Int(bits >> 53 & 0x3FF), bits & (1 << 53 - 1)),
            long: (Int(bits >> 51 & 0x3FF), 1 << 53 + bits & (1 << 51 - 1)), bias: 398)
    }

    private static func widened(
        negative: Bool, top: UInt8, plain: (exponent: Int, coefficient: UInt64),
        long: (exponent: Int, coefficient: UInt64), bias: Int
    ) -> Audit.Datum {
        let sign: UInt64 = negative ? 1 << 63 : 0
        if top >= 0b11110 {
            return .decimal(DecimalBits(low: 0, high: sign | (top == 0b11110 ? 0x78 : 0x7C) << 56))
        }
        let fields = top < 0b11000 ? plain : long
        return .decimal(
            DecimalBits(low: fields.coefficient, high: sign | UInt64(fields.exponent - bias + 6176) << 49))
    }
}

/// A natural number of any size, with the operations for converting a Double to digits.
private struct LargeNumber {
    /// Nine digits each, least significant first.
    private var limbs: [UInt32]

    init(_ value: UInt64) {
        limbs = []
        var rest = value
        while rest > 0 {
            limbs.append(UInt32(rest % 1_000_000_000))
            rest /= 1_000_000_000
        }
    }

    mutating func multiply(by base: UInt64, power: Int) {
        let step = base == 2 ? 29 : 12
        var rest = power
        while rest > 0 {
            let n = min(rest, step)
            multiply(by: (0..<n).reduce(1) { product, _ in product * base })
            rest -= n
        }
    }

    private mutating func multiply(by factor: UInt64) {
        var carry: UInt64 = 0
        for i in limbs.indices {
            let product = UInt64(limbs[i]) * factor + carry
            limbs[i] = UInt32(product % 1_000_000_000)
            carry = product / 1_000_000_000
        }
        if carry > 0 { limbs.append(UInt32(carry)) }
    }

    var digits: [UInt8] {
        var result: [UInt8] = []
        for (i, limb) in limbs.reversed().enumerated() {
            let text = Array(String(limb).utf8)
            if i > 0 { result += Array(repeating: 0, count: 9 - text.count) }
            result += text.map { $0 - 48 }
        }
        return result
    }
}
