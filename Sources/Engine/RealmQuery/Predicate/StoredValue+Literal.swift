// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Constants in the predicate language.
extension StoredValue {
    package var literal: String {
        switch self {
        case .null: "NULL"
        case .int(let value): value.description
        case .bool(let value): value ? "true" : "false"
        case .float(let value): value.isFinite ? "\(value)f" : "float(\(value))"
        case .double(let value): value.isNaN ? "NaN" : value.description
        case .string(let value): StoredValue.quoted(value)
        case .binary(let bytes): "B64\"\(Base64.encode(bytes))\""
        case .timestamp(let value): "T\(value.seconds):\(value.nanoseconds)"
        case .decimal(let value): "decimal(\(value))"
        case .objectId(let value): "oid(\(StoredValue.hexadecimal(value.bytes)))"
        case .uuid(let value): "uuid(\(StoredValue.dashed(value.bytes)))"
        case .link(let key): "O\(key.rawValue)"
        case .typedLink(let link): "L\(link.table.rawValue):\(link.object.rawValue)"
        case .list: "<list>"
        case .dictionary: "<dictionary>"
        }
    }

    /// Returns the text in quotes, without the escapes in which the two languages differ: text that needs one is
    /// written in base 64.
    static func quoted(_ text: String) -> String {
        let scalars = text.unicodeScalars
        if scalars.contains(where: { $0 == "\\" || $0 < " " }) || scalars.contains("'") && scalars.contains("\"") {
            return "string64('\(Base64.encode(Array(text.utf8)))')"
        }
        return scalars.contains("'") ? "\"\(text)\"" : "'\(text)'"
    }

    static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    private static func dashed(_ bytes: [UInt8]) -> String {
        [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { hexadecimal(bytes[$0]) }.joined(separator: "-")
    }
}

/// Base 64 according to RFC 4648.
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - group.count))
            for digit in 0..<4 {
                let code = Int(bits >> UInt32(18 - 6 * digit)) & 63
                text.append(digit <= group.count ? alphabet[code] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns nil for text of another form.
    static func decode(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        let padding = digits.suffix(2).count { $0 == UInt8(ascii: "=") }
        guard digits.count % 4 == 0 else { return nil }
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        for (index, digit) in digits.enumerated() {
            let isPadding = index >= digits.count - padding
            guard let code = isPadding ? 0 : alphabet.firstIndex(of: digit) else { return nil }
            bits = bits << 6 | UInt32(code)
            if index % 4 == 3 {
                bytes += [
                    UInt8(truncatingIfNeeded: bits >> 16), UInt8(truncatingIfNeeded: bits >> 8),
                    UInt8(truncatingIfNeeded: bits),
                ]
                bits = 0
            }
        }
        return Array(bytes.dropLast(padding))
    }
}
