// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A natural number of 256 bits: enough for the product of two decimal128 coefficients, and for one shifted by 38
/// digits.
///
/// `UInt128` is too small, and missing on the older systems we support. No operation traps: callers keep their results
/// below 2^256, and higher bits are dropped.
struct WideNatural: Equatable, Sendable {
    /// The words, least significant first.
    var w0, w1, w2, w3: UInt64

    init(low: UInt64, high: UInt64 = 0) {
        w0 = low
        w1 = high
        w2 = 0
        w3 = 0
    }

    static let zero = WideNatural(low: 0)

    var isZero: Bool { w0 | w1 | w2 | w3 == 0 }
    var isOdd: Bool { w0 & 1 == 1 }
    var fitsTwoWords: Bool { w2 | w3 == 0 }

    var bitWidth: Int {
        if w3 != 0 { return 256 - w3.leadingZeroBitCount }
        if w2 != 0 { return 192 - w2.leadingZeroBitCount }
        if w1 != 0 { return 128 - w1.leadingZeroBitCount }
        return 64 - w0.leadingZeroBitCount
    }

    func bit(_ index: Int) -> UInt64 {
        let word = index < 128 ? (index < 64 ? w0 : w1) : (index < 192 ? w2 : w3)
        return word >> UInt64(index & 63) & 1
    }

    static func < (a: WideNatural, b: WideNatural) -> Bool {
        if a.w3 != b.w3 { return a.w3 < b.w3 }
        if a.w2 != b.w2 { return a.w2 < b.w2 }
        if a.w1 != b.w1 { return a.w1 < b.w1 }
        return a.w0 < b.w0
    }

    // MARK: Sums and products

    static func + (a: WideNatural, b: WideNatural) -> WideNatural {
        var result = a
        var carry: UInt64 = 0
        result.w0 = add(a.w0, b.w0, &carry)
        result.w1 = add(a.w1, b.w1, &carry)
        result.w2 = add(a.w2, b.w2, &carry)
        result.w3 = add(a.w3, b.w3, &carry)
        return result
    }

    /// `b` must be at most `a`.
    static func - (a: WideNatural, b: WideNatural) -> WideNatural {
        let complement = WideNatural(~b.w0, ~b.w1, ~b.w2, ~b.w3)
        return a + complement + WideNatural(low: 1)
    }

    static func * (a: WideNatural, factor: UInt64) -> WideNatural {
        var carry: UInt64 = 0
        let p0 = multiply(a.w0, factor, &carry)
        let p1 = multiply(a.w1, factor, &carry)
        let p2 = multiply(a.w2, factor, &carry)
        let p3 = multiply(a.w3, factor, &carry)
        return WideNatural(p0, p1, p2, p3)
    }

    /// Multiplies two numbers of at most two words.
    static func * (a: WideNatural, b: WideNatural) -> WideNatural {
        let upper = a * b.w1
        return a * b.w0 + WideNatural(0, upper.w0, upper.w1, upper.w2)
    }

    private init(_ w0: UInt64, _ w1: UInt64, _ w2: UInt64, _ w3: UInt64) {
        self.w0 = w0
        self.w1 = w1
        self.w2 = w2
        self.w3 = w3
    }

    private static func add(_ a: UInt64, _ b: UInt64, _ carry: inout UInt64) -> UInt64 {
        let (first, overflow) = a.addingReportingOverflow(b)
        let (second, again) = first.addingReportingOverflow(carry)
        carry = overflow || again ? 1 : 0
        return second
    }

    private static func multiply(_ a: UInt64, _ b: UInt64, _ carry: inout UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        let (low, overflow) = product.low.addingReportingOverflow(carry)
        carry = product.high &+ (overflow ? 1 : 0)
        return low
    }

    /// The divisor must not be zero.
    func divided(by divisor: UInt64) -> (quotient: WideNatural, remainder: UInt64) {
        var rest: UInt64 = 0
        func step(_ word: UInt64) -> UInt64 {
            let part = divisor.dividingFullWidth((rest, word))
            rest = part.remainder
            return part.quotient
        }
        let q3 = step(w3)
        let q2 = step(w2)
        let q1 = step(w1)
        let q0 = step(w0)
        return (WideNatural(q0, q1, q2, q3), rest)
    }

    /// Divides bit by bit. The divisor must not be zero and must have at most 255 bits.
    func divided(by divisor: WideNatural) -> (quotient: WideNatural, remainder: WideNatural) {
        var quotient = WideNatural.zero
        var rest = WideNatural.zero
        var index = bitWidth
        while index > 0 {
            index -= 1
            rest = rest + rest
            rest.w0 |= bit(index)
            quotient = quotient + quotient
            if !(rest < divisor) {
                rest = rest - divisor
                quotient.w0 |= 1
            }
        }
        return (quotient, rest)
    }

    func shiftedLeft(by count: Int) -> WideNatural {
        var result = self
        for _ in 0..<count / 32 { result = result * (1 << 32) }
        return result * (1 << UInt64(count % 32))
    }
}
