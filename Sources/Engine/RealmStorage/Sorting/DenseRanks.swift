// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Finds distinct words: with a bit for each possible word if there are few, otherwise with a hash table.
enum DenseRanks {
    /// Returns the index of the first occurrence of each word, ascending. The words must have at most `bitCount` bits.
    @inline(__always)
    static func distinct(_ count: Int, bitCount: Int, word: (Int) -> UInt64) -> [Int32] {
        var firsts: [Int32] = []
        if bitCount < 40, 1 << bitCount <= max(1 << 16, 8 * count) {
            var seen = [UInt64](repeating: 0, count: max(1, 1 << (bitCount - 6)))
            for place in 0..<count {
                let word = word(place)
                let bit: UInt64 = 1 << (word & 63)
                guard seen[Int(word >> 6)] & bit == 0 else { continue }
                seen[Int(word >> 6)] |= bit
                firsts.append(Int32(place))
            }
            return firsts
        }
        var table = WordTable()
        for place in 0..<count where table.isNew(word(place)) { firsts.append(Int32(place)) }
        return firsts
    }

    /// Replaces words by numbers from 0 on, equal words by equal numbers. Returns the number of bits of the numbers.
    static func number(_ words: inout [UInt64]) -> Int {
        var table = WordTable()
        for place in words.indices { words[place] = UInt64(table.number(of: words[place])) }
        return 64 - UInt64(table.count).leadingZeroBitCount
    }
}

/// Numbers the distinct words in the order of their first occurrences.
///
/// A hash table with open addressing. The hash is different in each process, so an attacker can't create a file whose
/// words all have the same slot.
struct WordTable {
    private struct Slot {
        var word: UInt64
        /// The number plus one; 0 for a free slot.
        var number: UInt32
    }

    private var slots = [Slot](repeating: Slot(word: 0, number: 0), count: 256)
    private(set) var count = 0
    private let seed = HashSeed.value

    mutating func number(of word: UInt64) -> Int {
        let mask = slots.count &- 1
        var index = Int(truncatingIfNeeded: HashSeed.mixed(word ^ seed)) & mask
        while slots[index].number != 0 {
            if slots[index].word == word { return Int(slots[index].number) &- 1 }
            index = (index &+ 1) & mask
        }
        count &+= 1
        slots[index] = Slot(word: word, number: UInt32(count))
        if count &* 2 > slots.count { grow() }
        return count &- 1
    }

    /// Whether the word is new. Adds it.
    mutating func isNew(_ word: UInt64) -> Bool {
        let known = count
        return number(of: word) == known
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: Slot(word: 0, number: 0), count: old.count * 4)
        let mask = slots.count &- 1
        for slot in old where slot.number != 0 {
            var index = Int(truncatingIfNeeded: HashSeed.mixed(slot.word ^ seed)) & mask
            while slots[index].number != 0 { index = (index &+ 1) & mask }
            slots[index] = slot
        }
    }
}
