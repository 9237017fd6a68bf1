// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The narrow encodings that leaves of decimals use (content 6.9).
extension DecimalBits {
    /// Decodes an element of a leaf of width 4. The null pattern of that width becomes `null`.
    package init(decimal32 bits: UInt32) {
        let negative = bits >> 31 != 0
        switch bits >> 26 & 31 {
        case 0b11111 where bits == 0x7C00_00AA: self = .null
        case 0b11111: self = DecimalBits.nan(negative: negative, payload: UInt64(bits & 0xF_FFFF))
        case 0b11110: self = negative ? DecimalBits.infinity.negated : .infinity
        case 0b11000...:
            self.init(negative, UInt64(1 << 23 | bits & 0x1F_FFFF), Int(bits >> 21 & 0xFF) - 101)
        default:
            self.init(negative, UInt64(bits & 0x7F_FFFF), Int(bits >> 23 & 0xFF) - 101)
        }
    }

    package init(decimal64 bits: UInt64) {
        let negative = bits >> 63 != 0
        switch bits >> 58 & 31 {
        case 0b11111 where bits == 0x7C00_0000_0000_00AA: self = .null
        case 0b11111: self = DecimalBits.nan(negative: negative, payload: bits & 0x3_FFFF_FFFF_FFFF)
        case 0b11110: self = negative ? DecimalBits.infinity.negated : .infinity
        case 0b11000...:
            self.init(negative, 1 << 53 | bits & 0x7_FFFF_FFFF_FFFF, Int(bits >> 51 & 0x3FF) - 398)
        default:
            self.init(negative, bits & 0x1F_FFFF_FFFF_FFFF, Int(bits >> 53 & 0x3FF) - 398)
        }
    }

    private init(_ negative: Bool, _ coefficient: UInt64, _ exponent: Int) {
        self.init(negative: negative, WideNatural(low: coefficient), exponent: exponent)
    }

    /// A narrow NaN keeps its sign and payload, but never becomes the null pattern.
    private static func nan(negative: Bool, payload: UInt64) -> DecimalBits {
        let wide = DecimalBits(low: payload, high: (negative ? 1 << 63 : 0) | nan.high)
        return wide.isNull ? .nan : wide
    }

    package var decimal32: UInt32? {
        if isNull { return 0x7C00_00AA }
        guard let value = narrow, value.coefficient < 1 << 23, -90...90 ~= value.exponent else { return nil }
        return (isNegative ? 1 << 31 : 0) | UInt32(value.exponent + 101) << 23 | UInt32(value.coefficient)
    }

    package var decimal64: UInt64? {
        if isNull { return 0x7C00_0000_0000_00AA }
        guard let value = narrow, value.coefficient < 1 << 53, -369...369 ~= value.exponent else { return nil }
        return (isNegative ? 1 << 63 : 0) | UInt64(value.exponent + 398) << 53 | value.coefficient
    }

    /// The smallest leaf width, 0, 4, 8 or 16, that can represent the value.
    ///
    /// - Parameter zeroAllowed: whether width 0 of the leaf represents zeros (`CTX` set) rather than nulls.
    package func minimalWidth(zeroAllowed: Bool) -> Int {
        if isNull { return zeroAllowed ? 4 : 0 }
        guard let value = narrow else { return 16 }
        if zeroAllowed && value.coefficient == 0 && value.exponent == 0 { return 0 }
        if decimal32 != nil { return 4 }
        return decimal64 != nil ? 8 : 16
    }

    /// The fields of a finite value in the plain form whose coefficient fits one word. Other patterns are never
    /// narrowed, so they're read back unchanged.
    private var narrow: (coefficient: UInt64, exponent: Int)? {
        guard isFinite, high >> 61 & 3 != 3, high & 0x0001_FFFF_FFFF_FFFF == 0 else { return nil }
        return (low, exponent)
    }
}
