// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import Testing

@testable import RealmCheck

/// Helpers of the audit: decimals, tokens, change logs, chunks.
@Suite struct CheckPartsTests {
    private func decimal(_ coefficient: UInt64, _ exponent: Int, negative: Bool = false) -> DecimalNumber {
        let high = UInt64(exponent + 6176) << 49 | (negative ? 1 << 63 : 0)
        return DecimalNumber(DecimalBits(low: coefficient, high: high))
    }

    @Test func decimalsCompareByValue() {
        let ascending = [
            DecimalNumber(NullPattern.decimal), DecimalNumber(DecimalBits(low: 0, high: 0xF800_0000_0000_0000)),
            decimal(9, 6000, negative: true), decimal(15, -1, negative: true), decimal(1, -6000, negative: true),
            decimal(0, 5), decimal(1, -6176), decimal(14999, -4), decimal(15, -1), decimal(151, -2), decimal(2, 0),
            decimal(19, 0), decimal(2, 1), decimal(1, 6000), DecimalNumber(DecimalBits(low: 0, high: 0x78 << 56)),
        ]
        for (i, a) in ascending.enumerated() {
            for (j, b) in ascending.enumerated() { #expect(DecimalNumber.compare(a, b) == order(i, j)) }
        }
        #expect(DecimalNumber.compare(decimal(150, -2), decimal(15, -1)) == 0)
        #expect(DecimalNumber.compare(decimal(0, 3, negative: true), decimal(0, -7)) == 0)
    }

    @Test func doublesRoundToFifteenDigits() {
        let cases: [(Double, Int, [UInt8], Int)] = [
            (0.5, 15, [5], -1), (0.1, 15, [1], -1), (2.5e15, 15, [2, 5], 14),
            (0x1p-1074, 15, [4, 9, 4, 0, 6, 5, 6, 4, 5, 8, 4, 1, 2, 4, 7], -338), (1e300, 15, [1], 300),
            (Double(Float(0.1)), 7, [1], -1),
        ]
        for (value, precision, digits, exponent) in cases {
            let expected = digits.reduce(UInt64(0)) { $0 * 10 + UInt64($1) }
            let number = DecimalNumber(value, precision: precision)
            #expect(DecimalNumber.compare(number, decimal(expected, exponent)) == 0, "\(value)")
        }
        // 9007199254740992 rounds to 9.00719925474099e15, below the integer.
        let rounded = DecimalNumber(0x1p53, precision: 15)
        #expect(DecimalNumber.compare(rounded, DecimalNumber(9_007_199_254_740_990)) == 0)
    }

    @Test func decimalsTruncateToIntegers() {
        #expect(decimal(19, -1, negative: true).truncated == -1)
        #expect(decimal(UInt64(Int64.max), 0).truncated == .max)
        #expect(decimal(UInt64(Int64.max) + 1, 0).truncated == nil)
        #expect(decimal(UInt64(Int64.max) + 1, 0, negative: true).truncated == .min)
        #expect(decimal(1, 19).truncated == nil)
        #expect(decimal(5, -3).truncated == 0)
        #expect(decimal(5, 2).truncated == 500)
    }

    @Test func integersCompareWithDoublesExactly() {
        let audit = Audit(CheckedBytes(UnsafeRawBufferPointer(start: nil, count: 0)), .init())
        func order(_ a: Int64, _ b: Double) -> Int { audit.compareMixed(.int(a), .double(b.bitPattern)) }
        #expect(order(9_007_199_254_740_993, 9_007_199_254_740_992) == 1)
        #expect(order(5, 5) == 0)
        #expect(order(-5, -5.5) == 1)
        #expect(order(5, 5.5) == -1)
        #expect(order(.max, 0x1p63) == -1)
        #expect(order(.min, -0x1p63) == 0)
        #expect(order(.min, -.infinity) == 1)
        #expect(order(.min, .nan) == 1)
    }

    @Test func textsFallIntoTokens() {
        func tokens(_ text: String) -> Set<String> {
            Set(Tokenizer.tokens(of: Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) })
        }
        #expect(tokens("Hello, wörld! a_b") == ["hello", "world", "a", "b"])
        #expect(tokens("ÀÉÎÕÜÝ ßÅæØÞÐ") == ["aeiouy", "ßåæøþð"])
        #expect(tokens("2×3 × 日本語x") == ["23", "", "x"])
        #expect(tokens(String(repeating: "a", count: 70)) == [String(repeating: "a", count: 64)])
        #expect(tokens(String(repeating: "a", count: 63) + "åb") == [String(repeating: "a", count: 63) + "b"])
        #expect(tokens("").isEmpty)
    }

