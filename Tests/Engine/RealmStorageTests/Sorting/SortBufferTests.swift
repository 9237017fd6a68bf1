// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmStorage

@Suite struct SortBufferTests {
    /// Parts of a buffer and the whole, by keys of one byte to eight. After an odd number of passes the rows have to be
    /// moved back. Ties keep their order, and no other row moves.
    @Test(arguments: 1...8) func rangesAreSorted(_ byteCount: Int) throws {
        var random = SeededGenerator(for: "sort buffer, \(byteCount) bytes")
        let mask = UInt64.max >> UInt64(64 - 8 * byteCount)
        for count in [20, 33, 100, 300] {
            for range in [0..<count, 0..<count - 1, 1..<count, count / 3..<count] {
                var buffer = SortBuffer(count: count)
                for index in 0..<count {
                    let word = random.chance(30) ? UInt64(random.below(4)) : .random(in: 0...mask, using: &random)
                    buffer[index] = SortBuffer.Row(word: word, place: Int32(index))
                }
                let before = (0..<count).map { buffer[$0] }
                buffer.sort(range, bitCount: 8 * byteCount)
                let sorted = before[range].sorted { ($0.word, $0.place) < ($1.word, $1.place) }
                let expected = before[..<range.lowerBound] + sorted + before[range.upperBound...]
                try requireEqual(buffer.places, expected.map(\.place), "\(range) of \(count)")
            }
        }
    }
}
