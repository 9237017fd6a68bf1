// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Reads streams of LZFSE, with which builds of the original for Apple's platforms compress what a file has still to
/// upload (§4.6). Nothing here writes them.
///
/// A stream is a sequence of blocks, each with four bytes that say what it is; matches reach back into earlier ones.
enum LZFSE {
    /// What is wrong with a stream.
    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }

    /// Far more than a transaction can have. A few bytes can stand for many.
    static let mostBytes = 1 << 28

    /// The bytes that a stream stands for, of which there are `count`, and how many bytes of `stream` it takes.
    static func decoded(_ stream: ArraySlice<UInt8>, count: Int) throws(Failure) -> (bytes: [UInt8], length: Int) {
        guard count <= mostBytes else { throw Failure("\(count) bytes, which is too much") }
        var input = BlockReader(stream)
        var output = LZFSEOutput(limit: count)
        while true {
            switch try input.word() {
            case magic("$"):
                guard output.bytes.count == count else { throw Failure("of another size than it says") }
                return (output.bytes, input.position - stream.startIndex)
            case magic("-"):
                let size = try input.word()
                try output.append(try input.take(Int(size)))
            case magic("n"): try readSimpleBlock(&input, &output)
            case magic("1"): try EntropyBlock(wide: &input).decode(&input, &output)
            case magic("2"): try EntropyBlock(packed: &input).decode(&input, &output)
            default: throw Failure("a block of an unknown kind")
            }
        }
    }

    private static func magic(_ kind: UnicodeScalar) -> UInt32 { 0x0078_7662 | kind.value << 24 }

    private static func readSimpleBlock(_ input: inout BlockReader, _ output: inout LZFSEOutput) throws(Failure) {
        let (size, payload) = (Int(try input.word()), Int(try input.word()))
        let end = output.bytes.count + size
        try LZVN.decode(try input.take(payload), &output)
        guard output.bytes.count == end else { throw Failure("a block of another size than it says") }
    }
}

/// The bytes of a stream, one after the other.
struct BlockReader {
    private let bytes: ArraySlice<UInt8>
    private(set) var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    mutating func take(_ count: Int) throws(LZFSE.Failure) -> ArraySlice<UInt8> {
        guard count <= bytes.endIndex - position else { throw LZFSE.Failure("a block that is cut") }
        defer { position += count }
        return bytes[position..<position + count]
    }

    mutating func word() throws(LZFSE.Failure) -> UInt32 { UInt32(truncatingIfNeeded: try number(4)) }

    mutating func half() throws(LZFSE.Failure) -> Int { Int(try number(2)) }

    mutating func number(_ count: Int) throws(LZFSE.Failure) -> UInt64 {
        try take(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// What was decoded so far.
struct LZFSEOutput {
    private(set) var bytes: [UInt8] = []
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    private func requireRoom(_ count: Int) throws(LZFSE.Failure) {
        guard count <= limit - bytes.count else { throw LZFSE.Failure("longer than it says") }
    }

    mutating func append(_ literals: ArraySlice<UInt8>) throws(LZFSE.Failure) {
        try requireRoom(literals.count)
        bytes += literals
    }

    /// Repeats what is `distance` bytes back. What is repeated may begin in what it repeats.
    mutating func `repeat`(_ count: Int, distance: Int) throws(LZFSE.Failure) {
        guard count > 0 else { return }
        guard 1...max(1, bytes.count) ~= distance, distance <= bytes.count else {
            throw LZFSE.Failure("a match before the beginning")
        }
        try requireRoom(count)
        for _ in 0..<count { bytes.append(bytes[bytes.count - distance]) }
    }
}
