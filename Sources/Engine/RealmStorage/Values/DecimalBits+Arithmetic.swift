// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The four operations of IEEE 754-2008, rounded once to 34 digits, halves to even.
extension DecimalBits {
    package static func + (a: DecimalBits, b: DecimalBits) -> DecimalBits {
        if a.isNaN { return a.quieted }
        if b.isNaN { return b.quieted }
        if a.isInfinite { return b.isInfinite && a.isNegative != b.isNegative ? .nan : a.normalized }
        if b.isInfinite { return b.normalized }
        return a.exponent < b.exponent ? sum(upper: b, lower: a) : sum(upper: a, lower: b)
    }

    package static func - (a: DecimalBits, b: DecimalBits) -> DecimalBits {
        b.isNaN ? a + b : a + b.negated
    }

    package static func * (a: DecimalBits, b: DecimalBits) -> DecimalBits {
        if a.isNaN { return a.quieted }
        if b.isNaN { return b.quieted }
        let negative = a.isNegative != b.isNegative
        if a.isInfinite || b.isInfinite {
            return a.isZero || b.isZero ? .nan : signedInfinity(negative)
        }
        return rounded(negative: negative, a.magnitude * b.magnitude, exponent: a.exponent + b.exponent)
    }

    package static func / (a: DecimalBits, b: DecimalBits) -> DecimalBits {
        if a.isNaN { return a.quieted }
        if b.isNaN { return b.quieted }
        let negative = a.isNegative != b.isNegative
        if a.isInfinite { return b.isInfinite ? .nan : signedInfinity(negative) }
        if b.isInfinite { return DecimalBits(negative: negative, .zero, exponent: minExponent) }
        if b.isZero { return a.isZero ? .nan : signedInfinity(negative) }
        return quotient(negative, a, b)
    }

    private static func signedInfinity(_ negative: Bool) -> DecimalBits { negative ? infinity.negated : infinity }

    /// Adds finite values. The exponent of `upper` must not be the smaller one.
    private static func sum(upper: DecimalBits, lower: DecimalBits) -> DecimalBits {
        var (a, exponentA) = (upper.magnitude, upper.exponent)
        let (b, exponentB) = (lower.magnitude, lower.exponent)
        if a.isZero && b.isZero {
            return DecimalBits(negative: upper.isNegative && lower.isNegative, .zero, exponent: exponentB)
        }
        if a.isZero { return DecimalBits(negative: lower.isNegative, b, exponent: exponentB) }
        // 72 digits fit, so an exact sum is possible up to a distance of 38.
        if exponentA - exponentB > 38 {
            let zeros = precision - a.digitCount
            a = a.appendingZeros(zeros)
            exponentA -= zeros
            // Now `lower` is below a ten-thousandth of the last of 34 digits, so rounding drops it.
            if exponentA - exponentB > 38 { return DecimalBits(negative: upper.isNegative, a, exponent: exponentA) }
        }
        a = a.appendingZeros(exponentA - exponentB)
        return combined(upper.isNegative, a, lower.isNegative, b, exponent: exponentB)
    }

    private static func combined(
        _ negativeA: Bool, _ a: WideNatural, _ negativeB: Bool, _ b: WideNatural, exponent: Int
    ) -> DecimalBits {
        if negativeA == negativeB { return rounded(negative: negativeA, a + b, exponent: exponent) }
        if a == b { return DecimalBits(negative: false, .zero, exponent: exponent) }
        return b < a
            ? rounded(negative: negativeA, a - b, exponent: exponent)
            : rounded(negative: negativeB, b - a, exponent: exponent)
    }

    /// Divides finite values. `b` must not be zero. An exact quotient has the exponent nearest to the difference of the
    /// exponents.
    private static func quotient(_ negative: Bool, _ a: DecimalBits, _ b: DecimalBits) -> DecimalBits {
        let (dividend, divisor) = (a.magnitude, b.magnitude)
        let ideal = a.exponent - b.exponent
        if dividend.isZero { return rounded(negative: negative, .zero, exponent: ideal) }
        // The quotient has 35 or 36 digits, at least one more than the result, so the remainder only breaks ties.
        let zeros = precision + 1 + max(divisor.digitCount - dividend.digitCount, 0)
        var (result, remainder) = dividend.appendingZeros(zeros).divided(by: divisor)
        var power = ideal - zeros
        guard remainder.isZero else {
            return rounded(negative: negative, result, exponent: power, sticky: true)
        }
        while power < ideal {
            let (shorter, digit) = result.divided(by: 10)
            if digit != 0 { break }
            result = shorter
            power += 1
        }
        return rounded(negative: negative, result, exponent: power)
    }
}
