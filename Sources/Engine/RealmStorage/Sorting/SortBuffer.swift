// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// Indices of objects, with the words by which they're sorted.
///
/// There are two arrays of `count`; `rows` is the current one.
@safe
struct SortBuffer: ~Copyable {
    struct Row {
        var word: UInt64
        var place: Int32
    }

    let count: Int
    private let memory: ScratchMemory
    private var rows: UnsafeMutablePointer<Row>
    private var spare: UnsafeMutablePointer<Row>

    /// The indices `0..<count`, without words.
    init(count: Int) {
        self.count = count
        memory = ScratchMemory(byteCount: 2 * count * MemoryLayout<Row>.stride)
        unsafe rows = memory.base.bindMemory(to: Row.self, capacity: 2 * count)
        unsafe spare = unsafe rows + count
        for place in 0..<count { unsafe (rows + place).initialize(to: Row(word: 0, place: Int32(place))) }
    }

    subscript(index: Int) -> Row {
        get {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
            return unsafe rows[index]
        }
        set {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
            unsafe rows[index] = newValue
        }
    }

    var places: [Int32] {
        let (rows, count) = unsafe (rows, count)
        return unsafe Array(unsafeUninitializedCapacity: count) { buffer, filled in
            for index in 0..<count { unsafe buffer.initializeElement(at: index, to: rows[index].place) }
            filled = count
        }
    }

    mutating func setWords(_ group: WordGroup) {
        let (rows, count) = unsafe (rows, count)
        for (number, part) in group.parts.enumerated() {
            precondition(part.words.count == count)
            let (shift, bound, isFirst) = (UInt64(part.bitCount), part.bound, number == 0)
            unsafe part.words.withUnsafeBufferPointer { words in
                for index in 0..<count {
                    let word = unsafe words[Int(rows[index].place)]
                    let code = part.ascending ? word &- bound : bound &- word
                    unsafe rows[index].word = isFirst ? code : unsafe rows[index].word << shift | code
                }
            }
        }
    }

    /// Sorts a range by the lowest `bitCount` bits of its words; the other bits must be equal. The sort is stable.
    mutating func sort(_ range: Range<Int>, bitCount: Int) {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        if range.count <= 32 {
            insertionSort(range)
        } else {
            radixSort(range, digitCount: (bitCount + 7) / 8)
        }
    }

    private mutating func insertionSort(_ range: Range<Int>) {
        let rows = unsafe rows
        guard range.count > 1 else { return }
        for index in range.dropFirst() {
            let row = unsafe rows[index]
            var hole = index
            while hole > range.lowerBound, unsafe rows[hole &- 1].word > row.word {
                unsafe rows[hole] = rows[hole &- 1]
                hole &-= 1
            }
            unsafe rows[hole] = row
        }
    }

    /// Sorts byte by byte from the lowest one. Counts the values of all bytes in one pass; bytes that are equal in all
    /// words need no further pass.
    private mutating func radixSort(_ range: Range<Int>, digitCount: Int) {
        let (start, count) = (range.lowerBound, range.count)
        // The sorted rows are moved outside of the closure. A closure that ends in a copy of memory may lose the
        // register with the thrown error (Swift 6.3), and appears to have thrown.
        let sorted = unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 8 * 256) { counts in
            unsafe counts.initialize(repeating: 0)
            var (from, to) = unsafe (rows + start, spare + start)
            guard unsafe !SortBuffer.count(from, count, digitCount, counts) else { return unsafe from }
            for digit in 0..<digitCount {
                let ends = unsafe UnsafeMutableBufferPointer(rebasing: counts[digit &* 256..<digit &* 256 &+ 256])
                let shift = UInt64(digit &* 8)
                let sample = unsafe Int((from[0].word >> shift) & 255)
                guard unsafe ends[sample] != count else { continue }
                unsafe SortBuffer.distribute(from, count, into: to, by: shift, ends)
                unsafe swap(&from, &to)
            }
            return unsafe from
        }
        guard unsafe sorted != rows + start else { return }
        if count == self.count {
            unsafe swap(&rows, &spare)
        } else {
            unsafe (rows + start).update(from: sorted, count: count)
        }
    }

    @inline(__always)
    private static func distribute(
        _ from: UnsafeMutablePointer<Row>, _ count: Int, into to: UnsafeMutablePointer<Row>, by shift: UInt64,
        _ ends: UnsafeMutableBufferPointer<UInt32>
    ) {
        var sum: UInt32 = 0
        for value in 0..<256 {
            let next = unsafe sum &+ ends[value]
            unsafe ends[value] = sum
            sum = next
        }
        for index in 0..<count {
            let row = unsafe from[index]
            let value = Int((row.word >> shift) & 255)
            let place = unsafe ends[value]
            unsafe to[Int(place)] = row
            unsafe ends[value] = place &+ 1
        }
    }

    /// Counts the values of each byte. Returns whether the rows are already in order.
    private static func count(
        _ rows: UnsafeMutablePointer<Row>, _ count: Int, _ digitCount: Int,
        _ counts: UnsafeMutableBufferPointer<UInt32>
    ) -> Bool {
        var isSorted = true
        var last: UInt64 = 0
        for index in 0..<count {
            let word = unsafe rows[index].word
            isSorted = isSorted && last <= word
            last = word
            var rest = word
            for digit in 0..<digitCount {
                unsafe counts[digit &* 256 &+ Int(rest & 255)] &+= 1
                rest >>= 8
            }
        }
        return isSorted
    }
}
