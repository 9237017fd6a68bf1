// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

protocol IndexChunks {
    /// `offset` must be a multiple of 4.
    func chunk(at offset: Int) -> Int32
}

extension IndexData: IndexChunks {}

struct IntegerChunks: IndexChunks {
    /// The eight bytes, the lowest first, as one big-endian number.
    private let bytes: UInt64

    init(_ value: Int64) { bytes = UInt64(bitPattern: value).byteSwapped }

    @inline(__always)
    func chunk(at offset: Int) -> Int32 {
        switch offset {
        case 0: Int32(truncatingIfNeeded: bytes >> 32)
        case 4: Int32(truncatingIfNeeded: bytes)
        case 8: IndexChunk.end
        default: IndexChunk.none
        }
    }
}

/// The chunks of referenced bytes, read without a copy. Valid only while the bytes are.
@safe
struct ByteChunks: IndexChunks {
    private let bytes: UnsafeBufferPointer<UInt8>

    init(_ bytes: UnsafeBufferPointer<UInt8>) { unsafe self.bytes = unsafe bytes }

    func chunk(at offset: Int) -> Int32 {
        let left = unsafe bytes.count - offset
        guard left >= 0 else { return 0 }
        if left >= 4 {
            let word = unsafe UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            return Int32(bitPattern: UInt32(bigEndian: word))
        }
        var bits = IndexChunk.terminator << UInt32(24 - 8 * left)
        for index in 0..<left { bits |= unsafe UInt32(bytes[offset + index]) << UInt32(24 - 8 * index) }
        return Int32(bitPattern: bits)
    }
}

struct PathChunks: IndexChunks, Equatable {
    let path: [Int32]

    init(path: [Int32]) { self.path = path }

    init(_ chunks: some IndexChunks, through offset: Int) {
        path = stride(from: 0, through: offset, by: 4).map { chunks.chunk(at: $0) }
    }

    func chunk(at offset: Int) -> Int32 { offset >> 2 < path.count ? path[offset >> 2] : 0 }
}

enum IndexChunk {
    /// The letter X, which follows the last byte of the index data.
    static let terminator: UInt32 = 0x58
    /// The chunk that follows data whose length is a multiple of 4.
    static let end: Int32 = 0x5800_0000
    /// The chunk of null, and the chunk after the end of all other data.
    static let none: Int32 = 0
}
