// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Testing

@testable import RealmStorage

@Suite struct DecimalBitsTests {
    // MARK: Patterns

    @Test func namedPatterns() {
        #expect(DecimalBits.null.hex == "7c0000000000000000000000000000aa")
        #expect(DecimalBits.null.isNull && DecimalBits.null.isNaN)
        #expect(!DecimalBits.nan.isNull && DecimalBits.nan.isNaN && !DecimalBits.nan.isFinite)
        #expect(DecimalBits.infinity.isInfinite && DecimalBits.infinity.negated.isInfinite)
        #expect(DecimalBits.infinity.negated.hex == "f8000000000000000000000000000000")
        #expect(!DecimalBits.infinity.isFinite && !DecimalBits.infinity.isNaN && !DecimalBits.infinity.isZero)
        #expect(DecimalBits.zero.hex == "30400000000000000000000000000000")
        #expect(DecimalBits.zero.isZero && DecimalBits.zero.negated.isZero && DecimalBits.zero.negated.isNegative)
        #expect(DecimalBits.one.truncated == 1 && DecimalBits.one.exponent == 0)
        #expect(DecimalBits.greatestFinite.description == "+9999999999999999999999999999999999E+6111")
    }

    @Test func patternsThatAreNotCanonicalAreZero() {
        let longForm = DecimalBits(low: 5, high: 0x6000_0000_0000_0001)
        #expect(longForm.isZero && longForm.isFinite && longForm.exponent == -6176)
        let longFormOfTen = DecimalBits(low: 0, high: 0x6000_0000_0000_0000 | UInt64(6186) << 47)
        #expect(longFormOfTen.isZero && longFormOfTen.exponent == 10)
        // 10^34 is too large by one.
        let above = DecimalBits(hex: "3041ed09bead87c0378d8e6400000000")
        #expect(above.isZero && above.description == "0")
        #expect(DecimalBits(hex: "3041ed09bead87c0378d8e63ffffffff").description.hasPrefix("+9999"))
        #expect(DecimalBits.compare(longForm, .zero) == 0 && DecimalBits.compare(above, .one) == -1)
        #expect(DecimalBits.infinity == DecimalBits(low: 77, high: 0x7800_0000_0000_0001).normalized)
    }

