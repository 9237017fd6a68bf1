// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The loops over packed elements: one for each width, chosen once per leaf.
///
/// The compiler vectorises them: they first write a byte of 0 or 1 for each element, without branches. One
/// multiplication then converts eight of these bytes to eight bits of a set.
extension Node {
    /// At most 256 elements.
    func rows(from start: Int, count: Int, in range: ClosedRange<Int64>) -> RowSet {
        verify(start, count)
        switch header.widthCode {
        case 0: return range.contains(0) ? RowSet(count: count) : RowSet()
        case 4: return wide(start, count, range, Int8.self)
        case 5: return wide(start, count, range, Int16.self)
        case 6: return wide(start, count, range, Int32.self)
        case 7: return wide(start, count, range, Int64.self)
        default: return narrow(start, count, range)
        }
    }

    func count(from start: Int, count: Int, in range: ClosedRange<Int64>) -> Int {
        verify(start, count)
        switch header.widthCode {
        case 0: return range.contains(0) ? count : 0
        case 4: return countWide(start, count, range, Int8.self)
        case 5: return countWide(start, count, range, Int16.self)
        case 6: return countWide(start, count, range, Int32.self)
        case 7: return countWide(start, count, range, Int64.self)
        default: return narrow(start, count, range).count
        }
    }

    /// `flag` must return 0 or 1.
    @inlinable @inline(__always)
    func rows(from start: Int, count: Int, _ flag: (Int64) -> UInt8) -> RowSet {
        verify(start, count)
        return unsafe RowFlags.rows(count) { flags in
            var row = 0
            forEachPacked(from: start, count: count) { element in
                unsafe flags.storeBytes(of: flag(element), toByteOffset: row, as: UInt8.self)
                row &+= 1
            }
        }
    }

    @inlinable
    func verify(_ start: Int, _ count: Int) {
        precondition(start >= 0 && count >= 0 && count <= RowSet.capacity && start <= self.count - count)
    }

    /// For elements of one byte or more. `x` is in `low...high` if `x - low`, unsigned, is at most `high - low`.
    @inline(__always)
    private func wide<Element: FixedWidthInteger & SignedInteger>(
        _ start: Int, _ count: Int, _ range: ClosedRange<Int64>, _: Element.Type
    ) -> RowSet {
        guard let (low, span) = Node.clamped(range, Element.self) else { return RowSet() }
        let size = MemoryLayout<Element>.size
        return unsafe RowFlags.rows(count) { flags in
            for row in 0..<count {
                let element = unsafe Element(
                    littleEndian: payload.loadUnaligned(fromByteOffset: (start &+ row) &* size, as: Element.self))
                let isInside = Element.Magnitude(truncatingIfNeeded: element &- low) <= span
                unsafe flags.storeBytes(of: isInside ? 1 : 0, toByteOffset: row, as: UInt8.self)
            }
        }
    }

    @inline(__always)
    private func countWide<Element: FixedWidthInteger & SignedInteger>(
        _ start: Int, _ count: Int, _ range: ClosedRange<Int64>, _: Element.Type
    ) -> Int {
        guard let (low, span) = Node.clamped(range, Element.self) else { return 0 }
        let size = MemoryLayout<Element>.size
        var (total, row) = (0, 0)
        while row < count {
            // The number of so few elements fits one byte.
            let end = min(row &+ 128, count)
            var part: Element.Magnitude = 0
            while row < end {
                let element = unsafe Element(
                    littleEndian: payload.loadUnaligned(fromByteOffset: (start &+ row) &* size, as: Element.self))
                part &+= Element.Magnitude(truncatingIfNeeded: element &- low) <= span ? 1 : 0
                row &+= 1
            }
            total &+= Int(truncatingIfNeeded: part)
        }
        return total
    }

    @inline(__always)
    private static func clamped<Element: FixedWidthInteger & SignedInteger>(
        _ range: ClosedRange<Int64>, _: Element.Type
    ) -> (low: Element, span: Element.Magnitude)? {
        guard range.upperBound >= Int64(Element.min), range.lowerBound <= Int64(Element.max) else { return nil }
        let low = Element(clamping: range.lowerBound)
        return (low, Element.Magnitude(truncatingIfNeeded: Element(clamping: range.upperBound) &- low))
    }

