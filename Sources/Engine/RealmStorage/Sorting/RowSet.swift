// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A set of up to 256 consecutive rows, one bit each, which a scan narrows down.
@frozen @usableFromInline
package struct RowSet: Equatable, Sendable {
    /// The number of rows of a cluster leaf (content 5.2).
    @inlinable package static var capacity: Int { 256 }

    @usableFromInline var words: SIMD4<UInt64>

    @inlinable package init() { words = .zero }

    @inlinable package init(count: Int) {
        words = .zero
        for word in 0..<4 {
            let bits = min(max(count &- word &* 64, 0), 64)
            words[word] = bits == 64 ? ~0 : (1 << UInt64(bits)) &- 1
        }
    }

    @inlinable package var isEmpty: Bool { words == .zero }

    @inlinable package var count: Int {
        words.x.nonzeroBitCount &+ words.y.nonzeroBitCount &+ words.z.nonzeroBitCount &+ words.w.nonzeroBitCount
    }

    @inlinable package func contains(_ row: Int) -> Bool { words[row >> 6] & (1 << UInt64(row & 63)) != 0 }
    @inlinable package mutating func insert(_ row: Int) { words[row >> 6] |= 1 << UInt64(row & 63) }

    @inlinable package func union(_ other: RowSet) -> RowSet { RowSet(words: words | other.words) }
    @inlinable package func intersection(_ other: RowSet) -> RowSet { RowSet(words: words & other.words) }
    @inlinable package func subtracting(_ other: RowSet) -> RowSet { RowSet(words: words & ~other.words) }

    @inlinable init(words: SIMD4<UInt64>) { self.words = words }

    /// Visits the rows in ascending order until `body` returns false. Returns whether it never did.
    @inlinable @discardableResult package func forEach(_ body: (Int) throws -> Bool) rethrows -> Bool {
        for word in 0..<4 {
            var bits = words[word]
            while bits != 0 {
                guard try body(word &* 64 &+ bits.trailingZeroBitCount) else { return false }
                bits &= bits &- 1
            }
        }
        return true
    }

    @inlinable package func filter(_ matches: (Int) throws -> Bool) rethrows -> RowSet {
        var result = RowSet()
        for word in 0..<4 {
            // Inserting each row into the four words would move them to memory and back.
            var (bits, kept): (UInt64, UInt64) = (words[word], 0)
            while bits != 0 {
                let bit = bits.trailingZeroBitCount
                if try matches(word &* 64 &+ bit) { kept |= 1 &<< UInt64(bit) }
                bits &= bits &- 1
            }
            result.words[word] = kept
        }
        return result
    }

    @inlinable package var first: Int? {
        for word in 0..<4 where words[word] != 0 { return word &* 64 &+ words[word].trailingZeroBitCount }
        return nil
    }
}
