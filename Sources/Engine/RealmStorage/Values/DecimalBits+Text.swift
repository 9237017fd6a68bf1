// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension DecimalBits: CustomStringConvertible {
    /// The text form of the SDK.
    ///
    /// For a coefficient of one word, the point is moved left as far as the exponent requires and a digit remains
    /// before it; then follows the remaining exponent: `11.11111`, `1.5E3`, `5E-3`. Larger coefficients are written as
    /// sign, all digits and exponent: `+9999999999999999999999999999999999E+6111`.
    @usableFromInline
    package var description: String {
        if isNaN { return "NaN" }
        if isInfinite { return isNegative ? "-Inf" : "Inf" }
        let wide = magnitude
        if wide.w1 != 0 {
            return (isNegative ? "-" : "+") + wide.digits + (exponent < 0 ? "E" : "E+") + String(exponent)
        }
        return (isNegative ? "-" : "") + DecimalBits.short(digits: wide.digits, exponent: exponent)
    }

    private static func short(digits: String, exponent: Int) -> String {
        let movable = digits.utf8.count - 1
        let moved = exponent < 0 ? min(movable, -exponent) : exponent > 0 ? movable : 0
        let left = exponent + moved
        let whole = digits.dropLast(moved)
        let fraction = moved > 0 ? "." + digits.suffix(moved) : ""
        return whole + fraction + (left == 0 ? "" : "E" + String(left))
    }

    /// Parses a decimal; returns nil if the text isn't one.
    ///
    /// Accepts digits with an optional sign, point and exponent, or `Inf`, `Infinity` or `NaN` in any case. The
    /// exponent of the text is kept (`1.50` is 150·10⁻²). More than 34 digits are rounded, halves to even.
    package init?(_ text: some StringProtocol) {
        var scanner = DecimalScanner(text.utf8)
        guard let value = scanner.scan() else { return nil }
        self = value
    }

    /// Creates the decimal with the shortest text that identifies a Double. Whole numbers have no fraction.
    package init(shortest value: Double) {
        self.init(binaryText: value.description)
    }

    package init(shortest value: Float) {
        self.init(binaryText: value.description)
    }

    private init(binaryText text: String) {
        self = DecimalBits(text.hasSuffix(".0") ? text.dropLast(2) : text[...]) ?? .nan
    }
}

private struct DecimalScanner<Bytes: Sequence> where Bytes.Element == UInt8 {
    private var iterator: Bytes.Iterator
    private var next: UInt8?
    /// The first digits, at most 40 of them after leading zeros. Later digits only break ties.
    private var coefficient = WideNatural.zero
    private var kept = 0
    private var sticky = false
    private var exponent = 0
    private var hasDigits = false

    init(_ bytes: Bytes) {
        iterator = bytes.makeIterator()
        next = iterator.next()
    }

    mutating func scan() -> DecimalBits? {
        let negative = next == UInt8(ascii: "-")
        if negative || next == UInt8(ascii: "+") { advance() }
        if let byte = next, byte | 0x20 >= UInt8(ascii: "a") { return word(negative: negative) }
        digits(fraction: false)
        if next == UInt8(ascii: ".") {
            advance()
            digits(fraction: true)
        }
        guard hasDigits, scanExponent(), next == nil else { return nil }
        return DecimalBits.rounded(negative: negative, coefficient, exponent: exponent, sticky: sticky)
    }

    private mutating func advance() { next = iterator.next() }

    private mutating func digit() -> UInt64? {
        guard let byte = next, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
        advance()
        return UInt64(byte - UInt8(ascii: "0"))
    }

    private mutating func digits(fraction: Bool) {
        while let digit = digit() {
            hasDigits = true
            if kept < 40 {
                coefficient = coefficient * 10 + WideNatural(low: digit)
                if !coefficient.isZero { kept += 1 }
                if fraction { exponent -= 1 }
            } else {
                sticky = sticky || digit != 0
                if !fraction { exponent += 1 }
            }
        }
    }

    private mutating func scanExponent() -> Bool {
        guard let byte = next, byte | 0x20 == UInt8(ascii: "e") else { return true }
        advance()
        let negative = next == UInt8(ascii: "-")
        if negative || next == UInt8(ascii: "+") { advance() }
        var value = 0
        var found = false
        while let digit = digit() {
            found = true
            // Beyond every exponent that matters, whatever digits precede it.
            value = min(value * 10 + Int(digit), 1 << 48)
        }
        exponent += negative ? -value : value
        return found
    }

    private mutating func word(negative: Bool) -> DecimalBits? {
        var letters: [UInt8] = []
        while let byte = next, letters.count < 9 {
            letters.append(byte | 0x20)
            advance()
        }
        switch String(decoding: letters, as: UTF8.self) {
        case "nan": return .nan
        case "inf", "infinity": return negative ? DecimalBits.infinity.negated : .infinity
        default: return nil
        }
    }
}