    /// For elements of 1, 2 or 4 bits. Reads whole bytes, from the one with the first element.
    private func narrow(_ start: Int, _ count: Int, _ range: ClosedRange<Int64>) -> RowSet {
        let code = header.widthCode
        guard range.upperBound >= 0, range.lowerBound < 16, count > 0 else { return RowSet() }
        let low = UInt8(clamping: range.lowerBound)
        let span = UInt8(clamping: range.upperBound) &- low
        let first = start >> (4 &- code)
        let lead = start &- first << (4 &- code)
        let last = (start &+ count &- 1) >> (4 &- code)
        return unsafe RowFlags.rows(count, lead: lead) { flags in
            let bytes = unsafe payload + first
            for index in 0...(last &- first) {
                let byte = unsafe bytes.load(fromByteOffset: index, as: UInt8.self)
                switch code {
                case 3:
                    unsafe flags.storeBytes(
                        of: (byte & 15) &- low <= span ? 1 : 0, toByteOffset: index &* 2, as: UInt8.self)
                    unsafe flags.storeBytes(
                        of: (byte &>> 4) &- low <= span ? 1 : 0, toByteOffset: index &* 2 &+ 1, as: UInt8.self)
                case 2:
                    for part in 0..<4 {
                        let element = (byte &>> UInt8(truncatingIfNeeded: part &* 2)) & 3
                        unsafe flags.storeBytes(
                            of: element &- low <= span ? 1 : 0, toByteOffset: index &* 4 &+ part, as: UInt8.self)
                    }
                default:
                    for part in 0..<8 {
                        let element = (byte &>> UInt8(truncatingIfNeeded: part)) & 1
                        unsafe flags.storeBytes(
                            of: element &- low <= span ? 1 : 0, toByteOffset: index &* 8 &+ part, as: UInt8.self)
                    }
                }
            }
        }
    }

    /// A NaN isn't in any range.
    func rows(from start: Int, count: Int, in range: ClosedRange<Float>) -> RowSet {
        floating(start, count) { (range.lowerBound <= $0 ? 1 : 0) & ($0 <= range.upperBound ? 1 : 0) }
    }

    func rows(from start: Int, count: Int, in range: ClosedRange<Double>) -> RowSet {
        floating(start, count) { (range.lowerBound <= $0 ? 1 : 0) & ($0 <= range.upperBound ? 1 : 0) }
    }

    func rows(from start: Int, count: Int, withPattern pattern: UInt32) -> RowSet {
        floating(start, count) { (value: Float) in value.bitPattern == pattern ? 1 : 0 }
    }

    func rows(from start: Int, count: Int, withPattern pattern: UInt64) -> RowSet {
        floating(start, count) { (value: Double) in value.bitPattern == pattern ? 1 : 0 }
    }

    @inline(__always)
    private func floating<Element: BinaryFloatingPoint>(
        _ start: Int, _ count: Int, _ flag: (Element) -> UInt8
    ) -> RowSet {
        let size = MemoryLayout<Element>.size
        verify(start, count)
        precondition(count == 0 || width == size)
        return unsafe RowFlags.rows(count) { flags in
            for row in 0..<count {
                let element = unsafe payload.loadUnaligned(fromByteOffset: (start &+ row) &* size, as: Element.self)
                unsafe flags.storeBytes(of: flag(element), toByteOffset: row, as: UInt8.self)
            }
        }
    }

    /// Returns the elements of 8 or 16 bytes that equal `wanted` in the bits of its mask. Bits of `fold` count as set.
    func rows(from start: Int, count: Int, like wanted: ElementBytes) -> RowSet {
        let (words, fold, mask) = (wanted.words, wanted.fold, wanted.mask)
        verify(start, count)
        precondition(count == 0 || width == 8 || width == 16)
        let first = unsafe payload + start * width
        if width == 16, mask.y != 0, let few = unsafe Node.fewRows(first, count, like: wanted) { return few }
        return unsafe RowFlags.rows(count) { flags in
            if width == 8 {
                for row in 0..<count {
                    let word = unsafe first.loadUnaligned(fromByteOffset: row &* 8, as: UInt64.self)
                    let isEqual = ((word | fold.x) ^ words.x) & mask.x == 0
                    unsafe flags.storeBytes(of: isEqual ? 1 : 0, toByteOffset: row, as: UInt8.self)
                }
            } else {
                for row in 0..<count {
                    let low = unsafe first.loadUnaligned(fromByteOffset: row &* 16, as: UInt64.self)
                    let high = unsafe first.loadUnaligned(fromByteOffset: row &* 16 &+ 8, as: UInt64.self)
                    let isEqual =
                        (((low | fold.x) ^ words.x) & mask.x) | (((high | fold.y) ^ words.y) & mask.y) == 0
                    unsafe flags.storeBytes(of: isEqual ? 1 : 0, toByteOffset: row, as: UInt8.self)
                }
            }
        }
    }

    /// Finds elements of 16 bytes if few have the wanted second half; returns nil otherwise. Texts with equal
    /// beginnings differ in that half. The first half isn't read, and a branch that is almost never taken costs little.
    private static func fewRows(_ first: UnsafeRawPointer, _ count: Int, like wanted: ElementBytes) -> RowSet? {
        let (word, fold, mask) = (wanted.words.y, wanted.fold.y, wanted.mask.y)
        var few = RowSet()
        var room = 4
        for row in 0..<count {
            let element = unsafe first + row &* 16
            let high = unsafe element.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            guard ((high | fold) ^ word) & mask == 0 else { continue }
            guard room > 0 else { return nil }
            room &-= 1
            let low = unsafe element.loadUnaligned(as: UInt64.self)
            if ((low | wanted.fold.x) ^ wanted.words.x) & wanted.mask.x == 0 { few.insert(row) }
        }
        return few
    }

