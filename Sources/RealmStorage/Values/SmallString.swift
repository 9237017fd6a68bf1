// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Makes texts of up to 15 bytes of ASCII as Swift's strings hold them, without a call for each step of `String.init`.
///
/// Such a string has its bytes in the first 15 of its own 16 and, in the last, 0xE0 plus their count. That is frozen
/// on Apple's 64-bit systems; elsewhere a library may differ, so strings that it made are looked at once. Where they
/// have another form, texts are made by `String.init`.
@usableFromInline
package enum SmallString {
    @inlinable static var capacity: Int { 15 }

    /// Whether the strings of this process have that form.
    @usableFromInline package static let isKnown: Bool = {
        #if _pointerBitWidth(_64) && _endian(little)
            guard MemoryLayout<String>.size == 16, MemoryLayout<String>.stride == 16 else { return false }
            return (0...capacity).allSatisfy { count in
                let bytes = (0..<count).map { UInt8(0x21 + $0 * 6) }
                let made = unsafe unsafeBitCast(String(decoding: bytes, as: UTF8.self), to: (UInt64, UInt64).self)
                var words: (UInt64, UInt64) = (0, UInt64(0xE0 + count) << 56)
                for (index, byte) in bytes.enumerated() {
                    if index < 8 {
                        words.0 |= UInt64(byte) << (index * 8)
                    } else {
                        words.1 |= UInt64(byte) << (index * 8 - 64)
                    }
                }
                return made == words
            }
        #else
            return false
        #endif
    }()

    /// The first `count` bytes of an element of `width` bytes as a text; `width` is a power of two, `count` less. The
    /// caller has looked at `isKnown` once for many.
    @inlinable @inline(__always)
    package static func make(_ start: UnsafeRawPointer, count: Int, width: Int, isKnown: Bool) -> String {
        #if _pointerBitWidth(_64) && _endian(little)
            if count <= capacity, width >= 8, isKnown {
                // What follows the text is padding, whose bytes no one promises.
                var low = unsafe start.loadUnaligned(as: UInt64.self)
                var high = unsafe width > 8 ? start.loadUnaligned(fromByteOffset: 8, as: UInt64.self) : 0
                let bits = UInt64(truncatingIfNeeded: count) &* 8
                low &= bits < 64 ? (1 &<< bits) &- 1 : .max
                high &= bits > 64 ? (1 &<< (bits &- 64)) &- 1 : 0
                if (low | high) & 0x8080_8080_8080_8080 == 0 {
                    high |= (0xE0 | UInt64(truncatingIfNeeded: count)) << 56
                    return unsafe unsafeBitCast((low, high), to: String.self)
                }
            }
        #endif
        return unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }
}
