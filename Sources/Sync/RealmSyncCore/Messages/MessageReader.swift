// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Reads the header of a message, then its body (§2.2).
struct MessageReader {
    let name: Substring
    private var fields: ArraySlice<Substring>
    private var body: ArraySlice<UInt8>

    /// The maximum length of a header, so that a longer line is rejected early. Valid headers are much shorter.
    private static let longestHeader = 512

    init(_ message: [UInt8]) throws(WireError) {
        guard let end = message.prefix(Self.longestHeader).firstIndex(of: 0x0A) else {
            throw WireError(.badSyntax, "a message has no header")
        }
        let line = message[..<end]
        guard line.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { throw WireError(.badSyntax, "a header is not ASCII") }
        let words = String(decoding: line, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
        name = words[0]
        fields = words.dropFirst()
        body = message[(end + 1)...]
    }

    // MARK: Fields

    mutating func field() throws(WireError) -> Substring {
        guard let field = fields.popFirst() else { throw WireError(.badSyntax, "a header of '\(name)' is too short") }
        return field
    }

    mutating func prepend(_ three: (Substring, Substring, Substring)) {
        fields = [three.0, three.1, three.2] + fields
    }

    /// Reads an unsigned number of up to 63 bits.
    mutating func number() throws(WireError) -> UInt64 {
        guard let number = MessageReader.number(try field()) else {
            throw WireError(.badSyntax, "a field of '\(name)' is not a number")
        }
        return number
    }

    static func number(_ text: some StringProtocol) -> UInt64? {
        guard text.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }), let number = Int64(text)
        else {
            return nil
        }
        return UInt64(number)
    }

    mutating func bool() throws(WireError) -> Bool {
        switch try field() {
        case "0": return false
        case "1": return true
        default: throw WireError(.badSyntax, "a field of '\(name)' is neither 0 nor 1")
        }
    }

    mutating func decimal() throws(WireError) -> Double {
        guard let number = Double(try field()), number.isFinite else {
            throw WireError(.badSyntax, "a field of '\(name)' is not a number")
        }
        return number
    }

    mutating func size() throws(WireError) -> Int { Int(try number()) }

    // MARK: Body

    mutating func bytes(_ count: Int) throws(WireError) -> ArraySlice<UInt8> {
        guard count <= body.count else { throw WireError(.badSyntax, "a body of '\(name)' is too short") }
        defer { body = body.dropFirst(count) }
        return body.prefix(count)
    }

    mutating func text(_ count: Int) throws(WireError) -> String {
        let bytes = try bytes(count)
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.utf8.elementsEqual(bytes) else { throw WireError(.badSyntax, "a text of '\(name)' is not UTF-8") }
        return text
    }

    /// Reads a text that a client sends outside changesets.
    mutating func shortText(_ count: Int, limit: Int = Wire.maxText) throws(WireError) -> String {
        try text(try shortSize(count, limit: limit))
    }

    func shortSize(_ count: Int, limit: Int = Wire.maxText) throws(WireError) -> Int {
        guard count <= limit else {
            throw WireError(.limitsExceeded, "a text of '\(name)' has \(count) bytes, more than \(limit)")
        }
        return count
    }

    mutating func json(_ count: Int) throws(WireError) -> JSON {
        do {
            return try JSON(parsing: Array(try bytes(count)))
        } catch let error as JSONError {
            throw WireError(.badSyntax, "the body of '\(name)' is \(error)")
        } catch {
            throw WireError(.badSyntax, "the body of '\(name)' is too short")
        }
    }

    /// Reads a body that may be compressed: the flag, its size, and its compressed size.
    mutating func compressible(limit: Int) throws(WireError) -> ArraySlice<UInt8> {
        let isCompressed = try bool()
        let size = try size()
        let compressedSize = try self.size()
        guard size <= limit else { throw WireError(.limitsExceeded, "a body of \(size) bytes exceeds \(limit)") }
        guard isCompressed else { return try bytes(size) }
        let stream = try bytes(compressedSize)
        do {
            return try Zlib.load().inflated(stream, count: size)[...]
        } catch {
            throw WireError(.decompressionFailed, "\(error)")
        }
    }

    func finish() throws(WireError) {
        guard fields.isEmpty else { throw WireError(.badSyntax, "a header of '\(name)' is too long") }
        guard body.isEmpty else { throw WireError(.badSyntax, "bytes follow the body of '\(name)'") }
    }

    static func entryNumber(_ body: inout ArraySlice<UInt8>) throws(WireError) -> UInt64 {
        guard let end = body.prefix(20).firstIndex(of: 0x20),
            let number = number(String(decoding: body[..<end], as: UTF8.self)), end > body.startIndex
        else { throw WireError(.badChangesetHeader, "a changeset has a bad header") }
        body = body[(end + 1)...]
        return number
    }

    static func changeset(_ body: inout ArraySlice<UInt8>) throws(WireError) -> [UInt8] {
        let size = try entryNumber(&body)
        guard size <= body.count else { throw WireError(.badChangesetSize, "a changeset is longer than its message") }
        defer { body = body.dropFirst(Int(size)) }
        return Array(body.prefix(Int(size)))
    }
}
