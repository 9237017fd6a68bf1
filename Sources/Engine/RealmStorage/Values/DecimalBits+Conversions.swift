// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension DecimalBits {
    package init(_ value: Int64) {
        self.init(negative: value < 0, WideNatural(low: value.magnitude), exponent: 0)
    }

    package init(_ value: UInt64) {
        self.init(negative: false, WideNatural(low: value), exponent: 0)
    }

    /// The decimal that represents a Double in a comparison (content 8.4): the exact value rounded to 34 digits, then
    /// to 15 if it has more.
    package init(comparing value: Double) {
        self.init(value, digits: 15)
    }

    /// The decimal that represents a Float in a comparison (content 8.4): as for a Double, with 7 digits.
    package init(comparing value: Float) {
        self.init(Double(widening: value), digits: 7)
    }

    private init(_ value: Double, digits: Int) {
        if value.isNaN {
            self = DecimalBits(nanOfDouble: value.bitPattern)
        } else if value.isInfinite {
            self = value < 0 ? DecimalBits.infinity.negated : .infinity
        } else {
            let full = DecimalBits(rounding: value)
            self = DecimalBits.rounded(
                negative: full.isNegative, full.magnitude, exponent: full.exponent, digits: digits)
        }
    }

    /// Converts a NaN. The payload of the Double below its quiet bit becomes the top of the decimal's payload, unless
    /// that isn't canonical.
    private init(nanOfDouble bits: UInt64) {
        let payload = bits & 0x7_FFFF_FFFF_FFFF
        let wide = WideNatural(low: payload << 59, high: payload >> 5)
        let kept = wide < WideNatural.powerOfTen(33) ? wide : .zero
        self.init(low: kept.w0, high: bits & 1 << 63 | DecimalBits.nan.high | kept.w1)
    }

    package init(rounding value: Double) {
        guard value != 0, value.isFinite else {
            self = DecimalBits(negative: value.sign == .minus, .zero, exponent: 0)
            return
        }
        let significand = value.significandBitPattern | (value.isNormal ? 1 << 52 : 0)
        let zeros = significand.trailingZeroBitCount
        let odd = significand >> UInt64(zeros)
        let power = max(Int(value.exponentBitPattern), 1) - 1075 + zeros
        self = DecimalBits.rounded(negative: value < 0, odd: odd, powerOfTwo: power)
    }

    private static func rounded(negative: Bool, odd: UInt64, powerOfTwo: Int) -> DecimalBits {
        switch powerOfTwo {
        case 0...203:
            return rounded(negative: negative, WideNatural(low: odd).shiftedLeft(by: powerOfTwo), exponent: 0)
        case -87..<0:
            var coefficient = WideNatural(low: odd)
            for _ in powerOfTwo..<0 { coefficient = coefficient * 5 }
            return rounded(negative: negative, coefficient, exponent: powerOfTwo)
        default:
            var digits = LongDecimal(odd)
            digits.multiply(by: powerOfTwo < 0 ? 5 : 2, count: abs(powerOfTwo))
            let (leading, dropped, sticky) = digits.leading
            let exponent = min(powerOfTwo, 0) + dropped
            return rounded(negative: negative, leading, exponent: exponent, sticky: sticky)
        }
    }

    /// The value without its fraction; nil if it isn't finite or doesn't fit.
    package var truncated: Int64? {
        guard isFinite else { return nil }
        var whole = magnitude
        if exponent < 0 {
            whole = whole.droppingDigits(-exponent).kept
        } else if !whole.isZero {
            if exponent > 19 { return nil }
            whole = whole.appendingZeros(exponent)
        }
        guard whole.fitsTwoWords, whole.w1 == 0 else { return nil }
        if isNegative { return whole.w0 <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- whole.w0) : nil }
        return Int64(exactly: whole.w0)
    }

    /// Rounds to the nearest, halves to even.
    package var doubleValue: Double {
        if isNaN { return .nan }
        if isInfinite { return isNegative ? -.infinity : .infinity }
        let text = (isNegative ? "-" : "") + magnitude.digits + "E" + String(exponent)
        // The text is well-formed, and its conversion rounds correctly.
        return Double(text) ?? .nan
    }
}

/// A natural number of any length, in limbs of nine decimal digits, least significant first.
private struct LongDecimal {
    private var limbs: [UInt32] = []

    init(_ value: UInt64) {
        var rest = value
        while rest > 0 {
            limbs.append(UInt32(rest % 1_000_000_000))
            rest /= 1_000_000_000
        }
    }

    mutating func multiply(by base: UInt64, count: Int) {
        var left = count
        while left > 0 {
            let step = min(left, 13)
            multiply(by: (0..<step).reduce(1) { power, _ in power * base })
            left -= step
        }
    }

    private mutating func multiply(by factor: UInt64) {
        var carry: UInt64 = 0
        for index in limbs.indices {
            let product = UInt64(limbs[index]) * factor + carry
            limbs[index] = UInt32(product % 1_000_000_000)
            carry = product / 1_000_000_000
        }
        while carry > 0 {
            limbs.append(UInt32(carry % 1_000_000_000))
            carry /= 1_000_000_000
        }
    }

    var leading: (digits: WideNatural, dropped: Int, sticky: Bool) {
        let kept = limbs.suffix(5)
        let rest = limbs.dropLast(5)
        let digits = kept.reversed().reduce(WideNatural.zero) { $0 * 1_000_000_000 + WideNatural(low: UInt64($1)) }
        return (digits, 9 * rest.count, rest.contains { $0 != 0 })
    }
}