    @inlinable @inline(__always)
    func forEachPacked(from start: Int, count: Int, _ body: (Int64) -> Void) {
        precondition(start >= 0 && count >= 0 && start <= self.count - count)
        switch header.widthCode {
        case 4: for row in start..<start + count { body(unsafe Node.load(payload, row, 4)) }
        case 5: for row in start..<start + count { body(unsafe Node.load(payload, row, 5)) }
        case 6: for row in start..<start + count { body(unsafe Node.load(payload, row, 6)) }
        case 7: for row in start..<start + count { body(unsafe Node.load(payload, row, 7)) }
        case let code: for row in start..<start + count { body(unsafe Node.load(payload, row, code)) }
        }
    }
}

struct ElementBytes: Sendable {
    fileprivate var words = SIMD2<UInt64>.zero
    /// Bits that may be set or not; they're set in `words`.
    fileprivate var fold = SIMD2<UInt64>.zero
    fileprivate var mask = SIMD2<UInt64>.zero

    /// Requires these first bytes, at most 16.
    mutating func require(_ first: UnsafeRawBufferPointer) {
        unsafe words = SIMD2(beginning: first)
        mask = SIMD2(UInt64.maskOfFirst(first.count), UInt64.maskOfFirst(first.count - 8))
    }

    /// Requires one of two bytes at `place`. `other` must have at most one bit less than `byte`.
    mutating func require(_ byte: UInt8, or other: UInt8, at place: Int) {
        let shift = UInt64((place & 7) * 8)
        words[place >> 3] |= UInt64(byte) << shift
        fold[place >> 3] |= UInt64(byte ^ other) << shift
        mask[place >> 3] |= 0xFF << shift
    }
}

/// The bytes of a search for strings or data, and the elements of the short form that represent them. Created once for
/// all leaves of a scan.
package struct BytesLookup: Sendable {
    package let bytes: [UInt8]
    /// The elements of 8 and of 16 bytes; nil if the bytes don't fit.
    let eight: ElementBytes?
    let sixteen: ElementBytes?

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        eight = BytesLookup.element(ofWidth: 8, bytes)
        sixteen = BytesLookup.element(ofWidth: 16, bytes)
    }

    private static func element(ofWidth width: Int, _ bytes: [UInt8]) -> ElementBytes? {
        guard bytes.count < width else { return nil }
        var element = ElementBytes()
        unsafe bytes.withUnsafeBytes { unsafe element.require($0) }
        // The last byte determines the length, so the bytes before it needn't be compared.
        let padding = UInt8(truncatingIfNeeded: width - 1 - bytes.count)
        element.require(padding, or: padding, at: width - 1)
        return element
    }
}

extension SIMD2<UInt64> {
    /// At most 16 bytes, as at the beginning of an element, followed by zeros.
    init(beginning bytes: UnsafeRawBufferPointer) {
        self = .zero
        unsafe withUnsafeMutableBytes(of: &self) { unsafe $0.copyMemory(from: bytes) }
        self = SIMD2(UInt64(littleEndian: x), UInt64(littleEndian: y))
    }
}

extension UInt64 {
    /// A mask of the first `count` bytes of a word; empty if `count` is negative, all ones from 8 on.
    @inline(__always)
    static func maskOfFirst(_ count: Int) -> UInt64 { ~0 >> (64 &- 8 &* UInt64(Swift.max(0, Swift.min(count, 8)))) }
}

/// Bytes of 0 and 1, to be converted to a set of rows.
@usableFromInline
enum RowFlags {
    /// Returns the rows whose byte `fill` sets to 1. `fill` must write a byte for each row and may write up to eight
    /// more. The byte of row 0 is at `lead`, at most 7.
    @inlinable @inline(__always)
    static func rows(_ count: Int, lead: Int = 0, _ fill: (UnsafeMutableRawPointer) -> Void) -> RowSet {
        var set = RowSet()
        let byteCount = RowSet.capacity + 24
        unsafe withUnsafeTemporaryAllocation(byteCount: byteCount, alignment: 16) { buffer in
            guard let flags = buffer.baseAddress else { return }
            unsafe fill(flags)
            // The last row's group of eight may contain other bytes after it.
            for index in count..<((count &+ 7) & ~7) {
                unsafe flags.storeBytes(of: 0, toByteOffset: lead &+ index, as: UInt8.self)
            }
            for word in 0..<(count &+ 63) / 64 {
                var bits: UInt64 = 0
                for group in 0..<min(8, (count &+ 7) / 8 &- word &* 8) {
                    let bytes = unsafe flags.loadUnaligned(
                        fromByteOffset: lead &+ word &* 64 &+ group &* 8, as: UInt64.self)
                    // The lowest bit of byte i becomes bit i of the top byte.
                    bits |= ((bytes &* 0x0102_0408_1020_4080) &>> 56) &<< UInt64(truncatingIfNeeded: group &* 8)
                }
                set.words[word] = bits
            }
        }
        return set
    }
}
