// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The meaning of the 128 bits of a decimal (content 6.9).
extension DecimalBits {
    static let exponentBias = 6176
    static let minExponent = -6176
    static let maxExponent = 6111
    static let precision = 34

    private static let signBit: UInt64 = 1 << 63
    private static let infinityBits: UInt64 = 0x7800_0000_0000_0000
    private static let nanBits: UInt64 = 0x7C00_0000_0000_0000
    /// 10^34, the smallest coefficient that isn't canonical.
    private static let limit = WideNatural(low: 0x378D_8E64_0000_0000, high: 0x0001_ED09_BEAD_87C0)

    /// The pattern that represents null in columns of decimals: a NaN that isn't a valid value.
    package static let null = DecimalBits(low: 0xAA, high: nanBits)
    /// 0·10⁰, the storage default.
    package static let zero = DecimalBits(low: 0, high: UInt64(exponentBias) << 49)
    package static let one = DecimalBits(low: 1, high: UInt64(exponentBias) << 49)
    /// The NaN without payload, the result of invalid operations.
    package static let nan = DecimalBits(low: 0, high: nanBits)
    package static let infinity = DecimalBits(low: 0, high: infinityBits)
    package static let greatestFinite = DecimalBits(negative: false, limit - WideNatural(low: 1), exponent: maxExponent)

    package var isNull: Bool { self == DecimalBits.null }
    /// True also for the null pattern.
    package var isNaN: Bool { high & DecimalBits.nanBits == DecimalBits.nanBits }
    package var isInfinite: Bool { high & DecimalBits.nanBits == DecimalBits.infinityBits }
    package var isFinite: Bool { high & DecimalBits.infinityBits != DecimalBits.infinityBits }
    package var isZero: Bool { isFinite && magnitude.isZero }
    /// The sign bit, which zeros, infinities and NaNs have too.
    package var isNegative: Bool { high & DecimalBits.signBit != 0 }

    /// Whether the two bits after the sign are both set. Among finite values, only other writers use this form.
    private var isLongForm: Bool { high >> 61 & 3 == 3 }

    /// The power of ten. Meaningless unless the value is finite.
    package var exponent: Int {
        Int(high >> (isLongForm ? 47 : 49) & 0x3FFF) - DecimalBits.exponentBias
    }

    /// Meaningless unless the value is finite. Forms that aren't canonical are zero.
    package var coefficient: (low: UInt64, high: UInt64) {
        let wide = magnitude
        return (wide.w0, wide.w1)
    }

    var magnitude: WideNatural {
        if isLongForm { return .zero }
        let stored = WideNatural(low: low, high: high & 0x0001_FFFF_FFFF_FFFF)
        return stored < DecimalBits.limit ? stored : .zero
    }

    /// The coefficient must be below 10^34, and the exponent in range.
    init(negative: Bool, _ coefficient: WideNatural, exponent: Int) {
        let biased = UInt64(truncatingIfNeeded: exponent + DecimalBits.exponentBias) & 0x3FFF
        self.init(low: coefficient.w0, high: (negative ? DecimalBits.signBit : 0) | biased << 49 | coefficient.w1)
    }

    package var negated: DecimalBits { DecimalBits(low: low, high: high ^ DecimalBits.signBit) }

    package var absolute: DecimalBits { DecimalBits(low: low, high: high & ~DecimalBits.signBit) }

    /// The pattern that represents all patterns of a number: without trailing zeros, and +0·10⁰ for every zero. NaNs
    /// are unchanged.
    ///
    /// Used for hashing: two values are equal by content 8.1 exactly if their normalised patterns have equal bits.
    package var normalized: DecimalBits {
        if isNaN { return self }
        if isInfinite { return isNegative ? DecimalBits.infinity.negated : .infinity }
        return isZero ? .zero : strippingZeros(upTo: DecimalBits.maxExponent)
    }

    /// The number without zeros at the end of its fraction: 11.10 becomes 11.1, but 1E3 and 1000 are unchanged.
    package var withoutFractionZeros: DecimalBits {
        guard isFinite, exponent < 0 else { return self }
        return isZero ? DecimalBits(negative: isNegative, .zero, exponent: 0) : strippingZeros(upTo: 0)
    }

    /// Moves trailing zeros into the exponent, up to `limit`. The value must be finite and not zero.
    private func strippingZeros(upTo limit: Int) -> DecimalBits {
        var rest = magnitude
        var power = exponent
        while power < limit {
            let (quotient, digit) = rest.divided(by: 10)
            if digit != 0 { break }
            rest = quotient
            power += 1
        }
        return DecimalBits(negative: isNegative, rest, exponent: power)
    }
}
