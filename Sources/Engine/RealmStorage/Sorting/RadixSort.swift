// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A number for each of many objects, by which they are ordered or distinguished.
package struct SortKeyColumn {
    let words: [UInt64]
    let ascending: Bool

    package init(_ words: [UInt64], ascending: Bool = true) {
        self.words = words
        self.ascending = ascending
    }

    fileprivate var range: ClosedRange<UInt64> {
        var (least, greatest) = (UInt64.max, UInt64.min)
        for word in words {
            least = min(least, word)
            greatest = max(greatest, word)
        }
        return least...greatest
    }
}

package enum RadixSort {
    /// The maximum number of objects, limited by the type of their indices.
    package static let maximumCount = Int(Int32.max)

    /// Returns the indices of `count` objects in the order of the columns, the first of which is the most significant.
    /// The sort is stable.
    package static func sorted(_ columns: [SortKeyColumn], count: Int) -> [Int32] {
        let groups = packed(columns, count)
        guard !groups.isEmpty else { return Array(0..<Int32(count)) }
        var rows = SortBuffer(count: count)
        // The last words first: each sort is stable.
        for group in groups.reversed() {
            rows.setWords(group)
            rows.sort(0..<count, bitCount: group.bitCount)
        }
        return rows.places
    }

    /// Returns the index of the first object of each combination of words, ascending.
    package static func distinct(_ columns: [SortKeyColumn], count: Int) -> [Int32] {
        let groups = packed(columns, count)
        guard let first = groups.first else { return count == 0 ? [] : [0] }
        // Avoids copying a single column, which may be large.
        if groups.count == 1, first.parts.count == 1 {
            let part = first.parts[0]
            return DenseRanks.distinct(count, bitCount: first.bitCount) { part.word(at: $0) }
        }
        var (words, bitCount) = (first.words(count), first.bitCount)
        for group in groups.dropFirst() {
            var (more, moreBits) = (group.words(count), group.bitCount)
            bitCount = DenseRanks.number(&words)
            if bitCount + moreBits > 64 { moreBits = DenseRanks.number(&more) }
            for place in words.indices { words[place] |= more[place] &<< UInt64(bitCount) }
            bitCount += moreBits
        }
        return DenseRanks.distinct(count, bitCount: bitCount) { words[$0] }
    }

    /// Returns the columns that distinguish objects. Adjacent columns are combined if their bits fit one word.
    private static func packed(_ columns: [SortKeyColumn], _ count: Int) -> [WordGroup] {
        precondition(count <= maximumCount && columns.allSatisfy { $0.words.count == count })
        var groups: [WordGroup] = []
        for column in columns where count > 1 {
            let range = column.range
            guard range.lowerBound < range.upperBound else { continue }
            let part = WordGroup.Part(column, range)
            if let last = groups.last, last.bitCount + part.bitCount <= 64 {
                groups[groups.count - 1].add(part)
            } else {
                groups.append(WordGroup(part))
            }
        }
        return groups
    }
}

struct WordGroup {
    /// A column, with the part of its words that is compared: their distance from one end of their range.
    struct Part {
        let words: [UInt64]
        let ascending: Bool
        let bound: UInt64
        let bitCount: Int

        init(_ column: SortKeyColumn, _ range: ClosedRange<UInt64>) {
            words = column.words
            ascending = column.ascending
            bound = ascending ? range.lowerBound : range.upperBound
            bitCount = 64 - (range.upperBound - range.lowerBound).leadingZeroBitCount
        }

        @inline(__always)
        func word(at place: Int) -> UInt64 { ascending ? words[place] &- bound : bound &- words[place] }
    }

    private(set) var parts: [Part]
    private(set) var bitCount: Int

    init(_ part: Part) {
        parts = [part]
        bitCount = part.bitCount
    }

    mutating func add(_ part: Part) {
        parts.append(part)
        bitCount += part.bitCount
    }

    func words(_ count: Int) -> [UInt64] {
        var words = [UInt64](repeating: 0, count: count)
        for part in parts {
            let shift = UInt64(part.bitCount)
            // A part of 64 bits is always the only one.
            for place in 0..<count { words[place] = words[place] << shift | part.word(at: place) }
        }
        return words
    }
}
