// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The byte string under which a search index stores a value, or none for null (content 9.1), and its chunks (9.2).
///
/// Up to 16 bytes are stored inline, so only long strings and binaries allocate memory.
package struct IndexData: Hashable, Sendable {
    /// The offset of the last level of an index. Objects whose data agree up to here share one list (content 9.4).
    package static let lastOffset = 200

    /// The first sixteen bytes as big-endian numbers, zero beyond the end.
    private let head: UUIDBytes
    private let long: [UInt8]
    /// The number of bytes; −1 for none.
    private let length: Int

    package static let none = IndexData(UUIDBytes(high: 0, low: 0), length: -1)

    private init(_ head: UUIDBytes, length: Int, long: [UInt8] = []) {
        self.head = head
        self.length = length
        self.long = long
    }

    package var isNone: Bool { length < 0 }
    package var count: Int { max(length, 0) }

    var ownedByteCount: Int { long.count }

    /// Returns the chunk at an offset that is a multiple of 4, as a big-endian signed number: at most four bytes, then
    /// the letter X if there are fewer. 0 for none and beyond the end.
    package func chunk(at offset: Int) -> Int32 {
        let left = length - offset
        if left < 0 { return 0 }
        var bits: UInt32 = 0
        if !long.isEmpty {
            for index in 0..<min(left, 4) { bits |= UInt32(long[offset + index]) << UInt32(24 - 8 * index) }
        } else if offset < 16 {
            let word = offset < 8 ? head.high : head.low
            bits = UInt32(truncatingIfNeeded: word >> (offset & 4 == 0 ? 32 : 0))
        }
        if left < 4 { bits |= 0x58 << UInt32(24 - 8 * left) }
        return Int32(bitPattern: bits)
    }

    package var bytes: [UInt8] {
        long.isEmpty ? Array(head.bytes.prefix(count)) : long
    }
}

/// The index data of each type (content 9.1).
extension IndexData {
    package init(_ value: Int64) {
        self.init(UUIDBytes(high: UInt64(bitPattern: value).byteSwapped, low: 0), length: 8)
    }

    package init(_ value: Bool) {
        self.init(Int64(value ? 1 : 0))
    }

    package init(_ value: Timestamp) {
        let nanoseconds = UInt64(UInt32(bitPattern: value.nanoseconds).byteSwapped) << 32
        self.init(UUIDBytes(high: UInt64(bitPattern: value.seconds).byteSwapped, low: nanoseconds), length: 12)
    }

    package init(_ value: ObjectIdBytes) {
        self.init(UUIDBytes(high: value.high, low: UInt64(value.low) << 32), length: 12)
    }

    package init(_ value: UUIDBytes) {
        self.init(value, length: 16)
    }

    package init(_ value: String) {
        let short = unsafe value.utf8.withContiguousStorageIfAvailable { bytes -> IndexData? in
            guard bytes.count <= 16 else { return nil }
            var head = UUIDBytes(high: 0, low: 0)
            unsafe withUnsafeMutableBytes(of: &head) {
                unsafe $0.copyMemory(from: UnsafeRawBufferPointer(bytes))
            }
            // The bytes are in order in memory; as numbers they must be big-endian.
            head = UUIDBytes(high: UInt64(bigEndian: head.high), low: UInt64(bigEndian: head.low))
            return IndexData(head, length: bytes.count)
        }
        self = (short ?? nil) ?? IndexData(stringBytes: value.utf8)
    }

    package init(stringBytes bytes: some Collection<UInt8>) {
        let count = bytes.count
        if count > 16 {
            let long = Array(bytes)
            self.init(UUIDBytes(bytes: long), length: long.count, long: long)
            return
        }
        var high: UInt64 = 0
        var low: UInt64 = 0
        var shift: UInt64 = 120
        for byte in bytes {
            if shift >= 64 { high |= UInt64(byte) << (shift - 64) } else { low |= UInt64(byte) << shift }
            shift = shift &- 8
        }
        self.init(UUIDBytes(high: high, low: low), length: count)
    }

    /// Uses the rules of 9.1 for values inside Mixed. An unresolved link counts as null.
    package init(_ value: StoredValue) {
        switch value {
        case .null: self = .none
        case .int(let value): self.init(value)
        case .bool(let value): self.init(value)
        case .float(let value): self.init(value)
        case .double(let value): self.init(value)
        case .string(let value): self.init(value)
        case .binary(let value): self.init(stringBytes: value)
        case .timestamp(let value): self.init(value)
        case .decimal(let value): self.init(value)
        case .objectId(let value): self.init(value)
        case .uuid(let value): self.init(value)
        case .link(let key): self = key.rawValue < 0 ? .none : IndexData(key.rawValue)
        case .typedLink(let link): self.init(link)
        case .list: self.init("__List__")
        case .dictionary: self.init("__Dictionary__")
        }
    }

    /// A float with the value of a 32-bit integer has the data of the integer, so they're equal.
    private init(_ value: Float) {
        if -0x1p31 <= value, value < 0x1p31, Float(Int32(value)) == value {
            self.init(Int64(value))
        } else {
            let bits = UInt64(value.bitPattern.byteSwapped) << 32
            self.init(UUIDBytes(high: bits, low: 0), length: 4)
        }
    }

    private init(_ value: Double) {
        if -0x1p31 <= value, value < 0x1p31, Double(Int32(value)) == value {
            self.init(Int64(value))
        } else {
            self.init(UUIDBytes(high: value.bitPattern.byteSwapped, low: 0), length: 8)
        }
    }

    private init(_ value: DecimalBits) {
        if let whole = value.truncated {
            self.init(whole)
        } else {
            self.init(UUIDBytes(high: value.low.byteSwapped, low: value.high.byteSwapped), length: 16)
        }
    }

    private init(_ link: ObjectLink) {
        if link.object.isUnresolved || link.object.isNull {
            self = .none
            return
        }
        let key = UInt64(bitPattern: link.object.rawValue).byteSwapped
        let table = UInt64(link.table.rawValue.byteSwapped)
        self.init(UUIDBytes(high: table << 32 | key >> 32, low: key << 32), length: 12)
    }
}
