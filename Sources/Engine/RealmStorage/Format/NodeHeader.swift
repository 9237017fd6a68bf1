// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The position of a node in the data space; 0 is the null ref (container 2.1).
///
/// Refs of committed nodes are below the logical file size. Refs of dirty nodes are in the slab, far above it
/// (`NodeSpace`), so one comparison distinguishes them.
@usableFromInline package typealias Ref = UInt

extension Ref {
    /// The ref as an element of a node. The 64 bits are converted unchanged. A damaged ref, which may exceed
    /// `Int64.max`, is preserved, and causes an error only when its node is read.
    @inlinable package var element: Int64 { Int64(bitPattern: UInt64(self)) }

    @inlinable package init(element: Int64) { self.init(UInt64(bitPattern: element)) }
}

/// The layout of a node's payload (container 2.2: `wtype`).
package enum NodeScheme: UInt8, Sendable {
    /// Packed elements of 0, 1, 2, 4, 8, 16, 32 or 64 bits.
    case bits = 0
    /// Elements of a whole number of bytes.
    case bytes = 1
    /// Raw bytes. The width is ignored, and the count is the number of bytes.
    case blob = 2
}

/// The first eight bytes of every node (container 2.2).
///
/// ```
/// byte 0-3   filler, "AAAA" in a file; the slab keeps a dirty node's capacity there
/// byte 4     inner:1 hasRefs:1 context:1 scheme:2 widthCode:3      (bit 7 first)
/// byte 5-7   number of elements, big-endian
/// ```
@frozen @usableFromInline
package struct NodeHeader: Equatable, Sendable {
    /// Bytes 4 to 7, read as a big-endian number: flags in the top byte, the count in the lower three.
    @usableFromInline package var bits: UInt32

    @inlinable package init(bits: UInt32) { self.bits = bits }

    @inlinable package init(flags: UInt8, widthCode: Int, count: Int) {
        bits = UInt32(flags & 0xF8 | UInt8(truncatingIfNeeded: widthCode)) << 24 | UInt32(truncatingIfNeeded: count)
    }

    package static let byteCount = 8
    package static let filler: UInt32 = 0x4141_4141
    /// The maximum number of elements of one node (container 2.8).
    package static let maximumCount = 0xFF_FFFF
    /// A node must be smaller than this, so it fits into one section (container 2.8).
    package static let maximumByteCount = 1 << 26

    /// Header byte 4 without its width code. Content appendix A lists the value for every kind of node.
    package enum Flags {
        package static let plain: UInt8 = 0x00
        package static let inner: UInt8 = 0x80
        package static let hasRefs: UInt8 = 0x40
        package static let context: UInt8 = 0x20
        package static let bytes: UInt8 = 0x08
        package static let blob: UInt8 = 0x10
    }

    @inlinable package var flags: UInt8 { UInt8(truncatingIfNeeded: bits >> 24) & 0xF8 }
    @inlinable package var isInner: Bool { bits & 0x8000_0000 != 0 }
    @inlinable package var hasRefs: Bool { bits & 0x4000_0000 != 0 }
    @inlinable package var hasContext: Bool { bits & 0x2000_0000 != 0 }
    @inlinable package var schemeCode: UInt8 { UInt8(truncatingIfNeeded: bits >> 27) & 3 }
    /// Whether the elements are packed integers and not refs, and the node isn't an inner one.
    @inlinable @inline(__always) package var isPlain: Bool { bits & 0xD800_0000 == 0 }
    /// Whether the scheme is valid, and a branch has packed elements. In any other branch, the count isn't the number
    /// of elements within the node.
    @inlinable package var hasPossibleScheme: Bool {
        @inline(__always) get { schemeCode == 0 || schemeCode != 3 && !isInner }
    }
    @inlinable package var widthCode: Int { Int(bits >> 24) & 7 }
    /// The width code, with the scheme's code above it. Below 8, the elements are packed integers, and it equals the
    /// width code.
    @inlinable @inline(__always) package var elementCode: Int { Int(bits >> 24) & 0x1F }
    /// The bits (scheme `bits`) or bytes (scheme `bytes`) of an element: 0, 1, 2, 4 … 64.
    @inlinable @inline(__always) package var width: Int { (1 << widthCode) >> 1 }
    @inlinable package var count: Int { Int(bits & 0xFF_FFFF) }

    /// `count` must be valid.
    func with(count: Int) -> NodeHeader { NodeHeader(bits: bits & 0xFF00_0000 | UInt32(count)) }

    /// The payload's size in bytes, without padding (container 2.3). Scheme 3 is invalid and is treated as raw bytes
    /// here; the first read of a node rejects it.
    @inlinable package var payloadByteCount: Int {
        @inline(__always) get {
            switch schemeCode {
            case 0: return (count &* width &+ 7) >> 3
            case 1: return count &* width
            default: return count
            }
        }
    }

    /// The exact size of the node in the file, in bytes, with header and padding (container 2.3).
    @inlinable package var byteCount: Int {
        @inline(__always) get { 8 &+ (payloadByteCount &+ 7) & ~7 }
    }

    @inlinable @inline(__always)
    package func isPossible(in room: Ref) -> Bool {
        // A fast path that combines `byteCount` and `hasPossibleScheme` for packed elements, which nearly all nodes
        // have.
        guard schemeCode == 0 else { return hasPossibleScheme && Ref(truncatingIfNeeded: byteCount) <= room }
        return Ref(truncatingIfNeeded: 8 &+ ((count &* width &+ 63) &>> 6) &* 8) <= room
    }

    @inlinable package static func code(ofWidth width: Int) -> Int {
        width == 0 ? 0 : width.trailingZeroBitCount + 1
    }
}

