// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmStorage

struct KeyOrderTests {
    @Test func keysAscendEachOnce() {
        var random = SeededGenerator(for: "keysAscendEachOnce")
        for _ in 0..<300 {
            let (count, shift) = (random.below(200), Int64(random.below(64)))
            let first = Int64(bitPattern: random.next()) >> shift
            var keys = (0..<count).map { _ in
                let spread = random.chance(50) ? Int64(random.below(500)) : Int64(bitPattern: random.next()) >> shift
                return ObjectKey(first &+ spread)
            }
            if random.chance(10) { keys.sort() }
            #expect(KeyOrder.ascending(keys) == Set(keys).sorted(), "seed \(random.seed)")
        }
        #expect(KeyOrder.ascending([ObjectKey(.max), ObjectKey(.min)]) == [ObjectKey(.min), ObjectKey(.max)])
    }
}
