// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A string of at most 15 bytes, or null, as two words that sort like the string: its bytes, followed by its length. A
/// longer string also sorts correctly against these.
struct ShortText: Equatable {
    private let head: UInt64
    /// The next seven bytes, followed by the length plus one; 0 for null.
    private let tail: UInt64

    static let null = ShortText(head: 0, tail: 0)

    private init(head: UInt64, tail: UInt64) { (self.head, self.tail) = (head, tail) }

    @inline(__always)
    init(_ text: UnsafeRawBufferPointer) {
        head = unsafe ShortText.word(text, from: 0, count: min(text.count, 8))
        let rest = unsafe text.count > 8 ? ShortText.word(text, from: 8, count: min(text.count, 15) &- 8) : 0
        tail = rest | UInt64(min(text.count, 16) &+ 1)
    }

    /// Up to eight bytes, left-aligned in a word.
    ///
    /// Each part is read within one aligned word of eight bytes. The bytes of a small string were just stored as two
    /// words, and a load across both would have to wait until both stores have reached the cache.
    @inline(__always)
    private static func word(_ bytes: UnsafeRawBufferPointer, from start: Int, count: Int) -> UInt64 {
        if count == 8 { return unsafe UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)) }
        var (word, place): (UInt64, Int) = (0, start)
        if count & 4 != 0 {
            word = unsafe UInt64(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))) << 32
            place &+= 4
        }
        if count & 2 != 0 {
            let part = unsafe UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt16.self))
            word |= UInt64(part) &<< UInt64(48 &- 8 &* (place &- start))
            place &+= 2
        }
        if count & 1 != 0 { word |= unsafe UInt64(bytes[place]) &<< UInt64(56 &- 8 &* (place &- start)) }
        return word
    }

    /// The first `count` bytes as a number; at most seven.
    @inline(__always)
    func first(_ count: Int) -> UInt64 { head >> UInt64(64 &- 8 &* count) }

    /// The eight bytes after the first `count`, left-aligned; zeros after the end of the text.
    @inline(__always)
    func word(behind count: Int) -> UInt64 { head << UInt64(8 &* count) | (tail & ~0xFF) >> UInt64(64 &- 8 &* count) }

    /// The width must be sufficient for the text.
    @inline(__always)
    func withElement<R>(width: Int, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        let padding = UInt64(width) &- (tail & 0xFF)
        let words =
            width == 16
            ? (head.bigEndian, (tail & ~0xFF | padding).bigEndian)
            : ((head | padding << UInt64(64 &- 8 &* width)).bigEndian, 0)
        return unsafe try withUnsafeBytes(of: words) {
            unsafe try body(UnsafeRawBufferPointer(rebasing: $0[..<width]))
        }
    }

    /// Whether the elements of a leaf have the short form (content 6.6.1).
    @inline(__always)
    static func makeUp(_ root: Node) -> Bool {
        root.header.schemeCode == 1 && !root.header.hasRefs && !root.header.isInner && 1...16 ~= root.width
    }

    @inline(__always)
    init(_ root: Node, _ row: Int) throws {
        let width = root.width
        guard UInt(bitPattern: row) < UInt(bitPattern: root.count) else { throw ColumnLeaf.noRow(root.ref) }
        let element = unsafe root.payload + row &* width
        let padding: UInt64
        switch width {
        case 16:
            head = unsafe UInt64(bigEndian: element.loadUnaligned(as: UInt64.self))
            let rest = unsafe UInt64(bigEndian: element.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            padding = rest & 0xFF
            tail = rest &- padding | (16 &- padding)
        case 8:
            let word = unsafe UInt64(bigEndian: element.loadUnaligned(as: UInt64.self))
            padding = word & 0xFF
            head = word &- padding
            tail = 8 &- padding
        case 4:
            let word = unsafe UInt64(UInt32(bigEndian: element.loadUnaligned(as: UInt32.self)))
            padding = word & 0xFF
            head = (word &- padding) << 32
            tail = 4 &- padding
        case 2:
            let word = unsafe UInt64(UInt16(bigEndian: element.loadUnaligned(as: UInt16.self)))
            padding = word & 0xFF
            head = (word &- padding) << 48
            tail = 2 &- padding
        default:
            padding = unsafe UInt64(element.loadUnaligned(as: UInt8.self))
            head = 0
            tail = 1 &- padding
        }
        guard padding <= UInt64(truncatingIfNeeded: width) else { throw BytesLeaf.damaged(root) }
    }

    /// Whether this is less than `other`. Branch-free, because a search's branches can't be predicted.
    @inline(__always)
    func isBelow(_ other: ShortText) -> Bool {
        let (difference, isHeadBelow) = head.subtractingReportingOverflow(other.head)
        return isHeadBelow != (difference == 0 && tail < other.tail)
    }

    /// Whether the text in an element of 16 bytes is less than this one, like `isBelow`. `padding` becomes the maximum
    /// padding of the visited elements, at most 16 in an intact leaf.
    ///
    /// In the last byte, a smaller padding means a longer text.
    @inline(__always)
    func isAbove(_ element: UnsafeRawPointer, _ padding: inout UInt64) -> Bool {
        let head = unsafe UInt64(bigEndian: element.loadUnaligned(as: UInt64.self))
        let rest = unsafe UInt64(bigEndian: element.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        padding = max(padding, rest & 0xFF)
        let (difference, isHeadBelow) = head.subtractingReportingOverflow(self.head)
        return isHeadBelow != (difference == 0 && (rest ^ 0xFF) &- 1 < tail &+ 238)
    }
}
