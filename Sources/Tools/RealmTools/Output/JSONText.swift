// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// JSON without spaces, in the spelling of the dump format. Text is unchanged except for quotes, backslashes, control
/// characters and DEL.
package struct JSONText {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

    package mutating func raw(_ text: JSONText) { bytes.append(contentsOf: text.bytes) }

    mutating func clear() { bytes.removeAll(keepingCapacity: true) }

    // MARK: Values

    package mutating func null() { raw("null") }

    package mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }

    package mutating func integer(_ value: some BinaryInteger) { raw(String(value)) }

    package mutating func integer(_ value: (some BinaryInteger)?) {
        if let value { integer(value) } else { null() }
    }

    package mutating func string(_ value: String?) {
        if let value { string(utf8: value.utf8) } else { null() }
    }

    /// - Precondition: The bytes are valid UTF-8.
    mutating func string(utf8 text: some Sequence<UInt8>) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text {
            if byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte != 0x7F {
                bytes.append(byte)
            } else {
                escape(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends a string of two hexadecimal digits per byte.
    mutating func hex(_ data: some Sequence<UInt8>) {
        bytes.append(UInt8(ascii: "\""))
        for byte in data {
            bytes.append(JSONText.digits[Int(byte >> 4)])
            bytes.append(JSONText.digits[Int(byte & 15)])
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends a string of the hexadecimal digits of a number, including leading zeros.
    mutating func hex<Number: FixedWidthInteger>(_ number: Number) {
        hex((0..<MemoryLayout<Number>.size).reversed().map { UInt8(truncatingIfNeeded: number >> Number(8 * $0)) })
    }

    // MARK: Structure

    package static func object(_ body: (inout JSONText) throws -> Void) rethrows -> JSONText {
        var json = JSONText()
        try json.object(body)
        return json
    }

    package mutating func object(_ body: (inout JSONText) throws -> Void) rethrows {
        bytes.append(UInt8(ascii: "{"))
        try body(&self)
        bytes.append(UInt8(ascii: "}"))
    }

    /// Appends `"name":`, preceded by a comma unless it's the first member.
    package mutating func member(_ name: String) {
        if let last = bytes.last, last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
        string(utf8: name.utf8)
        bytes.append(UInt8(ascii: ":"))
    }

    package mutating func member(_ name: String, _ value: String?) {
        member(name)
        string(value)
    }

    package mutating func member(_ name: String, _ value: (some BinaryInteger)?) {
        member(name)
        integer(value)
    }

    package mutating func member(_ name: String, _ value: Bool) {
        member(name)
        bool(value)
    }

    package mutating func member(_ name: String, _ value: JSONText) {
        member(name)
        raw(value)
    }

    package mutating func member<Element>(
        _ name: String, _ elements: some Sequence<Element>, _ body: (inout JSONText, Element) throws -> Void
    ) rethrows {
        member(name)
        try array(elements, body)
    }

    package mutating func array<Element>(
        _ elements: some Sequence<Element>, _ body: (inout JSONText, Element) throws -> Void
    ) rethrows {
        var isFirst = true
        bytes.append(UInt8(ascii: "["))
        for element in elements {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            try body(&self, element)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    // MARK: Spelling

    private static let digits = Array("0123456789abcdef".utf8)

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): raw("\\\"")
        case UInt8(ascii: "\\"): raw("\\\\")
        case 8: raw("\\b")
        case 9: raw("\\t")
        case 10: raw("\\n")
        case 12: raw("\\f")
        case 13: raw("\\r")
        default:
            raw("\\u00")
            bytes.append(JSONText.digits[Int(byte >> 4)])
            bytes.append(JSONText.digits[Int(byte & 15)])
        }
    }
}
