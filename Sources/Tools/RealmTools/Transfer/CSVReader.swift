// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// Parses comma-separated values strictly as in RFC 4180, except that lines may end without a carriage return. Reads a
/// row at a time, so a file of any size needs the memory of one row.
struct CSVReader {
    private let bytes: ByteSource

    /// A quoted field is a text even if it's empty.
    struct Field {
        let text: String
        let isQuoted: Bool
    }

    init(_ bytes: ByteSource) throws {
        try bytes.skipMark()
        self.bytes = bytes
    }

    var line: Int { bytes.line }

    /// Returns the next row; nil at the end. An empty line is a row of one empty field.
    func next() throws -> [Field]? {
        guard try bytes.peek() != nil else { return nil }
        let place = "line \(bytes.line)"
        var row: [Field] = []
        while true {
            let (field, isLast) = try field(place)
            row.append(field)
            if isLast { return row }
            guard row.count <= FileFormat.leafIndexCount else {
                throw TransferError("\(place): more fields than a class can have properties")
            }
        }
    }

    private func field(_ place: String) throws -> (Field, isLast: Bool) {
        var text: [UInt8] = []
        let isQuoted = try bytes.peek() == UInt8(ascii: "\"")
        if isQuoted { try quoted(&text, place) }
        while let byte = try bytes.next() {
            switch byte {
            case UInt8(ascii: ","): return (try made(text, isQuoted, place), false)
            case UInt8(ascii: "\n"): return (try made(text, isQuoted, place), true)
            case UInt8(ascii: "\r"):
                guard try bytes.peek() == UInt8(ascii: "\n") else { throw try bad(place, "a lone carriage return") }
                _ = try bytes.next()
                return (try made(text, isQuoted, place), true)
            case UInt8(ascii: "\""): throw try bad(place, "a quote within a field that does not begin with one")
            case _ where isQuoted: throw try bad(place, "text behind a closing quote")
            default: try append(byte, to: &text, place)
            }
        }
        return (try made(text, isQuoted, place), true)
    }

    private func quoted(_ text: inout [UInt8], _ place: String) throws {
        _ = try bytes.next()
        while let byte = try bytes.next() {
            if byte == UInt8(ascii: "\"") {
                guard try bytes.peek() == UInt8(ascii: "\"") else { return }
                _ = try bytes.next()
            }
            try append(byte, to: &text, place)
        }
        throw TransferError("\(place): a quote that is never closed")
    }

    /// Limits the length, so that a file without line ends isn't read into memory as a whole.
    private func append(_ byte: UInt8, to text: inout [UInt8], _ place: String) throws {
        if text.count >= CSVReader.longestText {
            let isJSON = text[0] == UInt8(ascii: "[") || text[0] == UInt8(ascii: "{")
            guard isJSON, text.count < CSVReader.longestJSON else {
                throw TransferError("\(place): a field of more than \(text.count >> 20) MB, more than any value has")
            }
        }
        text.append(byte)
    }

    /// Data has two digits for each byte.
    private static let longestText = 2 * FileFormat.maximumBinaryByteCount
    private static let longestJSON = 256 << 20

    private func made(_ text: [UInt8], _ isQuoted: Bool, _ place: String) throws -> Field {
        guard let text = String(validatedUTF8: text) else {
            throw BadRow(place: place, message: "text that isn't valid UTF-8")
        }
        return Field(text: text, isQuoted: isQuoted)
    }

    /// Skips the rest of the line, so that the next row can be read.
    private func bad(_ place: String, _ message: String) throws -> BadRow {
        try bytes.skipLine()
        return BadRow(place: place, message: message)
    }
}
