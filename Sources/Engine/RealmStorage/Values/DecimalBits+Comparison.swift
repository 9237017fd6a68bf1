// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension DecimalBits {
    /// Returns −1, 0 or 1 if `a` is below, equal to or above `b`. NaNs are below all numbers, and ordered by their
    /// bits.
    package static func compare(_ a: DecimalBits, _ b: DecimalBits) -> Int {
        if a == b { return 0 }
        if a.isNaN || b.isNaN { return compareNaNs(a, b) }
        let (signA, signB) = (a.signum, b.signum)
        if signA != signB { return signA < signB ? -1 : 1 }
        return signA == 0 ? 0 : signA * compareMagnitudes(a, b)
    }

    private static func compareNaNs(_ a: DecimalBits, _ b: DecimalBits) -> Int {
        if a.isNaN != b.isNaN { return a.isNaN ? -1 : 1 }
        if a.high != b.high { return a.high < b.high ? -1 : 1 }
        return a.low == b.low ? 0 : a.low < b.low ? -1 : 1
    }

    /// 0 for zeros. The value must not be a NaN.
    private var signum: Int { isZero ? 0 : isNegative ? -1 : 1 }

    /// Neither value may be zero or a NaN.
    private static func compareMagnitudes(_ a: DecimalBits, _ b: DecimalBits) -> Int {
        if a.isInfinite || b.isInfinite { return (a.isInfinite ? 1 : 0) - (b.isInfinite ? 1 : 0) }
        var (wideA, wideB) = (a.magnitude, b.magnitude)
        let (exponentA, exponentB) = (a.exponent, b.exponent)
        if exponentA != exponentB {
            let topA = exponentA + wideA.digitCount
            let topB = exponentB + wideB.digitCount
            if topA != topB { return topA < topB ? -1 : 1 }
            // The first digits have equal weight, so the exponents differ by less than 34 and the product fits.
            if exponentA > exponentB {
                wideA = wideA.appendingZeros(exponentA - exponentB)
            } else {
                wideB = wideB.appendingZeros(exponentB - exponentA)
            }
        }
        return wideA == wideB ? 0 : wideA < wideB ? -1 : 1
    }
}
