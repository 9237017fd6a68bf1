// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import TestTraits
import Testing

@testable import RealmSwift

@Suite struct Decimal128Tests: TrapSuite {
    private func decimal(_ text: String) -> Decimal128 { Decimal128(stringLiteral: text) }

    @Test func literals() {
        let (integer, float, text): (Decimal128, Decimal128, Decimal128) = (-12, 3.14159, "0.10")
        #expect(integer.description == "-12" && float.description == "3.14159" && text.description == "1.0E-1")
        #expect(Decimal128().description == "0" && Decimal128() == 0)
        #expect((9_223_372_036_854_775_807 as Decimal128).stringValue == "9223372036854775807")
    }

    @Test(.behaviour("B-113", "B-114", "B-115", "B-120")) func arithmetic() {
        #expect((decimal("9.876543") + decimal("1.234567")).description == "11.11111")
        #expect((decimal("2.5") - decimal("3.5")).description == "-1")
        #expect(
            (decimal("2.5") - decimal("2.5")).description == "0"
                && (decimal("1E3") + decimal("1E3")).description == "2E3")
        #expect((7 as Decimal128) / 3.5 == 2 && decimal("0.21") / decimal("0.7") == 0.3)
        #expect(decimal("0.21") * decimal("0.7") == 0.147)
        var product: Decimal128 = 6
        product *= 7
        product += 0.5
        product -= 1
        #expect(product == 41.5)
        #expect((1 as Decimal128).distance(to: 4) == 3 && (1 as Decimal128).advanced(by: 3) == 4)
        #expect(
            (6 as Decimal128).decimalNumber(byAdding: 2) == 8 && (6 as Decimal128).decimalNumber(bySubtracting: 2) == 4)
        #expect((6 as Decimal128).decimalNumberByMultiplying(by: 2) == 12)
        #expect((6 as Decimal128).decimalNumberByDividing(by: 2) == 3)
        #expect([1.5, 2, 3].reduce(Decimal128.zero, +) == 6.5 && decimal("0.1") + decimal("0.2") == decimal("0.3"))
    }

    @Test func divisionByZero() {
        #expect(((1 as Decimal128) / 0).description == "Inf" && ((-1 as Decimal128) / 0).description == "-Inf")
        #expect(((0 as Decimal128) / 0).isNaN)
    }

    @Test(.behaviour("B-118")) func limits() {
        #expect(Decimal128.min.description == "-9999999999999999999999999999999999E+6111")
        #expect(Decimal128.max.description == "+9999999999999999999999999999999999E+6111")
        #expect(Decimal128.min < Decimal128.max && Decimal128.min.magnitude == Decimal128.max)
        Decimal128.max.negate()
        #expect(Decimal128.max > 0)
    }

    @Test(.behaviour("B-116", "B-117")) func notANumber() throws {
        let garbage = try Decimal128(string: "garbage")
        #expect(garbage.isNaN && garbage.isSignaling && garbage.isSignalingNaN && garbage.description == "NaN")
        #expect(decimal("garbage").isNaN && !(1 as Decimal128).isNaN && !(1 as Decimal128).isSignaling)
        #expect(garbage < Decimal128.min && garbage == decimal("NaN") && garbage.doubleValue.isNaN)
        #expect(try Decimal128(string: "1.50").description == "1.50")
    }

    @Test(.behaviour("B-119")) func signs() {
        let value: Decimal128 = 5
        value.negate()
        #expect(value == -5 && value.magnitude == 5 && value.magnitude !== value)
        #expect(Decimal128(bits: DecimalBits(Int64(-5))) == value && value.bits == DecimalBits(Int64(-5)))
    }

    @Test func equalNumbersAreEqualKeys() {
        #expect(decimal("1") == decimal("1.00") && decimal("-0") == decimal("0E9"))
        #expect(Set([decimal("1"), decimal("1.00"), decimal("10E-1"), decimal("2")]).count == 2)
        #expect([3, 1, 2.5].sorted() as [Decimal128] == [1, 2.5, 3])
    }

    @Test func comparisons() {
        let (one, two): (Decimal128, Decimal128) = (1, 2)
        #expect(one < two && one <= two && two > one && two >= one && one <= 1.0 && one >= 1.0 && one != two)
        #expect(two.isGreaterThan(one) && two.isGreaterThanOrEqual(to: 2.0) && one.isLessThan(two))
        #expect(one.isLessThanOrEqual(to: 1) && !one.isGreaterThan(two) && !one.isLessThan(1))
        #expect(!one.isGreaterThan(nil) && !one.isLessThan(nil))
        #expect(!one.isGreaterThanOrEqual(to: nil) && !one.isLessThanOrEqual(to: nil))
    }

    @Test(.behaviour("B-121")) func exactIntegers() {
        #expect(
            Decimal128(exactly: UInt8(5)) == 5 && Decimal128(exactly: Int64.min)?.description == "-9223372036854775808")
        #expect(Decimal128(exactly: UInt64.max)?.description == "18446744073709551615")
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func exactIntegersOf128Bits() {
        #expect(Decimal128(exactly: LargeInteger.power(34))?.description == "+1000000000000000000000000000000000E+1")
        #expect(
            Decimal128(exactly: LargeInteger.power(34) - 1)?.description == "+9999999999999999999999999999999999E+0")
        #expect(Decimal128(exactly: LargeInteger.power(34) + 1) == nil)
        #expect(Decimal128(exactly: -LargeInteger.power(34) - 1) == nil)
    }

    @Test func anyValues() {
        let values: [(Any, String)] = [
            (5, "5"), (Int8(-5), "-5"), (UInt64.max, "18446744073709551615"), (0.1, "1E-1"), (Float(0.1), "1E-1"),
            (Double(100), "100"), ("1.50", "1.50"), ("NaN", "NaN"), (decimal("1.5"), "1.5"), (true, "1"),
            (Decimal(string: "123.456")!, "123.456"), (Decimal.nan, "NaN"), (NSNumber(value: 7), "7"),
            (NSNumber(value: Float(0.3)), "3E-1"), (NSNumber(value: 0.3), "3E-1"), (NSNumber(value: true), "1"),
            (NSDecimalNumber(string: "0.25"), "2.5E-1"), (Optional(3) as Any, "3"),
        ]
        for (value, text) in values {
            #expect(Decimal128(value: value).description == text, "\(value) of \(type(of: value))")
        }
        #expect(Decimal128(number: NSNumber(value: UInt64.max)).description == "18446744073709551615")
        #expect(Decimal128(number: NSNumber(value: Int64.min)).description == "-9223372036854775808")
        #expect(Decimal128(number: 3.14159).description == "3.14159")
    }

    @Test(arguments: traps) func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap("Cannot convert value '[1]' of type 'Array<Int>' to decimal128") { _ = Decimal128(value: [1]) },
        Trap("Cannot convert value 'ten' of type 'String' to decimal128: ") { _ = Decimal128(value: "ten") },
    ]

    @Test func foundationDecimals() {
        for text in ["0", "1", "-1.5", "123456789012345678901234567890.1234", "1E-128", "-7E127", "5E131"] {
            let value = decimal(text)
            #expect(value.decimalValue == Decimal(string: text == "5E131" ? "50000E127" : text)!, "\(text)")
            #expect(Decimal128(value: value.decimalValue) == value, "\(text)")
        }
        #expect(
            decimal("9999999999999999999999999999999999").decimalValue.description
                == "9999999999999999999999999999999999")
        for text in ["NaN", "Inf", "-Inf", "1E132", "1E-129", "1E6000"] {
            #expect(decimal(text).decimalValue.isNaN, "\(text)")
        }
        #expect(decimal("2.5").doubleValue == 2.5 && decimal("1E400").doubleValue == .infinity)
    }

    @Test func coding() throws {
        let decoded = try JSONDecoder().decode([Decimal128].self, from: Data(#"["1.5", 1.5, 1, -2, 1e3, "x"]"#.utf8))
        #expect(decoded.dropLast().map(\.self) == [1.5, 1.5, 1, -2, 1000] && decoded[5].isNaN)
        let large = try JSONDecoder().decode([Decimal128].self, from: Data("[18446744073709551615]".utf8))
        #expect(large[0].description == "18446744073709551615")
        #expect(String(decoding: try JSONEncoder().encode([decimal("1.50")]), as: UTF8.self) == #"["1.50"]"#)
        for text in ["[true]", "[null]", "[[1]]", "[{}]"] {
            let error = #expect(throws: DecodingError.self) {
                try JSONDecoder().decode([Decimal128].self, from: Data(text.utf8))
            }
            guard case .dataCorrupted(let context)? = error else { continue }
            #expect(context.debugDescription == "Cannot convert value to Decimal128", "\(text)")
        }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([Decimal128].self, from: Data("[true]".utf8)) }
    }

    @Test(.behaviour("T16")) func decimalsAreWrittenAsTheOriginalDoes() throws {
        for text in ["1.23456789E132", "1.2300", "1E3", "5E-3", "1.0E-1"] {
            #expect(try Decimal128(string: text).stringValue == text)
        }
        #expect(try Decimal128(string: "1.234567890E132").stringValue == "1.23456789E132")
    }

    @Test(.behaviour("S22")) func aNullDecimalIsNotANumber() {
        #expect(Decimal128(value: NSNull()).isNaN)
    }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private enum LargeInteger {
    static func power(_ exponent: Int) -> Int128 { (0..<exponent).reduce(1) { power, _ in power * 10 } }
}
