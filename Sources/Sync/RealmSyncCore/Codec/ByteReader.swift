// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Reads the primitive encodings of §3.1. For any input, a read returns a value or throws.
struct ByteReader {
    private let bytes: [UInt8]
    private(set) var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { offset == bytes.count }
    var remaining: Int { bytes.count - offset }

    mutating func byte() throws(ChangesetError) -> UInt8 {
        guard offset < bytes.count else { throw ended }
        defer { offset &+= 1 }
        return bytes[offset]
    }

    /// Reads a signed number: groups of seven bits, the lowest first, then six bits and the sign in the last byte.
    mutating func int() throws(ChangesetError) -> Int64 {
        let start = offset
        let first = try byte()
        if first < 0x40 { return Int64(first) }
        var group = first
        var magnitude: UInt64 = 0
        var shift: UInt64 = 0
        while group & 0x80 != 0 {
            guard shift <= 56 else { throw ChangesetError("a number has more than 64 bits", at: start) }
            magnitude |= UInt64(group & 0x7F) << shift
            shift += 7
            group = try byte()
        }
        let last = UInt64(group & 0x3F)
        guard shift < 63 || last == 0 else { throw ChangesetError("a number has more than 64 bits", at: start) }
        magnitude |= last << shift
        guard magnitude >> 63 == 0 else { throw ChangesetError("a number has more than 64 bits", at: start) }
        return group & 0x40 == 0 ? Int64(magnitude) : -1 - Int64(magnitude)
    }

    /// Reads an index, a size, or a length, from 0 to 2³²−1.
    mutating func unsigned(_ what: String) throws(ChangesetError) -> Int {
        let start = offset
        guard let value = UInt32(exactly: try int()) else {
            throw ChangesetError("\(what) is not a number of 32 bits", at: start)
        }
        return Int(value)
    }

    /// Reads a one-byte Boolean; any value except 0 is true.
    mutating func bool() throws(ChangesetError) -> Bool {
        let start = offset
        guard let value = UInt8(exactly: try int()) else { throw ChangesetError("this isn't a Boolean", at: start) }
        return value != 0
    }

    mutating func slice(_ count: Int) throws(ChangesetError) -> ArraySlice<UInt8> {
        guard count <= remaining else { throw ended }
        defer { offset += count }
        return bytes[offset..<offset + count]
    }

    mutating func binary() throws(ChangesetError) -> ArraySlice<UInt8> {
        let start = offset
        let count = try int()
        guard count >= 0, count <= remaining else {
            throw ChangesetError("\(count) bytes are announced, but \(remaining) are left", at: start)
        }
        return try slice(Int(count))
    }

    static let longestText = 16_777_199

    mutating func text() throws(ChangesetError) -> Text {
        let start = offset
        let slice = try binary()
        guard slice.count <= Self.longestText else {
            throw ChangesetError("a text has \(slice.count) bytes, more than \(Self.longestText)", at: start)
        }
        let string = String(decoding: slice, as: UTF8.self)
        // Decoding replaces invalid UTF-8, which changes the string.
        guard string.utf8.count == slice.count, slice.allSatisfy({ $0 < 0x80 }) || string.utf8.elementsEqual(slice)
        else { throw ChangesetError("a text is not UTF-8", at: start) }
        return Text(string)
    }

    /// Reads a number in little-endian order.
    mutating func fixed<Number: FixedWidthInteger>(_ type: Number.Type) throws(ChangesetError) -> Number {
        try slice(MemoryLayout<Number>.size).reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }

    mutating func timestamp() throws(ChangesetError) -> Timestamp {
        let start = offset
        let seconds = try int()
        guard let nanoseconds = Int32(exactly: try int()) else {
            throw ChangesetError("the nanoseconds of a timestamp are not a number of 32 bits", at: start)
        }
        let timestamp = Timestamp(seconds: seconds, nanoseconds: nanoseconds)
        guard timestamp.isValid else {
            throw ChangesetError("\(seconds) seconds and \(nanoseconds) nanoseconds aren't a timestamp", at: start)
        }
        return timestamp
    }

    /// Reads the coefficient, exponent, and sign of the stored form. Infinities and NaNs have exponents that aren't
    /// valid for numbers.
    mutating func decimal() throws(ChangesetError) -> DecimalBits {
        let start = offset
        let (low, high) = try coefficient()
        let exponent = try int()
        guard high >> 49 == 0, exponent >= -6176, exponent < 0x4000 - 6176 else {
            throw ChangesetError("a decimal has more than 113 bits or an exponent out of range", at: start)
        }
        let sign: UInt64 = try bool() ? 1 << 63 : 0
        return DecimalBits(low: low, high: sign | UInt64(exponent + 6176) << 49 | high)
    }

    private mutating func coefficient() throws(ChangesetError) -> (low: UInt64, high: UInt64) {
        let start = offset
        var (low, high): (UInt64, UInt64) = (0, 0)
        var shift: UInt64 = 0
        while true {
            let group = try byte()
            let bits = UInt64(group & 0x7F)
            guard shift < 126 || shift == 126 && bits < 4 else {
                throw ChangesetError("the coefficient of a decimal has more than 128 bits", at: start)
            }
            if shift < 64 { low |= bits << shift }
            high |= shift >= 64 ? bits << (shift - 64) : shift > 57 ? bits >> (64 - shift) : 0
            if group < 0x80 { return (low, high) }
            shift += 7
        }
    }

    private var ended: ChangesetError { ChangesetError("it ends too early", at: bytes.count) }
}
