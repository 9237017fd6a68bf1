// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmCrypto
import RealmValues
import Testing

@testable import RealmTools

@Suite struct OutputTests {
    @Test func jsonStringsKeepTheirText() throws {
        let text = String(String.UnicodeScalarView((0..<0x180).compactMap(Unicode.Scalar.init))) + "日本 🐕 \u{2028}"
        var json = JSONText()
        json.string(text)
        let back = try JSONSerialization.jsonObject(with: Data(json.bytes), options: .fragmentsAllowed)
        #expect(back as? String == text)
        #expect(!json.bytes.contains { $0 < 0x20 || $0 == 0x7F })
    }

    @Test func longArraysBecomeTheirHash() throws {
        var json = JSONText()
        var array = try JSONArrayText(count: 20_001)
        for number in 0..<20_001 { array.element { $0.integer(number) } }
        array.finish(into: &json)
        let text = Array(("[" + (0..<20_001).map(String.init).joined(separator: ",") + "]").utf8)
        var expected = JSONText()
        expected.raw("{\"count\":20001,\"sha256\":")
        expected.hex(try SHA256.hash(text))
        expected.raw("}")
        #expect(json.bytes == expected.bytes)
    }

    @Test func longTextAndDataBecomeTheirHash() throws {
        let bytes = [UInt8](repeating: 0x61, count: 16_385)
        var text = JSONText()
        try text.text(bytes)
        #expect(String(decoding: text.bytes, as: UTF8.self).hasPrefix("{\"len\":16385,\"sha256\":\""))
        text.clear()
        try text.data(Array(bytes.dropLast()))
        #expect(text.bytes.count == 2 * 16_384 + 2)
    }

    @Test func textThatIsNotUTF8IsShownAsBytes() throws {
        var json = JSONText()
        try json.text([0x61, 0xFF])
        #expect(json.bytes == Array("{\"bytes\":\"61ff\"}".utf8))
    }

    @Test func numbersAndNamesForPeople() {
        #expect([0, 999, 1000, -1000, 1_234_567].map(\.grouped) == ["0", "999", "1,000", "-1,000", "1,234,567"])
        #expect(1.counted("block") == "1 block")
        #expect(2000.counted("block") == "2,000 blocks")
        #expect("a\nb\u{7}\u{202E}é".printable == "a\\u{a}b\\u{7}\\u{202e}é")
        var table = TextTable([.left, .right, .left])
        table.add(["a", "1", ""])
        table.add(["bcd", "100", "x"])
        #expect(table.lines == ["a      1", "bcd  100  x"])
    }

    @Test func budgetEnds() throws {
        let budget = ReadBudget(byteCount: 0)
        try budget.spend(1 << 20)
        #expect(throws: (any Error).self) { try budget.spend() }
    }
}
