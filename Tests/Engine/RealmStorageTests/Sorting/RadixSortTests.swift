// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmStorage

/// Sorting and distinguishing by words compared with comparisons of all of them.
@Suite struct RadixSortTests {
    @Test func randomColumns() throws {
        var random = SeededGenerator(for: "RadixSortTests.randomColumns")
        let edges: [UInt64] = [0, 1, 255, 256, 1 << 31, 1 << 63, .max - 1, .max]
        for round in 0..<150 {
            let count = random.pick([0, 1, 2, 17, 32, 33, 100, 1000])
            let columns = (0..<random.below(4)).map { _ -> (words: [UInt64], ascending: Bool) in
                let shift = UInt64(random.below(64))
                var words = (0..<count).map { _ in random.chance(5) ? random.pick(edges) : random.next() >> shift }
                if random.chance(20) { words.sort() }
                if random.chance(20) { words = words.map { $0 & 0xFF00_0000_FF00_0000 } }
                return (words, random.chance(50))
            }
            func order(_ a: Int, _ b: Int) -> Int {
                for column in columns where column.words[a] != column.words[b] {
                    return (column.words[a] < column.words[b]) == column.ascending ? -1 : 1
                }
                return 0
            }
            let given = columns.map { SortKeyColumn($0.words, ascending: $0.ascending) }
            let sorted = (0..<count).sorted { order($0, $1) == 0 ? $0 < $1 : order($0, $1) < 0 }
            try withTrace("seed \(random.seed), round \(round)") {
                try requireEqual(RadixSort.sorted(given, count: count).map { Int($0) }, sorted, "the order")
                var firsts = sorted.indices.filter { $0 == 0 || order(sorted[$0 - 1], sorted[$0]) != 0 }.map {
                    sorted[$0]
                }
                firsts.sort()
                try requireEqual(RadixSort.distinct(given, count: count).map { Int($0) }, firsts, "the firsts")
            }
        }
    }

    @Test func manyWords() throws {
        var random = SeededGenerator(for: "RadixSortTests.manyWords")
        let count = 20_000
        let columns = (0..<3).map { _ in (0..<count).map { _ in random.pick([0, random.next(), .max, 77]) } }
        var seen: Set<[UInt64]> = []
        let expected = (0..<count).filter { index in seen.insert(columns.map { $0[index] }).inserted }
        #expect(RadixSort.distinct(columns.map { SortKeyColumn($0) }, count: count).map { Int($0) } == expected)
    }
}
