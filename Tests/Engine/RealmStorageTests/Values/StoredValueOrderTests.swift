// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmStorage

@Suite struct StoredValueOrderTests {
    private static func decimal(_ text: String) -> StoredValue { .decimal(DecimalBits(text)!) }

    private static let groups: [[StoredValue]] = [
        [.null],
        [.bool(false)], [.bool(true)],
        [.float(.nan), .double(.nan), .decimal(.nan)],
        [.double(Double(bitPattern: 0x7FF8_0000_1234_5678))],
        [.float(Float(bitPattern: 0x7FC1_2345)), .double(Double(bitPattern: 0x7FF8_2468_A000_0000))],
        [.double(Double(bitPattern: 0xFFF8_0000_0000_0000)), .float(Float(bitPattern: 0xFFC0_0000))],
        [.double(-.infinity), .float(-.infinity), .decimal(DecimalBits.infinity.negated)],
        [.double(-.greatestFiniteMagnitude)],
        [.float(-.greatestFiniteMagnitude)],
        [.int(.min), .double(-0x1p63), .float(-0x1p63)],
        [.int(.min + 1)],
        [.int(-3), .float(-3), .double(-3), decimal("-3.00")],
        [.double(-2.5), .float(-2.5), decimal("-2.5")],
        [.int(-2), decimal("-2")],
        [.int(0), .double(0), .double(-0.0), .float(-0.0), decimal("-0"), decimal("0E5")],
        [.double(.leastNonzeroMagnitude)], [.double(0.5), .float(0.5), decimal("0.5")],
        [.int(5), .float(5), .double(5), decimal("5"), decimal("5.0")],
        [.double(5.5)], [.int(6)],
        [.int(1 << 53), .double(0x1p53)], [.int(1 << 53 + 1)], [.int(1 << 53 + 2), .double(0x1p53 + 2)],
        [.int(.max - 1)], [.int(.max)], [.double(0x1p63), .float(0x1p63)],
        [.float(.greatestFiniteMagnitude)], [.double(.greatestFiniteMagnitude)],
        [.double(.infinity), .float(.infinity), .decimal(.infinity)],
        [.string("")], [.string("A")], [.string("a")], [.string("aa")], [.string("ab")], [.string("e\u{301}")],
        [.string("é")], [.string("\u{FFFF}")], [.string("\u{10000}")],
        [.binary([])], [.binary([0])], [.binary([0, 0])], [.binary([0x7F])], [.binary([0x80])], [.binary([0xFF, 1])],
        [.timestamp(Timestamp(seconds: -1, nanoseconds: -5))], [.timestamp(Timestamp(seconds: -1, nanoseconds: 0))],
        [.timestamp(Timestamp(seconds: 0, nanoseconds: -1))], [.timestamp(Timestamp(seconds: 0, nanoseconds: 0))],
        [.timestamp(Timestamp(seconds: 0, nanoseconds: 1))], [.timestamp(Timestamp(seconds: 1, nanoseconds: 0))],
        [.objectId(ObjectIdBytes(high: 0, low: 1))], [.objectId(ObjectIdBytes(high: 0x80 << 56, low: 0))],
        [.uuid(UUIDBytes(high: 0, low: 1))], [.uuid(UUIDBytes(high: .max, low: 0))],
        [.typedLink(ObjectLink(table: TableKey(1), object: ObjectKey(9)))],
        [.typedLink(ObjectLink(table: TableKey(2), object: ObjectKey(-5)))],
        [.typedLink(ObjectLink(table: TableKey(2), object: ObjectKey(3)))],
        [.link(ObjectKey(-2))], [.link(ObjectKey(0))], [.link(ObjectKey(7))],
        [.list(0, key: 1), .list(8, key: 2)],
        [.dictionary(0, key: 1), .dictionary(16, key: 5)],
    ]

    /// All pairs are ordered, so the order is total and transitive on these values.
    @Test func orderOfAllPairs() {
        for (indexA, groupA) in Self.groups.enumerated() {
            for (indexB, groupB) in Self.groups.enumerated() {
                for a in groupA {
                    for b in groupB {
                        #expect(StoredValue.compare(a, b) == (indexA - indexB).signum(), "\(a) and \(b)")
                    }
                }
            }
        }
    }

    @Test func decimalsEqualRoundedDoubles() {
        let third = StoredValue.double(1.0 / 3)
        #expect(StoredValue.compare(third, Self.decimal("0.333333333333333")) == 0)
        #expect(StoredValue.compare(.float(1.0 / 3), Self.decimal("0.3333333")) == 0)
        #expect(StoredValue.compare(third, Self.decimal("0.33333333333333331")) == -1)
        #expect(StoredValue.compare(.float(0.1), .double(0.1)) == 1)
        #expect(StoredValue.compare(.double(0x1p63), Self.decimal("9223372036854780000")) == 0)
        #expect(StoredValue.compare(.int(.min), Self.decimal("-9223372036854775808")) == 0)
        #expect(StoredValue.compare(.int(.min), Self.decimal("-9223372036854775808.1")) == 1)
    }

    /// Quarters of any size have at most 22 digits, so decimals represent both sides exactly.
    @Test func integersAndDoublesCompareExactly() {
        var random = ValueRandom()
        for _ in 0..<20_000 {
            let a = Int64.random(in: .min ... .max, using: &random) >> Int64.random(in: 0...63, using: &random)
            var b = Double(a) + Double(Int.random(in: -3...3, using: &random)) / 4
            if abs(b) >= 0x1p52, Bool.random(using: &random) { b = Bool.random(using: &random) ? b.nextUp : b.nextDown }
            let expected = DecimalBits.compare(DecimalBits(a), DecimalBits(rounding: b))
            #expect(StoredValue.compare(.int(a), .double(b)) == expected, "\(a) and \(b)")
            #expect(StoredValue.compare(.double(b), .int(a)) == -expected, "\(a) and \(b)")
        }
    }

    @Test func comparability() {
        #expect(
            StoredValue.int(1).isComparable(to: .decimal(.one)) && !StoredValue.int(1).isComparable(to: .bool(true)))
        #expect(StoredValue.float(1).isNumber && !StoredValue.string("1").isNumber && !StoredValue.null.isNumber)
    }

    @Test func equalityComparesBytes() {
        #expect(StoredValue.string("é") != .string("e\u{301}"))
        #expect(StoredValue.string("é") == .string("\u{E9}"))
        #expect(Set<StoredValue>([.string("é"), .string("e\u{301}"), .string("é")]).count == 2)
        #expect(StoredValue.decimal(.one) != .decimal(DecimalBits("1.0")!))
        #expect(StoredValue.int(1) != .bool(true) && StoredValue.null == .null && StoredValue.null.isNull)
        for group in Self.groups {
            for value in group where value == value { #expect(Set([value, value]).count == 1, "\(value)") }
        }
    }

    @Test func bytesCompareLikeThePlainRule() {
        var random = ValueRandom()
        for _ in 0..<5000 {
            let a = (0..<Int.random(in: 0...20, using: &random)).map { _ in
                UInt8.random(in: 0...1, using: &random) &* 255
            }
            let b = Bool.random(using: &random) ? a + [0] : a.map { Bool.random(using: &random) ? $0 : $0 ^ 0x80 }
            let expected = a == b ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1
            #expect(ByteOrder.compare(a, b) == expected, "\(a) and \(b)")
            #expect(ByteOrder.compare(b, a) == -expected, "\(a) and \(b)")
        }
    }
}
