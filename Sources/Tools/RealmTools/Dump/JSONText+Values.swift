// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmCrypto
import RealmStorage
import RealmSystem

/// Single values in the dump format.
extension JSONText {
    static let bytesInFull = 16_384

    mutating func text(_ utf8: [UInt8]) throws {
        if utf8.count > JSONText.bytesInFull { return try digest(utf8) }
        if String(validatedUTF8: utf8) != nil { return string(utf8: utf8) }
        object {
            $0.member("bytes")
            $0.hex(utf8)
        }
    }

    mutating func data(_ data: [UInt8]) throws {
        if data.count > JSONText.bytesInFull { try digest(data) } else { hex(data) }
    }

    private mutating func digest(_ data: [UInt8]) throws {
        try object {
            $0.member("len", data.count)
            $0.member("sha256")
            $0.hex(try SHA256.hash(data))
        }
    }

    mutating func date(_ date: Timestamp) {
        array([date.seconds, Int64(date.nanoseconds)]) { $0.integer($1) }
    }

    mutating func float(_ value: Float) {
        bitsAndText(value.bitPattern) { $0.decimalText(Double(value), "%.9g", isNegative: value.sign == .minus) }
    }

    mutating func double(_ value: Double) {
        bitsAndText(value.bitPattern) { $0.decimalText(value, "%.17g", isNegative: value.sign == .minus) }
    }

    mutating func decimal(_ value: DecimalBits) {
        raw("[")
        string(value.description)
        raw(",")
        hex(value.low)
        raw(",")
        hex(value.high)
        raw("]")
    }

    mutating func uuid(_ value: UUIDBytes) {
        string(Hexadecimal.uuid(value.bytes))
    }

    mutating func link(_ key: ObjectKey) {
        guard key.rawValue < 0 else { return integer(key.rawValue) }
        object { $0.member("unresolved", key.rawValue) }
    }

    private mutating func bitsAndText(_ bits: some FixedWidthInteger, _ text: (inout JSONText) -> Void) {
        raw("[")
        hex(bits)
        raw(",")
        text(&self)
        raw("]")
    }

    private mutating func decimalText(_ value: Double, _ format: String, isNegative: Bool) {
        string(value.isNaN ? (isNegative ? "-nan" : "nan") : String(format: format, value))
    }
}
