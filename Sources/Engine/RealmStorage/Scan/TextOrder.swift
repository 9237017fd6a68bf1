// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Sorts strings by their bytes (content 8.2), and finds equal ones.
///
/// Sorts by seven bytes at a time, from the first offset at which the strings differ. Ties are sorted again by the
/// bytes that follow.
extension TextRows {
    /// Returns numbers in the order of the strings, equal ones for equal strings. Null is first.
    package func ranks() -> [UInt64] {
        let (places, isSame) = order()
        var ranks = [UInt64](repeating: 0, count: count)
        var rank: UInt64 = 0
        for index in places.indices {
            if index > 0, !isSame[index] { rank += 1 }
            ranks[Int(places[index])] = rank
        }
        return ranks
    }

    /// Returns all indices in the order of the strings. The sort is stable.
    package func sorted() -> [Int32] { order().places }

    /// Returns the indices in order, and whether each has the same string as the one before.
    private func order() -> (places: [Int32], isSame: [Bool]) {
        var rows = SortBuffer(count: count)
        var isSame = [Bool](repeating: false, count: count)
        let nullCount = setNullsFirst(&rows)
        for index in 1..<max(1, nullCount) { isSame[index] = true }
        // Ranges of strings with the same first bytes, and the number of these bytes.
        var rest = [(range: nullCount..<count, offset: 0)]
        while let (range, offset) = rest.popLast() {
            if range.count <= 16 {
                sort(range, from: offset, &rows, &isSame)
                continue
            }
            let offset = commonEnd(of: range, from: offset, rows)
            let bitCount = setWords(range, at: offset, &rows)
            rows.sort(range, bitCount: bitCount)
            forEachTie(range, rows) { tie, isDecided in
                if isDecided {
                    for index in tie.dropFirst() { isSame[index] = true }
                } else {
                    rest.append((tie, offset + 7))
                }
            }
        }
        return (rows.places, isSame)
    }

    private func setNullsFirst(_ rows: inout SortBuffer) -> Int {
        var isAnyNull = false
        for place in 0..<count where isNull(place) {
            isAnyNull = true
            break
        }
        guard isAnyNull else { return 0 }
        var nullCount = 0
        for index in 0..<count {
            let isNull = isNull(index)
            rows[index] = SortBuffer.Row(word: isNull ? 0 : 1, place: Int32(index))
            nullCount += isNull ? 1 : 0
        }
        rows.sort(0..<count, bitCount: 1)
        return nullCount
    }

    /// Returns the length of the common prefix of all strings of a range. It's at least `offset`.
    private func commonEnd(of range: Range<Int>, from offset: Int, _ rows: borrowing SortBuffer) -> Int {
        let first = Int(rows[range.lowerBound].place)
        var end = length(first)
        for index in range.dropFirst() where end > offset {
            end = commonEnd(first, Int(rows[index].place), from: offset, to: end)
        }
        return end
    }

    /// Returns the number of bits in which the words differ, from the lowest bit.
    private func setWords(_ range: Range<Int>, at offset: Int, _ rows: inout SortBuffer) -> Int {
        var differing: UInt64 = 0
        let sample = word(Int(rows[range.lowerBound].place), at: offset)
        for index in range {
            let place = rows[index].place
            let word = word(Int(place), at: offset)
            differing |= word ^ sample
            rows[index] = SortBuffer.Row(word: word, place: place)
        }
        return 64 - differing.leadingZeroBitCount
    }

    /// Calls `body` with each range of more than one equal word, and whether equal words imply equal strings.
    private func forEachTie(_ range: Range<Int>, _ rows: borrowing SortBuffer, _ body: (Range<Int>, Bool) -> Void) {
        var start = range.lowerBound
        while start < range.upperBound {
            let word = rows[start].word
            var end = start + 1
            while end < range.upperBound, rows[end].word == word { end += 1 }
            if end - start > 1 { body(start..<end, word & 255 < 8) }
            start = end
        }
    }

    /// Sorts a few strings by insertion. They must have `offset` bytes in common.
    private func sort(_ range: Range<Int>, from offset: Int, _ rows: inout SortBuffer, _ isSame: inout [Bool]) {
        guard range.count > 1 else { return }
        for index in range.dropFirst() {
            let row = rows[index]
            var hole = index
            while hole > range.lowerBound, compare(Int(rows[hole - 1].place), Int(row.place), from: offset) > 0 {
                rows[hole] = rows[hole - 1]
                hole -= 1
            }
            rows[hole] = row
        }
        for index in range.dropFirst() {
            isSame[index] = compare(Int(rows[index - 1].place), Int(rows[index].place), from: offset) == 0
        }
    }

    /// Returns a negative number, zero, or a positive one. Neither string may be null.
    private func compare(_ a: Int, _ b: Int, from offset: Int) -> Int {
        let end = commonEnd(a, b, from: offset, to: .max)
        let (wordA, wordB) = (word(a, at: end), word(b, at: end))
        return wordA < wordB ? -1 : wordA == wordB ? 0 : 1
    }

    // MARK: Distinct strings

    /// Numbers the distinct strings from 0 on, in the order of their first occurrences.
    package func numbers() -> [UInt64] {
        var table = TextTable()
        return (0..<count).map { UInt64(table.number(of: $0, self)) }
    }

    /// Returns the index of the first occurrence of each string, ascending.
    package func distinct() -> [Int32] {
        var table = TextTable()
        var firsts: [Int32] = []
        for place in 0..<count where table.number(of: place, self) == firsts.count { firsts.append(Int32(place)) }
        return firsts
    }
}

private struct TextTable {
    private struct Slot {
        var hash: UInt64
        var place: Int32
        /// The number plus one; 0 for a free slot.
        var number: UInt32
    }

    private var slots = [Slot](repeating: Slot(hash: 0, place: 0, number: 0), count: 256)
    private var count = 0
    private let seed = HashSeed.value

    mutating func number(of place: Int, _ texts: TextRows) -> Int {
        let hash = texts.hash(place, seed: seed)
        let mask = slots.count &- 1
        var index = Int(truncatingIfNeeded: hash) & mask
        while slots[index].number != 0 {
            if slots[index].hash == hash, texts.isEqual(Int(slots[index].place), place) {
                return Int(slots[index].number) &- 1
            }
            index = (index &+ 1) & mask
        }
        count &+= 1
        slots[index] = Slot(hash: hash, place: Int32(place), number: UInt32(count))
        if count &* 2 > slots.count { grow() }
        return count &- 1
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: Slot(hash: 0, place: 0, number: 0), count: old.count * 4)
        let mask = slots.count &- 1
        for slot in old where slot.number != 0 {
            var index = Int(truncatingIfNeeded: slot.hash) & mask
            while slots[index].number != 0 { index = (index &+ 1) & mask }
            slots[index] = slot
        }
    }
}