    @Test func anyPatternIsAccepted() {
        var random = ValueRandom()
        let tops: [UInt64] = [0, 0x3040, 0x5FFE, 0x6000, 0x6FFF, 0x7800, 0x7C00, 0x7E00, 0x7FFF, 0xB040, 0xFFFF]
        var pool = tops.flatMap { top in
            [0, 1, 0xAA, UInt64.max].map { DecimalBits(low: $0, high: top << 48 | $0 >> 16) }
        }
        pool += (0..<20).map { _ in DecimalBits(low: random.next(), high: random.next()) }
        for a in pool {
            _ = (a.description, a.truncated, a.doubleValue, a.normalized, a.negated, a.decimal32, a.decimal64)
            _ = (a.minimalWidth(zeroAllowed: true), IndexData(.decimal(a)))
            for b in pool {
                for result in [a + b, a - b, a * b, a / b] {
                    #expect(!result.isNull && result.coefficient.high <= 0x0001_ED09_BEAD_87C0, "\(a.hex) \(b.hex)")
                    if result.isFinite { #expect(DecimalBits(result.description) == result, "\(a.hex) \(b.hex)") }
                }
                #expect(DecimalBits.compare(a, b) == -DecimalBits.compare(b, a), "\(a.hex) \(b.hex)")
                let equal = DecimalBits.compare(a, b) == 0
                #expect((a.normalized == b.normalized) == equal, "\(a.hex) \(b.hex)")
            }
        }
    }

    @Test func zerosAtTheEnd() {
        for (text, stripped) in [
            ("11.10", "11.1"), ("-1.000", "-1"), ("1000", "1000"), ("1E3", "1E3"), ("0.00", "0"), ("-0.0", "-0"),
            ("0E5", "0E5"), ("10.0", "10"), ("NaN", "NaN"), ("-Inf", "-Inf"), ("1.5", "1.5"),
        ] {
            #expect(DecimalBits(text)?.withoutFractionZeros.description == stripped, "\(text)")
        }
        #expect(DecimalBits("-120.00")!.normalized == DecimalBits("-12E1") && DecimalBits("-0E7")!.normalized == .zero)
    }

    // MARK: Widths

    @Test(arguments: [
        ("0", 0, 4), ("-0", 0, 4), ("0.0", 4, 4), ("0E90", 4, 4), ("0E91", 8, 8), ("1", 4, 4), ("-1.50", 4, 4),
        ("8388607", 4, 4), ("8388608", 8, 8), ("1E90", 4, 4), ("1E91", 8, 8), ("1E-90", 4, 4), ("1E-91", 8, 8),
        ("9007199254740991", 8, 8), ("9007199254740992", 16, 16), ("1E369", 8, 8), ("1E370", 16, 16),
        ("1E-369", 8, 8), ("1E-370", 16, 16), ("Inf", 16, 16), ("-Inf", 16, 16), ("NaN", 16, 16),
        ("36893488147419103232", 16, 16),
    ])
    func smallestWidth(_ text: String, zeros: Int, nulls: Int) throws {
        let value = try #require(DecimalBits(text))
        #expect(value.minimalWidth(zeroAllowed: true) == zeros)
        #expect(value.minimalWidth(zeroAllowed: false) == nulls)
        #expect((value.decimal32 != nil) == (nulls <= 4))
        #expect((value.decimal64 != nil) == (nulls <= 8))
        if let narrow = value.decimal32 { #expect(DecimalBits(decimal32: narrow) == value) }
        if let narrow = value.decimal64 { #expect(DecimalBits(decimal64: narrow) == value) }
    }

    @Test func nullHasAPatternOfEachWidth() {
        #expect(DecimalBits.null.minimalWidth(zeroAllowed: true) == 4)
        #expect(DecimalBits.null.minimalWidth(zeroAllowed: false) == 0)
        #expect(DecimalBits.null.decimal32 == 0x7C00_00AA)
        #expect(DecimalBits.null.decimal64 == 0x7C00_0000_0000_00AA)
        #expect(DecimalBits(decimal32: 0x7C00_00AA).isNull)
        #expect(DecimalBits(decimal64: 0x7C00_0000_0000_00AA).isNull)
        // Neighbours of the null pattern are plain NaNs.
        for bits: UInt32 in [0x7C00_00AB, 0x7C10_00AA, 0x7E00_00AA, 0xFC00_00AA] {
            #expect(DecimalBits(decimal32: bits).isNaN && !DecimalBits(decimal32: bits).isNull)
        }
    }

    @Test func narrowPatterns() {
        #expect(DecimalBits(decimal32: 0x3200_0001).description == "1E-1")
        #expect(DecimalBits(decimal32: 0xB280_0007).description == "-7")
        #expect(DecimalBits(decimal32: 0x7800_1234) == .infinity)
        #expect(DecimalBits(decimal32: 0xF800_0000) == DecimalBits.infinity.negated)
        // The long form: exponent 101 in bits 21 to 28, coefficient 2^23 + 5.
        #expect(DecimalBits(decimal32: 0x6000_0005 | 101 << 21).description == "8388613")
        #expect(DecimalBits(decimal64: 0x6000_0000_0000_0005 | 398 << 51).description == "9007199254740997")
        #expect(DecimalBits(decimal64: UInt64(397) << 53 | 15 | 1 << 63).description == "-1.5")
        #expect(DecimalBits(decimal64: 0xF800_0000_0000_0000) == DecimalBits.infinity.negated)
    }

    @Test func everyNarrowedPatternRoundTrips() {
        var random = ValueRandom()
        for _ in 0..<20_000 {
            let bits = UInt32(truncatingIfNeeded: random.next())
            let value = DecimalBits(decimal32: bits)
            if let narrow = value.decimal32 { #expect(narrow == bits) }
            if let wider = value.decimal64 { #expect(DecimalBits(decimal64: wider) == value, "\(bits)") }
            let double = random.next()
            if let narrow = DecimalBits(decimal64: double).decimal64 { #expect(narrow == double) }
        }
    }

    // MARK: Special values

    @Test func arithmeticWithoutNumbers() {
        let (inf, one, zero) = (DecimalBits.infinity, DecimalBits.one, DecimalBits.zero)
        let payload = DecimalBits(low: 7, high: 0xFC00_0000_0000_0000)
        #expect(inf - inf == .nan && inf + inf.negated == .nan && inf * zero == .nan && zero * inf == .nan)
        #expect(zero / zero == .nan && inf / inf == .nan && inf / inf.negated == .nan)
        #expect(one / zero == inf && one.negated / zero == inf.negated && one / zero.negated == inf.negated)
        #expect(inf + one == inf && one - inf == inf.negated && inf * one.negated == inf.negated)
        #expect((one / inf).isZero && (one.negated / inf).isNegative && inf / one.negated == inf.negated)
        #expect(payload + one == payload && one - payload == payload && DecimalBits.nan * payload == .nan)
        #expect(payload / one == payload && one / payload == payload && one * payload == payload)
        // A signalling NaN becomes quiet, but never null.
        #expect(DecimalBits(low: 0xAA, high: 0x7E00_0000_0000_0000) + one == .nan)
        #expect(DecimalBits(low: 0xAB, high: 0x7E00_0000_0000_0000) + one == DecimalBits(low: 0xAB, high: 0x7C << 56))
    }

    @Test func order() {
        let ascending = [
            DecimalBits.nan, .null, DecimalBits(low: 0xAB, high: 0x7C << 56), DecimalBits(low: 0, high: 0x7E << 56),
            DecimalBits(low: 0, high: 0xFC << 56), DecimalBits.infinity.negated, DecimalBits.greatestFinite.negated,
            DecimalBits("-1")!, DecimalBits("-1E-6176")!, .zero, DecimalBits("1E-6176")!, DecimalBits("0.9999")!, .one,
            DecimalBits("1.000000000000000000000000000000001")!, DecimalBits("10")!, .greatestFinite, .infinity,
        ]
        for (indexA, a) in ascending.enumerated() {
            for (indexB, b) in ascending.enumerated() {
                #expect(DecimalBits.compare(a, b) == (indexA - indexB).signum(), "\(a) and \(b)")
            }
        }
        #expect(DecimalBits.compare(DecimalBits("1.00")!, .one) == 0)
        #expect(DecimalBits.compare(DecimalBits("1E33")!, DecimalBits("1000000000000000000000000000000000")!) == 0)
        #expect(DecimalBits.compare(.zero.negated, DecimalBits("0E100")!) == 0)
    }

    // MARK: Conversions

    @Test func integers() {
        for value in [0, 1, -1, 7, .max, .min, .max - 1, .min + 1] as [Int64] {
            #expect(DecimalBits(value).truncated == value && DecimalBits(value).description == String(value))
        }
        #expect(DecimalBits(UInt64.max).description == "18446744073709551615")
        #expect(DecimalBits(UInt64.max).truncated == nil)
        for (text, whole) in [
            ("9223372036854775807.99", .max), ("-9223372036854775808.5", .min), ("-0.999", 0),
            ("0E6000", 0), ("12345E-3", 12), ("1E18", 1_000_000_000_000_000_000),
        ] as [(String, Int64)] {
            #expect(DecimalBits(text)?.truncated == whole, "\(text)")
        }
        for text in ["9223372036854775808", "-9223372036854775809", "1E19", "1E6111", "Inf", "NaN"] {
            #expect(DecimalBits(text)?.truncated == nil, "\(text)")
        }
    }

    @Test func doubles() {
        #expect(DecimalBits("NaN")!.doubleValue.isNaN && DecimalBits("-Inf")!.doubleValue == -.infinity)
        #expect(DecimalBits("-0")!.doubleValue.sign == .minus && DecimalBits("1E6000")!.doubleValue == .infinity)
        #expect(DecimalBits("1E-6000")!.doubleValue == 0 && DecimalBits("3.14159")!.doubleValue == 3.14159)
        #expect(DecimalBits(comparing: Double.infinity) == .infinity)
        #expect(DecimalBits(comparing: -Float.infinity) == DecimalBits.infinity.negated)
        #expect(DecimalBits.compare(DecimalBits(comparing: 0.1), DecimalBits("0.1")!) == 0)
        #expect(DecimalBits.compare(DecimalBits(comparing: Float(0.1)), DecimalBits("0.1")!) == 0)
        #expect(DecimalBits.compare(DecimalBits(rounding: 0.1), DecimalBits("0.1")!) == 1)
        #expect(DecimalBits(rounding: 0.1).description == "+1000000000000000055511151231257827E-34")
        #expect(DecimalBits(rounding: .leastNonzeroMagnitude).description == "+4940656458412465441765687928682214E-357")
        #expect(DecimalBits(comparing: -0.0).hex == DecimalBits.zero.negated.hex)
    }

    @Test func nansKeepTheirPayload() {
        #expect(DecimalBits(comparing: Float(bitPattern: 0x7FC0_0000)) == .nan)
        #expect(DecimalBits(comparing: Double(bitPattern: 0x7FF8_0000_0000_0000)) == .nan)
        let small = DecimalBits(comparing: Double(bitPattern: 0x7FF8_0000_1234_5678))
        #expect(small == DecimalBits(low: 0xC000_0000_0000_0000, high: 0x7C00_0000_0091_A2B3))
        let large = DecimalBits(comparing: Float(bitPattern: 0x7FC1_2345))
        let negative = DecimalBits(comparing: Double(bitPattern: 0xFFF8_0000_0000_0000))
        #expect(negative == DecimalBits.nan.negated)
        let ordered = [.nan, small, large, negative]
        for index in 1..<4 { #expect(DecimalBits.compare(ordered[index - 1], ordered[index]) == -1) }
        // Too large a payload has no canonical form.
        #expect(DecimalBits(comparing: Double(bitPattern: 0x7FFF_FFFF_FFFF_FFFF)) == .nan)
    }

    // MARK: Text

    @Test(arguments: [
        ("11.11111", "11.11111"), ("-1", "-1"), ("1.5E3", "1.5E3"), ("5E-3", "5E-3"), ("1000", "1000"),
        ("0", "0"), ("-0", "-0"), ("0.00", "0E-2"), ("0.05", "5E-2"), ("1.50", "1.50"), ("12.34", "12.34"),
        ("0.0001234", "1.234E-4"), ("1e3", "1E3"), ("+7", "7"), (".5", "5E-1"), ("5.", "5"), ("-Inf", "-Inf"),
        ("infinity", "Inf"), ("+INF", "Inf"), ("nan", "NaN"), ("-NaN", "NaN"), ("1E6111", "1E6111"),
        ("1E6112", "1.0E6112"), ("1E6144", "+1000000000000000000000000000000000E+6111"), ("1E6145", "Inf"),
        ("1E-6176", "1E-6176"), ("1E-6177", "0E-6176"), ("-5E-6177", "-0E-6176"), ("5.1E-6177", "1E-6176"),
        ("15E-6177", "2E-6176"), ("1E99999999999999999999", "Inf"), ("1E-99999999999999999999", "0E-6176"),
        ("0E99999999999999999999", "0E6111"), ("18446744073709551615", "18446744073709551615"),
        ("18446744073709551616", "+18446744073709551616E+0"), ("-1844674407370955161.6", "-18446744073709551616E-1"),
        ("9999999999999999999999999999999999E6111", "+9999999999999999999999999999999999E+6111"),
        ("9999999999999999999999999999999999.5", "+1000000000000000000000000000000000E+1"),
        ("1000000000000000000000000000000000.5", "+1000000000000000000000000000000000E+0"),
        ("1000000000000000000000000000000001.5", "+1000000000000000000000000000000002E+0"),
        ("1000000000000000000000000000000000.50000000000000000000000001", "+1000000000000000000000000000000001E+0"),
    ])
    func text(_ input: String, _ output: String) {
        #expect(DecimalBits(input)?.description == output)
    }

    @Test(arguments: [
        "", " ", "-", "+", ".", "e5", "1e", "1e+", "1.2.3", " 1", "1 ", "0x10", "1,5", "abc", "infinit", "infinityy",
        "nan1", "--1", "+-1", "1e5.0", "é", "1x",
    ])
    func textThatIsNotANumber(_ input: String) {
        #expect(DecimalBits(input) == nil)
    }

    @Test func longText() {
        let zeros = String(repeating: "0", count: 100_000)
        #expect(DecimalBits("0." + zeros + "1E100001")?.description == "1")
        #expect(DecimalBits("1" + zeros + "E-100000")?.description == "+1000000000000000000000000000000000E-33")
        #expect(DecimalBits(zeros + "12")?.description == "12")
    }

    @Test(arguments: [
        (3.14159, "3.14159"), (100.0, "100"), (0.1, "1E-1"), (-2.5, "-2.5"), (0.0, "0"), (1e300, "1E300"),
        (123456.789, "123456.789"), (.leastNonzeroMagnitude, "5E-324"), (-.infinity, "-Inf"), (.nan, "NaN"),
    ])
    func shortestText(_ value: Double, _ text: String) {
        #expect(DecimalBits(shortest: value).description == text)
    }

    @Test func shortestTextOfFloats() {
        #expect(DecimalBits(shortest: Float(0.1)).description == "1E-1")
        #expect(DecimalBits(shortest: Float(16_777_216)).description == "16777216")
    }

    // MARK: Wide integers

    @Test func digitCounts() {
        var power = WideNatural(low: 1)
        for digits in 1...77 {
            #expect(power.digitCount == digits && power.digits == "1" + String(repeating: "0", count: digits - 1))
            let nines = power * 10 - WideNatural(low: 1)
            if digits < 77 { #expect(nines.digitCount == digits && nines.digits.allSatisfy { $0 == "9" }) }
            power = power * 10
        }
        for bits in 0..<256 {
            let number = WideNatural(low: 1).shiftedLeft(by: bits)
            #expect(number.bitWidth == bits + 1 && number.digitCount == number.digits.count, "2^\(bits)")
        }
    }
}
