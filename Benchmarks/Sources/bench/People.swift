// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// The data of all workloads, generated from a fixed seed and equal for every engine.
struct People {
    struct Row {
        let id: Int
        let name: String
        let age: Int
        let score: Double
        let born: Date
        let active: Bool
    }

    let rows: [Row]
    let shuffled: [Int]
    /// Names to search for, contiguous in memory, so that locating the constants isn't measured.
    let soughtNames: [String]

    init(count: Int) {
        var random = XorShift(state: 0x9E37_79B9_7F4A_7C15)
        rows = (0..<count).map { id in
            Row(
                id: id, name: "person-\(random.next() % 100_000)", age: Int(random.next() % 100),
                score: Double(random.next() % 1_000_000) / 1000,
                born: Date(timeIntervalSinceReferenceDate: Double(random.next() % 700_000_000)),
                active: random.next() & 1 == 0)
        }
        let shuffled = (0..<count).shuffled(using: &random)
        self.shuffled = shuffled
        soughtNames = shuffled.prefix(1000).map { [rows] in rows[$0].name }
    }
}

struct XorShift: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
