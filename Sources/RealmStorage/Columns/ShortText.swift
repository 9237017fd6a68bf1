// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A string of at most 15 bytes, or null, as two words that compare as it does: its bytes, and last of all how many
/// there are. A longer one compares with these as it does, too.
struct ShortText: Equatable {
    /// The first eight bytes.
    private let head: UInt64
    /// The next seven bytes, then the number of all plus one; 0 for null.
    private let tail: UInt64

    init(_ text: UnsafeRawBufferPointer) {
        let count = min(text.count, 15)
        var words: (UInt64, UInt64) = (0, 0)
        unsafe withUnsafeMutableBytes(of: &words) {
            unsafe $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: text[..<count]))
        }
        head = UInt64(bigEndian: words.0)
        tail = UInt64(bigEndian: words.1) | UInt64(min(text.count, 16) + 1)
    }

    /// Whether the elements of a leaf are such texts: it is of the short form (content 6.6.1).
    @inline(__always)
    static func makeUp(_ root: Node) -> Bool {
        root.header.schemeCode == 1 && !root.header.hasRefs && !root.header.isInner && 1...16 ~= root.width
    }

    /// The text in a row of a leaf of the short form.
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

    /// Whether this comes before `other`; without a branch, because in a search nobody can tell which way it goes.
    @inline(__always)
    func isBelow(_ other: ShortText) -> Bool {
        let (difference, isHeadBelow) = head.subtractingReportingOverflow(other.head)
        return isHeadBelow != (difference == 0 && tail < other.tail)
    }
}
