// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import Testing

@testable import RealmStorage

/// Decimals compared with another implementation's results (decimals.py wrote decimals.txt).
@Suite struct DecimalTableTests {
    static let table: [[String]] = {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("decimals.txt")
        let text = (try? String(contentsOf: path, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    }()

    func rows(_ name: String, atLeast count: Int) -> [[String]] {
        let found = Self.table.filter { $0[0] == name }
        #expect(found.count >= count, "the table lacks \(name)")
        return found
    }

    @Test(arguments: ["add", "sub", "mul", "div"])
    func arithmetic(_ name: String) {
        for row in rows(name, atLeast: 300) {
            let (a, b) = (DecimalBits(hex: row[1]), DecimalBits(hex: row[2]))
            let result =
                switch name {
                case "add": a + b
                case "sub": a - b
                case "mul": a * b
                default: a / b
                }
            #expect(result.hex == row[3], "\(a) \(name) \(b)")
        }
    }

    @Test func comparison() {
        for row in rows("cmp", atLeast: 150) {
            let (a, b) = (DecimalBits(hex: row[1]), DecimalBits(hex: row[2]))
            #expect(DecimalBits.compare(a, b) == Int(row[3]), "\(a) and \(b)")
            #expect(DecimalBits.compare(b, a) == -Int(row[3])!, "\(b) and \(a)")
            #expect((a.normalized == b.normalized) == (row[3] == "0"), "\(a) and \(b)")
        }
    }

    @Test func parsing() {
        for row in rows("parse", atLeast: 250) {
            #expect(DecimalBits(row[1])?.hex == row[2], "\(row[1])")
        }
    }

    @Test func truncation() {
        for row in rows("trunc", atLeast: 150) {
            #expect(DecimalBits(hex: row[1]).truncated == Int64(row[2]), "\(row)")
        }
    }

    @Test func nearestDouble() {
        for row in rows("double", atLeast: 100) {
            #expect(DecimalBits(hex: row[1]).doubleValue.bitPattern == UInt64(row[2], radix: 16), "\(row)")
        }
    }

    @Test func binaryNumbersCompareWithDecimals() {
        for row in rows("fromdouble", atLeast: 150) {
            let value = Double(bitPattern: UInt64(row[1], radix: 16)!)
            #expect(DecimalBits.compare(DecimalBits(comparing: value), DecimalBits(hex: row[2])) == 0, "\(row)")
        }
        for row in rows("fromfloat", atLeast: 80) {
            let value = Float(bitPattern: UInt32(row[1], radix: 16)!)
            #expect(DecimalBits.compare(DecimalBits(comparing: value), DecimalBits(hex: row[2])) == 0, "\(row)")
        }
    }

    @Test func textRoundTrip() {
        for row in rows("add", atLeast: 300) {
            let value = DecimalBits(hex: row[1])
            #expect(DecimalBits(value.description) == value, "\(value)")
        }
    }
}

extension DecimalBits {
    init(hex: String) {
        self.init(low: UInt64(hex.suffix(16), radix: 16)!, high: UInt64(hex.prefix(16), radix: 16)!)
    }

    var hex: String {
        let digits = [high, low].map { String($0, radix: 16) }
        return digits.map { String(repeating: "0", count: 16 - $0.count) + $0 }.joined()
    }
}
