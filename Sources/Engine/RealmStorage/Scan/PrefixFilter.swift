// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A filter of the first bytes of some strings. A scan tests one bit for each string, and reads the string only if the
/// bit is set.
///
/// A bit represents many prefixes, selected by the seed of this process, so an attacker can't choose strings that all
/// have their bits set.
package struct PrefixFilter: Sendable {
    private var bits: [UInt64]
    private let shift: UInt64
    private let seed = HashSeed.value

    /// The number of bits for a string. The maximum keeps the array from filling the caches.
    private static let bitsPerString = 32
    private static let maxBitCount = 1 << 21

    package init(_ strings: [[UInt8]]) {
        var size = 1024
        while size < strings.count * PrefixFilter.bitsPerString, size < PrefixFilter.maxBitCount { size *= 2 }
        bits = Array(repeating: 0, count: size / 64)
        shift = UInt64(64 - size.trailingZeroBitCount)
        for string in strings {
            let words = unsafe string.withUnsafeBytes { unsafe SIMD2(beginning: .init(rebasing: $0.prefix(15))) }
            let place = place(words.x, words.y)
            bits[place >> 6] |= 1 << UInt64(place & 63)
        }
    }

    /// The index of the bit for a string with these first fifteen bytes, padded with zeros. More bytes aren't used, so
    /// the width of the element makes no difference.
    @inline(__always)
    private func place(_ low: UInt64, _ high: UInt64) -> Int {
        Int(truncatingIfNeeded: HashSeed.mixed((HashSeed.mixed(low ^ seed) &+ seed) ^ high) &>> shift)
    }

    /// 1 for each of the strings and for few others.
    @inline(__always)
    fileprivate func flag(_ low: UInt64, _ high: UInt64) -> UInt8 {
        let place = place(low, high)
        return UInt8(truncatingIfNeeded: bits[place >> 6] &>> UInt64(place & 63)) & 1
    }
}

extension Node {
    /// Returns the short strings that may be among those of the filter; all, if the elements are too small.
    func rows(from start: Int, count: Int, among beginnings: PrefixFilter) -> RowSet {
        verify(start, count)
        guard width >= 8 else { return RowSet(count: count) }
        let size = width
        let first = unsafe payload + start &* size
        return unsafe RowFlags.rows(count) { flags in
            for row in 0..<count {
                let element = unsafe first + row &* size
                let padding = unsafe element.load(fromByteOffset: size &- 1, as: UInt8.self)
                let length = size &- 1 &- Int(padding)
                let low = unsafe UInt64(littleEndian: element.loadUnaligned(as: UInt64.self))
                let high =
                    size == 8
                    ? 0 : unsafe UInt64(littleEndian: element.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
                let flag = beginnings.flag(
                    low & UInt64.maskOfFirst(length), high & UInt64.maskOfFirst(min(length, 15) &- 8))
                unsafe flags.storeBytes(of: flag, toByteOffset: row, as: UInt8.self)
            }
        }
    }
}

extension ColumnLeaf {
    /// A match must have one of the filter's prefixes.
    package func rows(
        from start: Int, _ rows: RowSet, count: Int, among beginnings: PrefixFilter,
        _ matches: (UnsafeRawBufferPointer) throws -> Bool
    ) throws -> RowSet {
        unsafe try filterCandidates(from: start, rows) {
            $0.rows(from: start, count: count, among: beginnings)
        } matching: {
            unsafe try matches($0)
        }
    }
}
