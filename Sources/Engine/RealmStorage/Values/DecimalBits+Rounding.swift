// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension DecimalBits {
    /// Returns the decimal nearest to `coefficient` · 10^`exponent`, halves to even, with at most `digits` digits.
    ///
    /// The exponent is kept if possible. A result that is too large becomes an infinity, one that is too small a
    /// subnormal number or zero. There is a single rounding.
    /// - Parameter sticky: whether digits that aren't all zero follow the coefficient, which then has more than
    ///   `digits` digits.
    static func rounded(
        negative: Bool, _ coefficient: WideNatural, exponent: Int, sticky: Bool = false, digits: Int = precision
    ) -> DecimalBits {
        let surplus = max(coefficient.digitCount - digits, minExponent - exponent, 0)
        var kept = coefficient.roundedDroppingDigits(surplus, sticky: sticky)
        var power = exponent + surplus
        if kept == WideNatural.powerOfTen(digits) {
            kept = WideNatural.powerOfTen(digits - 1)
            power += 1
        }
        if kept.isZero {
            return DecimalBits(negative: negative, .zero, exponent: min(power, maxExponent))
        }
        if power > maxExponent {
            let zeros = power - maxExponent
            if kept.digitCount + zeros > precision { return negative ? infinity.negated : infinity }
            kept = kept.appendingZeros(zeros)
            power = maxExponent
        }
        return DecimalBits(negative: negative, kept, exponent: power)
    }

    /// The result of an operation with this NaN: quiet, and never the null pattern.
    var quieted: DecimalBits {
        let quiet = DecimalBits(low: low, high: high & 0xFC00_3FFF_FFFF_FFFF)
        return quiet.isNull ? .nan : quiet
    }
}