/// The widths of packed signed integers (container 2.4).
@usableFromInline
package enum PackedWidth {
    @inlinable package static func minimal(for value: Int64) -> Int {
        if value >= 0 && value < 16 { return value < 2 ? Int(value) : value < 4 ? 2 : 4 }
        let magnitude = value < 0 ? ~value : value
        return magnitude < 0x80 ? 8 : magnitude < 0x8000 ? 16 : magnitude < 0x8000_0000 ? 32 : 64
    }

    /// Whether `minimal` is at most `width`.
    @inline(__always)
    static func fits(_ value: Int64, _ width: Int) -> Bool {
        guard width >= 8 else { return minimal(for: value) <= width }
        let shift = Int64(64 &- width)
        return (value &<< shift) &>> shift == value
    }

    static func minimal(for values: [Int64]) -> Int {
        // A negative number needs as many bits as its complement. The highest bit set in any value determines the
        // width.
        var (bits, signs): (Int64, Int64) = (0, 0)
        for value in values {
            bits |= value ^ (value >> 63)
            signs |= value
        }
        return signs < 0 ? max(8, minimal(for: bits)) : minimal(for: bits)
    }

    /// The smallest width of an unsigned array (container 2.5) that can hold `value`; at least 8.
    @inlinable package static func minimalUnsigned(for value: UInt64) -> Int {
        value <= 0xFF ? 8 : value <= 0xFFFF ? 16 : value <= 0xFFFF_FFFF ? 32 : 64
    }

    @inlinable package static func lowerBound(_ width: Int) -> Int64 {
        width < 8 ? 0 : -(1 << Int64(width - 1))
    }

    @inlinable package static func upperBound(_ width: Int) -> Int64 {
        width < 8 ? (1 << Int64(width)) - 1 : width == 64 ? .max : (1 << Int64(width - 1)) - 1
    }
}

/// Elements of a `hasRefs` node that aren't refs: odd numbers (container 2.6).
@usableFromInline
package enum Tagged {
    @inlinable package static func encode(_ value: UInt64) -> Int64 { Int64(bitPattern: value << 1 | 1) }
    @inlinable package static func encode(_ value: Int) -> Int64 { encode(UInt64(bitPattern: Int64(value))) }
    @inlinable package static func decode(_ element: Int64) -> UInt64 { UInt64(bitPattern: element) >> 1 }
    @inlinable package static func isTagged(_ element: Int64) -> Bool { element & 1 != 0 }
}
