// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Creates strings of up to 15 ASCII bytes in Swift's own representation, faster than `String.init`.
///
/// Such a string has its bytes in the first 15 of its own 16 and, in the last, 0xE0 plus their count. That is frozen on
/// Apple's 64-bit systems. Other systems' libraries may differ, so the representation is verified once. If it differs,
/// `String.init` creates the strings.
@usableFromInline
package enum SmallString {
    @inlinable static var capacity: Int { 15 }

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

    /// Creates a string of the first `count` bytes of an element of `width` bytes. `width` must be a power of two
    /// greater than `count`. The caller reads `isKnown` once for many strings.
    @inlinable @inline(__always)
    package static func make(_ start: UnsafeRawPointer, count: Int, width: Int, isKnown: Bool) -> String {
        #if _pointerBitWidth(_64) && _endian(little)
            if count <= capacity, width >= 8, isKnown {
                // The bytes after the text are padding of unspecified value.
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

    /// Writes the texts in rows of a leaf of the short form to `target`, up to the first that is null or isn't ASCII.
    /// Returns their number, which is 0 unless the leaf's elements have 16 bytes. Stores the words of each string
    /// without creating a `String`, which would cost reference counting.
    package static func make(
        _ rows: Range<Int>, of leaf: Node, to target: UnsafeMutablePointer<String>
    ) -> Int {
        #if _pointerBitWidth(_64) && _endian(little)
            guard isKnown, leaf.header.schemeCode == 1, !leaf.header.isInner, leaf.width == 16, rows.lowerBound >= 0,
                rows.upperBound <= leaf.count
            else { return 0 }
            let words = UnsafeMutableRawPointer(target)
            var count = 0
            for row in rows {
                let element = unsafe leaf.payload + row &* 16
                var low = unsafe element.loadUnaligned(as: UInt64.self)
                var high = unsafe element.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
                // The last byte counts the padding after the text and before itself; 16 is null.
                let padding = high >> 56
                guard padding < 16 else { return count }
                if padding < 7 {
                    high &= UInt64.max &>> (8 &+ padding &* 8)
                } else {
                    (low, high) = (low & (UInt64.max >> (padding &* 8 &- 56)), 0)
                }
                guard (low | high) & 0x8080_8080_8080_8080 == 0 else { return count }
                unsafe words.storeBytes(of: low, toByteOffset: count &* 16, as: UInt64.self)
                unsafe words.storeBytes(
                    of: high | (0xE0 | (15 &- padding)) << 56, toByteOffset: count &* 16 &+ 8, as: UInt64.self)
                count &+= 1
            }
            return count
        #else
            return 0
        #endif
    }
}
