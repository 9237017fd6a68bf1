// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension WideNatural {
    static let powersOfTen: [UInt64] = (0..<20).reduce(into: [1]) { powers, index in
        if index > 0 { powers.append(powers[index - 1] * 10) }
    }

    private static let widePowersOfTen: [WideNatural] = (0..<78).reduce(into: [WideNatural(low: 1)]) { powers, index in
        if index > 0 { powers.append(powers[index - 1] * 10) }
    }

    static func powerOfTen(_ exponent: Int) -> WideNatural { widePowersOfTen[exponent] }

    var digitCount: Int {
        if isZero { return 0 }
        // 1233/4096 is just below log10(2), so the estimate is exact or one too small.
        let estimate = (bitWidth * 1233) >> 12
        return estimate < 78 && !(self < WideNatural.widePowersOfTen[estimate]) ? estimate + 1 : estimate
    }

    /// The result must fit.
    func appendingZeros(_ count: Int) -> WideNatural {
        var result = self
        var left = count
        while left > 19 {
            result = result * WideNatural.powersOfTen[19]
            left -= 19
        }
        return result * WideNatural.powersOfTen[left]
    }

    /// The magnitude of the dropped digits, in units of the last digit kept.
    enum Tail {
        case nothing, belowHalf, half, aboveHalf
    }

    /// Returns the number without its last `count` digits, and the magnitude of those.
    ///
    /// - Parameter sticky: whether more digits that aren't all zero follow the number.
    func droppingDigits(_ count: Int, sticky: Bool = false) -> (kept: WideNatural, tail: Tail) {
        if count <= 0 { return (self, sticky ? .belowHalf : .nothing) }
        if count > 78 { return (.zero, isZero && !sticky ? .nothing : .belowHalf) }
        var kept = self
        var more = sticky
        var left = count - 1
        while left > 0 {
            let step = min(left, 19)
            let part = kept.divided(by: WideNatural.powersOfTen[step])
            kept = part.quotient
            more = more || part.remainder != 0
            left -= step
        }
        let (quotient, digit) = kept.divided(by: 10)
        if digit == 5 { return (quotient, more ? .aboveHalf : .half) }
        if digit > 5 { return (quotient, .aboveHalf) }
        return (quotient, digit == 0 && !more ? .nothing : .belowHalf)
    }

    /// Rounds to the nearest, halves to even.
    func roundedDroppingDigits(_ count: Int, sticky: Bool = false) -> WideNatural {
        let (kept, tail) = droppingDigits(count, sticky: sticky)
        let up = tail == .aboveHalf || tail == .half && kept.isOdd
        return up ? kept + WideNatural(low: 1) : kept
    }

    var digits: String {
        var parts: [UInt64] = []
        var rest = self
        while !rest.isZero {
            let (quotient, part) = rest.divided(by: WideNatural.powersOfTen[19])
            parts.append(part)
            rest = quotient
        }
        guard let first = parts.popLast() else { return "0" }
        return parts.reversed().reduce(String(first)) { text, part in
            let digits = String(part)
            return text + String(repeating: "0", count: 19 - digits.utf8.count) + digits
        }
    }
}
