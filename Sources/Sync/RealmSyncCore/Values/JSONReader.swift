// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

package struct JSONError: Error, Hashable, CustomStringConvertible {
    package let message: String
    /// Starts at 1.
    package let line: Int
    package let offset: Int
    package var isTooLong = false

    package init(_ message: String, line: Int, offset: Int) {
        self.message = message
        self.line = line
        self.offset = offset
    }

    package var description: String { "bad JSON in line \(line), at byte \(offset): \(message)" }
}

extension JSON {
    /// Parses a document. Throws if it's invalid, is followed by other text, or has more than 200 nested levels.
    package init(parsing bytes: [UInt8]) throws(JSONError) {
        var reader = JSONReader(bytes)
        self = try reader.value()
        try reader.requireEnd()
    }

    package init(parsing text: String) throws(JSONError) { try self.init(parsing: Array(text.utf8)) }
}

/// Reads JSON value by value (RFC 8259) from chunks of bytes. So a document of any size needs the memory of one value.
package struct JSONReader {
    private var bytes: [UInt8]
    private var offset = 0
    /// The offset of the current token. Its bytes are kept when the next chunk is read.
    private var start = 0
    private var passed = 0
    private var depth = 0
    /// The line of the next byte, starting at 1.
    package private(set) var line: Int
    private let more: () throws -> [UInt8]?
    private let longestToken: Int

    /// The maximum nesting depth. The reader is recursive, and the stack is limited.
    private static let deepest = 200

    package init(_ bytes: [UInt8], line: Int = 1) {
        self.bytes = bytes
        self.line = line
        longestToken = .max
        more = { nil }
    }

    /// - Parameters:
    ///   - longestToken: The maximum number of bytes of a string or a number.
    ///   - more: Returns the next bytes; nil at the end.
    package init(line: Int = 1, longestToken: Int = .max, pieces more: @escaping () throws -> [UInt8]?) {
        bytes = []
        self.line = line
        self.longestToken = longestToken
        self.more = more
    }

    package func error(_ message: String) -> JSONError { JSONError(message, line: line, offset: passed + offset) }

    private mutating func next() throws(JSONError) -> UInt8? {
        if offset < bytes.count { return bytes[offset] }
        guard offset - start <= longestToken else {
            var error = error("a text or a number of more than \(longestToken >> 20) MB, more than any value has")
            error.isTooLong = true
            throw error
        }
        guard let piece = try nextPiece() else { return nil }
        bytes.removeSubrange(..<start)
        bytes += piece
        passed += start
        offset -= start
        start = 0
        return bytes[offset]
    }

    private func nextPiece() throws(JSONError) -> [UInt8]? {
        do {
            return try more().flatMap { $0.isEmpty ? nil : $0 }
        } catch {
            throw self.error("\(error)")
        }
    }

    /// Skips white space, and returns the next byte without consuming it.
    @discardableResult
    package mutating func peek() throws(JSONError) -> UInt8? {
        start = offset
        while let byte = try next() {
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
            if byte == 0x0A { line += 1 }
            offset += 1
            start = offset
        }
        return nil
    }

    private mutating func has(_ character: Unicode.Scalar) throws(JSONError) -> Bool {
        guard try next() == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    package mutating func take(_ character: Unicode.Scalar) throws(JSONError) -> Bool {
        try peek()
        return try has(character)
    }

    package mutating func require(_ character: Unicode.Scalar) throws(JSONError) {
        guard try take(character) else { throw error("'\(character)' is missing") }
    }

    /// Throws if anything except white space follows.
    package mutating func requireEnd() throws(JSONError) {
        if try peek() != nil { throw error("more text follows the JSON value") }
    }

    // MARK: Values

    package mutating func value() throws(JSONError) -> JSON {
        switch try peek() {
        case UInt8(ascii: "{"): return try nested { (reader) throws(JSONError) in try reader.object() }
        case UInt8(ascii: "["): return try nested { (reader) throws(JSONError) in try reader.array() }
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case nil: throw error("it ends too early")
        default: return try number()
        }
    }

    private mutating func nested(_ body: (inout JSONReader) throws(JSONError) -> JSON) throws(JSONError) -> JSON {
        guard depth < JSONReader.deepest else { throw error("more than \(JSONReader.deepest) levels") }
        depth += 1
        offset += 1
        let value = try body(&self)
        depth -= 1
        return value
    }

    private mutating func word(_ word: StaticString, _ value: JSON) throws(JSONError) -> JSON {
        for scalar in word.description.unicodeScalars {
            guard try has(scalar) else { throw error("this isn't a value") }
        }
        return value
    }

    private mutating func array() throws(JSONError) -> JSON {
        var elements: [JSON] = []
        if try take("]") { return .array([]) }
        repeat { elements.append(try value()) } while try take(",")
        try require("]")
        return .array(elements)
    }

    private mutating func object() throws(JSONError) -> JSON {
        var members: [JSON.Member] = []
        if try take("}") { return .object([]) }
        repeat {
            let name = try string()
            try require(":")
            members.append(JSON.Member(name, try value()))
        } while try take(",")
        try require("}")
        return .object(members)
    }

    // MARK: Numbers

    private mutating func digits() throws(JSONError) {
        let first = passed + offset
        while let byte = try next(), byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { offset += 1 }
        if passed + offset == first { throw error("this isn't a value") }
    }

    private mutating func number() throws(JSONError) -> JSON {
        _ = try has("-")
        if try !has("0") { try digits() }
        if try has(".") { try digits() }
        var isPower = try has("e")
        if !isPower { isPower = try has("E") }
        if isPower {
            if try !has("+") { _ = try has("-") }
            try digits()
        }
        return .number(String(decoding: bytes[start..<offset], as: UTF8.self))
    }

    // MARK: Strings

    package mutating func string() throws(JSONError) -> String {
        guard try take("\"") else { throw error("a text in quotes is missing") }
        var hasEscapes = false
        while let byte = try next() {
            guard byte >= 0x20 else { throw error("a control character in a text") }
            offset += 1
            if byte == UInt8(ascii: "\"") {
                let content = bytes[start + 1..<offset - 1]
                return try text(hasEscapes ? try unescaped(content) : content)
            }
            if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                if try next() != nil { offset += 1 }
            }
        }
        throw error("a text does not end")
    }

    private func text(_ content: ArraySlice<UInt8>) throws(JSONError) -> String {
        let text = String(decoding: content, as: UTF8.self)
        // Decoding replaces invalid UTF-8, which changes the string.
        guard text.utf8.count == content.count, content.allSatisfy({ $0 < 0x80 }) || text.utf8.elementsEqual(content)
        else { throw error("a text that is not UTF-8") }
        return text
    }

    private func unescaped(_ content: ArraySlice<UInt8>) throws(JSONError) -> ArraySlice<UInt8> {
        var rest = content
        var result: ArraySlice<UInt8> = []
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\") { try escape(&rest, &result) } else { result.append(byte) }
        }
        return result
    }

    private func escape(
        _ rest: inout ArraySlice<UInt8>, _ result: inout ArraySlice<UInt8>
    ) throws(JSONError) {
        switch rest.popFirst() {
        case UInt8(ascii: "\""): result.append(UInt8(ascii: "\""))
        case UInt8(ascii: "\\"): result.append(UInt8(ascii: "\\"))
        case UInt8(ascii: "/"): result.append(UInt8(ascii: "/"))
        case UInt8(ascii: "b"): result.append(0x08)
        case UInt8(ascii: "f"): result.append(0x0C)
        case UInt8(ascii: "n"): result.append(0x0A)
        case UInt8(ascii: "r"): result.append(0x0D)
        case UInt8(ascii: "t"): result.append(0x09)
        case UInt8(ascii: "u"): result += String(Character(try scalar(&rest))).utf8
        default: throw error("an escape that JSON does not have")
        }
    }

    /// Parses four digits, or two surrogates of four digits each.
    private func scalar(_ rest: inout ArraySlice<UInt8>) throws(JSONError) -> Unicode.Scalar {
        let first = try unit(&rest)
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, rest.popFirst() == UInt8(ascii: "\\"), rest.popFirst() == UInt8(ascii: "u") else {
            throw error("half a pair of surrogates")
        }
        let second = try unit(&rest)
        guard second >= 0xDC00, second < 0xE000,
            let scalar = Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
        else { throw error("half a pair of surrogates") }
        return scalar
    }

    private func unit(_ rest: inout ArraySlice<UInt8>) throws(JSONError) -> UInt16 {
        guard rest.count >= 4, let pair = Hexadecimal.bytes(String(decoding: rest.prefix(4), as: UTF8.self)),
            pair.count == 2
        else { throw error("an escape without four digits") }
        rest.removeFirst(4)
        return UInt16(pair[0]) << 8 | UInt16(pair[1])
    }
}
