// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Numbers are encoded as groups of seven bits, lowest first, and byte strings after their length.
struct RecordWriter {
    private(set) var bytes: [UInt8] = []

    mutating func byte(_ value: UInt8) { bytes.append(value) }

    mutating func number(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func fixed<Number: FixedWidthInteger>(_ value: Number) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func raw(_ value: some Collection<UInt8>) { bytes.append(contentsOf: value) }

    mutating func blob(_ value: [UInt8]) {
        number(UInt64(value.count))
        bytes.append(contentsOf: value)
    }
}

/// Malformed bytes result in a value or an error.
struct RecordReader {
    private let bytes: ArraySlice<UInt8>
    private var index: Int
    /// The difference of an offset in the file and an index.
    private let shift: Int

    /// - Parameter start: The offset of the bytes in the file; `nil` if it's their first index.
    init(_ bytes: ArraySlice<UInt8>, at start: Int? = nil) {
        (self.bytes, index, shift) = (bytes, bytes.startIndex, start.map { $0 - bytes.startIndex } ?? 0)
    }

    /// The current position, in the file.
    var offset: Int { index + shift }

    var isAtEnd: Bool { index == bytes.endIndex }

    mutating func byte() throws(RecordError) -> UInt8 {
        guard index < bytes.endIndex else { throw RecordError("a record ends too early", at: offset) }
        defer { index += 1 }
        return bytes[index]
    }

    mutating func number() throws(RecordError) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let group = try byte()
            guard shift < 63 || shift == 63 && group < 2 else {
                throw RecordError("a number has more than 64 bits", at: offset - 1)
            }
            value |= UInt64(group & 0x7F) << shift
            if group < 0x80 { return value }
            shift += 7
        }
    }

    /// Each counted element has at least one byte.
    mutating func count() throws(RecordError) -> Int {
        let start = offset
        let value = try number()
        guard value <= UInt64(bytes.endIndex - index) else {
            throw RecordError("\(value) bytes are announced, which are not there", at: start)
        }
        return Int(value)
    }

    mutating func fixed<Number: FixedWidthInteger>(_ type: Number.Type) throws(RecordError) -> Number {
        try raw(MemoryLayout<Number>.size).reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }

    mutating func raw(_ count: Int) throws(RecordError) -> ArraySlice<UInt8> {
        guard count <= bytes.endIndex - index else { throw RecordError("a record ends too early", at: offset) }
        defer { index += count }
        return bytes[index..<index + count]
    }

    mutating func blob() throws(RecordError) -> [UInt8] { Array(try raw(try count())) }
}

struct RecordError: Error, Hashable {
    let message: String
    /// In the file.
    let offset: Int

    @inline(never) init(_ message: String, at offset: Int) { (self.message, self.offset) = (message, offset) }
}

package struct StoreError: Error, CustomStringConvertible {
    package let path: String
    /// In the file.
    package let offset: Int
    package let message: String
    private let remedy: String
    private let location: String

    init(
        _ path: String, at offset: Int, _ message: String,
        remedy: String = "Restore the folder of the partition from a backup."
    ) {
        (self.path, self.offset, self.message, self.remedy) = (path, offset, message, remedy)
        location = " at byte \(offset)"
    }

    /// Creates an error without a position.
    init(folder: String, _ message: String, remedy: String) {
        (path, offset, self.message, self.remedy) = (folder, 0, message, remedy)
        location = ""
    }

    init(_ path: String, _ error: RecordError) { self.init(path, at: error.offset, error.message) }

    package var description: String {
        "'\(path)' is damaged\(location): \(message). \(remedy)"
    }
}

/// The checksum of records, which detects each burst error of up to 32 bits.
enum CRC32C {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value >> 1 ^ (value & 1 == 0 ? 0 : 0x82F6_3B78) }
    }

    static func of(_ bytes: some Collection<UInt8>, after start: UInt32 = 0) -> UInt32 {
        bytes.withContiguousStorageIfAvailable { of($0, after: start) } ?? of(Array(bytes), after: start)
    }

    /// Without an iterator, which takes most of the time of large uploads in debug builds.
    private static func of(_ bytes: UnsafeBufferPointer<UInt8>, after start: UInt32) -> UInt32 {
        table.withUnsafeBufferPointer { table in
            guard let table = table.baseAddress, let first = bytes.baseAddress else { return start }
            var (value, index) = (~start, 0)
            let end = bytes.count
            while index < end {
                value = value >> 8 ^ table[Int(UInt8(truncatingIfNeeded: value) ^ first[index])]
                index += 1
            }
            return ~value
        }
    }
}