    @Test func changeLogsDecode() throws {
        func decode(_ bytes: [UInt8]) throws {
            var decoder = ChangesetDecoder(bytes)
            try decoder.decode()
        }
        // The two examples of container 7.5; the second needs a table selected.
        try decode([
            0x0A, 0, 0, 0x0D, 0x81, 0x80, 8, 2, 0x1E, 0x83, 0x80, 0x80, 0xC0, 0, 2, 0x1F, 0, 0x1F, 1, 0x21, 0, 1, 0x23,
            0,
        ])
        try decode([0x0A, 0, 0, 0x2D, 0x85, 0x80, 0x98, 0x20, 0, 1, 0x49, 0x1F, 0])
        try decode([])
        let bad: [[UInt8]] = [
            [99], [0x0A], [0x0A, 1, 0], [0x0B, 0], [0x0A, 0, 0, 0x1F, 0], [0x0A, 0, 0x40],
            [0x0A, 0, 0, 0x0B] + Array(repeating: 0x80, count: 10) + [0], [0x0A, 0, 0, 0x0B, 0x80],
            [0x0A, 0, 0, 0x1E, 0, 0, 0x1F, 0x40],
        ]
        for bytes in bad { #expect(throws: ChangesetDecoder.Malformed.self, "\(bytes)") { try decode(bytes) } }
    }

    @Test func indexDataFallsIntoChunks() {
        let audit = Audit(CheckedBytes(UnsafeRawBufferPointer(start: nil, count: 0)), .init())
        func chunks(_ datum: Audit.Datum, _ n: Int) -> [UInt32] {
            (0..<n).map { UInt32(bitPattern: AuditedIndexData(datum).chunk(at: 4 * $0, audit)) }
        }
        // Content 9.2 and 14.5.
        #expect(chunks(.int(7), 4) == [0x0700_0000, 0, 0x5800_0000, 0])
        #expect(chunks(.int(-1), 3) == [.max, .max, 0x5800_0000])
        #expect(chunks(.null, 3) == [0, 0, 0])
        #expect(chunks(.double(3.75.bitPattern), 2) == [0, 0x0000_0E40])
        #expect(chunks(.float(Float(2.75).bitPattern), 1) == [0x0000_3040])
        #expect(chunks(.float(Float(3).bitPattern), 1) == [0x0300_0000])
        #expect(chunks(.list, 3) == [0x5F5F_4C69, 0x7374_5F5F, 0x5800_0000])
        #expect(chunks(.dictionary, 4) == [0x5F5F_4469, 0x6374_696F, 0x6E61_7279, 0x5F5F_5800])
        #expect(chunks(.timestamp(seconds: 0, nanoseconds: 0), 4) == [0, 0, 0, 0x5800_0000])
        #expect(chunks(.typedLink(table: 2, object: 3), 4) == [0x0200_0000, 0x0300_0000, 0, 0x5800_0000])
        #expect(AuditedIndexData(.typedLink(table: 2, object: -3)).isNone)
        #expect(AuditedIndexData.chunk(of: Array("abcd".utf8), at: 4) == 0x5800_0000)
        #expect(AuditedIndexData.chunk(of: Array("abcd".utf8), at: 8) == 0)
    }
}
