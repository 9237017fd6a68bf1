// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Reads JSON value by value (RFC 8259), so that a document of any size takes the memory of one value.
package struct JSONReader {
    let bytes: ByteSource

    package struct SyntaxError: Error, CustomStringConvertible {
        let line: Int
        let message: String
        package var description: String { "line \(line): \(message)" }
    }

    private static let deepest = 256

    init(bytes: ByteSource) { self.bytes = bytes }

    /// Reads a text that holds one value.
    package init(text: String) { self.init(bytes: ByteSource(bytes: Array(text.utf8))) }

    func error(_ message: String) -> SyntaxError { SyntaxError(line: bytes.line, message: message) }

    /// Passes over white space; returns the byte behind it, which it does not take.
    @discardableResult
    func peek() throws -> UInt8? {
        while let byte = try bytes.peek() {
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
            _ = try bytes.next()
        }
        return nil
    }

    /// Takes this character if it is next.
    func take(_ character: Unicode.Scalar) throws -> Bool {
        guard try peek() == UInt8(ascii: character) else { return false }
        _ = try bytes.next()
        return true
    }

    func require(_ character: Unicode.Scalar) throws {
        guard try take(character) else { throw error("'\(character)' is missing") }
    }

    /// Throws if anything follows but white space.
    package func requireEnd() throws {
        if try peek() != nil { throw error("there is more behind the JSON value") }
    }

    package func value(depth: Int = 0) throws -> ForeignValue {
        guard depth < JSONReader.deepest else { throw error("values nested too deep") }
        guard let byte = try peek() else { throw error("the JSON ends too early") }
        switch byte {
        case UInt8(ascii: "{"): return try object(depth)
        case UInt8(ascii: "["): return try array(depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw error("no JSON value")
        }
    }

    private func array(_ depth: Int) throws -> ForeignValue {
        try require("[")
        var elements: [ForeignValue] = []
        if try take("]") { return .array([]) }
        repeat { elements.append(try value(depth: depth + 1)) } while try take(",")
        try require("]")
        return .array(elements)
    }

    private func object(_ depth: Int) throws -> ForeignValue {
        try require("{")
        var members: [(name: String, value: ForeignValue)] = []
        if try take("}") { return .object([]) }
        repeat {
            try peek()
            let name = try string()
            try require(":")
            members.append((name, try value(depth: depth + 1)))
        } while try take(",")
        try require("}")
        return .object(members)
    }

    private func word(_ word: String, _ value: ForeignValue) throws -> ForeignValue {
        for byte in word.utf8 {
            guard try bytes.next() == byte else { throw error("no JSON value") }
        }
        return value
    }

    // MARK: Texts and numbers

    func string() throws -> String {
        guard try bytes.next() == UInt8(ascii: "\"") else { throw error("a text in quotes is missing") }
        var text: [UInt8] = []
        while let byte = try bytes.next() {
            switch byte {
            case UInt8(ascii: "\""):
                guard let result = String(validating: text, as: UTF8.self) else {
                    throw error("a text that is no valid UTF-8")
                }
                return result
            case UInt8(ascii: "\\"): try escape(&text)
            case 0..<0x20: throw error("a control character in a text")
            default: text.append(byte)
            }
        }
        throw error("a text without an end")
    }

    private func escape(_ text: inout [UInt8]) throws {
        switch try bytes.next() {
        case UInt8(ascii: "\""): text.append(UInt8(ascii: "\""))
        case UInt8(ascii: "\\"): text.append(UInt8(ascii: "\\"))
        case UInt8(ascii: "/"): text.append(UInt8(ascii: "/"))
        case UInt8(ascii: "b"): text.append(8)
        case UInt8(ascii: "f"): text.append(12)
        case UInt8(ascii: "n"): text.append(10)
        case UInt8(ascii: "r"): text.append(13)
        case UInt8(ascii: "t"): text.append(9)
        case UInt8(ascii: "u"):
            var code = try hexadecimal()
            if code >> 10 == 0x36 {
                guard try bytes.next() == UInt8(ascii: "\\"), try bytes.next() == UInt8(ascii: "u") else {
                    throw error("half a character")
                }
                let low = try hexadecimal()
                guard low >> 10 == 0x37 else { throw error("half a character") }
                code = 0x10000 + (code & 0x3FF) << 10 + low & 0x3FF
            }
            guard let scalar = Unicode.Scalar(code) else { throw error("half a character") }
            text += Array(String(Character(scalar)).utf8)
        default: throw error("an escape that JSON does not have")
        }
    }

    private func hexadecimal() throws -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = try bytes.next(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw error("an escape without four hexadecimal digits")
            }
            code = code << 4 | UInt32(digit)
        }
        return code
    }

    private func number() throws -> ForeignValue {
        var text: [UInt8] = []
        if try bytes.peek() == UInt8(ascii: "-") { text.append(try bytes.next() ?? 0) }
        let start = text.count
        try digits(&text)
        if text.count > start + 1, text[start] == UInt8(ascii: "0") { throw error("a number that begins with 0") }
        var isInteger = true
        if try bytes.peek() == UInt8(ascii: ".") {
            isInteger = false
            text.append(try bytes.next() ?? 0)
            try digits(&text)
        }
        if let byte = try bytes.peek(), byte | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            text.append(try bytes.next() ?? 0)
            if let sign = try bytes.peek(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
                text.append(try bytes.next() ?? 0)
            }
            try digits(&text)
        }
        let string = String(decoding: text, as: UTF8.self)
        if isInteger, let number = Int64(string) { return .integer(number) }
        return .number(string)
    }

    private func digits(_ text: inout [UInt8]) throws {
        let start = text.count
        while let byte = try bytes.peek(), 0x30...0x39 ~= byte { text.append(try bytes.next() ?? 0) }
        if text.count == start { throw error("a number without digits") }
    }
}
