// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Text that is no JSON.
package struct JSONError: Error, Hashable, CustomStringConvertible {
    package let message: String
    package let offset: Int

    package var description: String { "bad JSON at byte \(offset): \(message)" }
}

extension JSON {
    /// Reads a document. Throws if it is not one, has anything behind it, or has more than 200 levels inside each
    /// other.
    package init(parsing bytes: [UInt8]) throws(JSONError) {
        var parser = JSONParser(bytes)
        self = try parser.document()
    }

    package init(parsing text: String) throws(JSONError) { try self.init(parsing: Array(text.utf8)) }
}

private struct JSONParser {
    private let bytes: [UInt8]
    private var offset = 0
    private var depth = 0
    /// The parser calls itself for each level, and the stack has an end.
    private static let deepest = 200

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func document() throws(JSONError) -> JSON {
        let value = try value()
        skipSpace()
        guard offset == bytes.count else { throw error("something follows the document") }
        return value
    }

    private func error(_ message: String) -> JSONError { JSONError(message: message, offset: offset) }

    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { offset += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    private mutating func expect(_ character: Unicode.Scalar) throws(JSONError) {
        guard take(character) else { throw error("'\(character)' is missing") }
    }

    private mutating func value() throws(JSONError) -> JSON {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return try nested { (parser) throws(JSONError) in try parser.object() }
        case UInt8(ascii: "["): return try nested { (parser) throws(JSONError) in try parser.array() }
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case nil: throw error("it ends too early")
        default: return try number()
        }
    }

    private mutating func nested(_ body: (inout JSONParser) throws(JSONError) -> JSON) throws(JSONError) -> JSON {
        guard depth < JSONParser.deepest else { throw error("more than \(JSONParser.deepest) levels") }
        depth += 1
        offset += 1
        let value = try body(&self)
        depth -= 1
        return value
    }

    private mutating func word(_ word: StaticString, _ value: JSON) throws(JSONError) -> JSON {
        let text = word.description.utf8
        guard bytes.count - offset >= text.count, bytes[offset..<offset + text.count].elementsEqual(text) else {
            throw error("this is no value")
        }
        offset += text.count
        return value
    }

    private mutating func array() throws(JSONError) -> JSON {
        var elements: [JSON] = []
        skipSpace()
        if take("]") { return .array([]) }
        repeat {
            elements.append(try value())
            skipSpace()
        } while take(",")
        try expect("]")
        return .array(elements)
    }

    private mutating func object() throws(JSONError) -> JSON {
        var members: [JSON.Member] = []
        skipSpace()
        if take("}") { return .object([]) }
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw error("the name of a member is missing") }
            let name = try string()
            skipSpace()
            try expect(":")
            members.append(JSON.Member(name, try value()))
            skipSpace()
        } while take(",")
        try expect("}")
        return .object(members)
    }

    // MARK: Numbers

    private mutating func digits() throws(JSONError) {
        let start = offset
        while let byte = next, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { offset += 1 }
        if offset == start { throw error("this is no value") }
    }

    private mutating func number() throws(JSONError) -> JSON {
        let start = offset
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") { try digits() }
        if take("e") || take("E") {
            _ = take("+") || take("-")
            try digits()
        }
        return .number(String(decoding: bytes[start..<offset], as: UTF8.self))
    }

    // MARK: Strings

    private mutating func string() throws(JSONError) -> String {
        offset += 1
        let start = offset
        while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { offset += 1 }
        if take("\"") { return try text(bytes[start..<offset - 1]) }
        var content = Array(bytes[start..<offset])
        while let byte = next, byte >= 0x20 {
            offset += 1
            switch byte {
            case UInt8(ascii: "\""): return try text(content[...])
            case UInt8(ascii: "\\"): try escape(into: &content)
            default: content.append(byte)
            }
        }
        throw error("a string does not end")
    }

    private func text(_ content: ArraySlice<UInt8>) throws(JSONError) -> String {
        let text = String(decoding: content, as: UTF8.self)
        // Decoding repairs what is no UTF-8, which changes it.
        guard text.utf8.count == content.count, content.allSatisfy({ $0 < 0x80 }) || text.utf8.elementsEqual(content)
        else { throw error("a string is not UTF-8") }
        return text
    }

    private mutating func escape(into content: inout [UInt8]) throws(JSONError) {
        guard let byte = next else { throw error("a string does not end") }
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "u"): content.append(contentsOf: String(Character(try scalar())).utf8)
        default: throw error("an unknown escape")
        }
    }

    /// Four digits, or two surrogates of four digits each.
    private mutating func scalar() throws(JSONError) -> Unicode.Scalar {
        let first = try unit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, take("\\"), take("u") else { throw error("half a pair of surrogates") }
        let second = try unit()
        guard second >= 0xDC00, second < 0xE000,
            let scalar = Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
        else { throw error("half a pair of surrogates") }
        return scalar
    }

    private mutating func unit() throws(JSONError) -> UInt16 {
        guard bytes.count - offset >= 4,
            let pair = Hexadecimal.bytes(String(decoding: bytes[offset..<offset + 4], as: UTF8.self)), pair.count == 2
        else { throw error("an escape without four digits") }
        offset += 4
        return UInt16(pair[0]) << 8 | UInt16(pair[1])
    }
}
