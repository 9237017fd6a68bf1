// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTestSupport
import Testing

@testable import RealmQuery

/// The sets that IN is answered with, against those of the standard library.
@Suite struct SetTests {
    @Test(arguments: [Int64(10), 1_000, 1 << 40, .max])
    func integers(_ spread: Int64) {
        var random = SeededGenerator(seed: UInt64(spread))
        for count in [0, 1, 2, 7, 100, 3_000] {
            var values = (0..<count).map { _ in Int64.random(in: -spread...spread, using: &random) }
            if count > 2 { values += [.min, .max, 0, 0] }
            let set = IntegerSet(values)
            let expected = Set(values)
            #expect(set.values == expected.sorted())
            #expect(values.allSatisfy { set.contains($0) })
            let others =
                (0..<500).map { _ in Int64.random(in: -spread...spread, using: &random) } + [.min, .max, -1, 1]
            #expect(others.allSatisfy { set.contains($0) == expected.contains($0) })
        }
        let least = IntegerSet([.min, .min + 1, .max])
        #expect([.min, .min + 1, .max].allSatisfy { least.contains($0) })
        #expect(!least.contains(.min + 2) && !least.contains(0))
    }

    @Test func keys() {
        for isSqueezed in [false, true] {
            let keys = (0..<2_000).map { isSqueezed ? ObjectKey.squeezed($0 * 3) : ObjectKey(Int64($0 * 3)) }
            let set = KeySet(keys)
            #expect(set.keys == keys.sorted())
            #expect(keys.allSatisfy { set.contains($0) })
            let expected = Set(keys)
            for raw in (0..<20_000).map({ Int64($0) }) + [-1, -2, .max] {
                #expect(set.contains(ObjectKey(raw)) == expected.contains(ObjectKey(raw)))
            }
        }
        #expect(!KeySet([]).contains(ObjectKey(0)))
    }

    @Test func bytes() {
        var random = SeededGenerator(seed: 5)
        func text() -> [UInt8] {
            (0..<random.below(20)).map { _ in UInt8(truncatingIfNeeded: random.below(3)) }
        }
        for count in [0, 1, 50, 2_000] {
            let values = (0..<count).map { _ in text() }
            let set = ByteSet(values)
            let expected = Set(values)
            #expect(set.values == expected.sorted { ByteOrder.compare($0, $1) < 0 })
            for value in values + (0..<500).map({ _ in text() }) {
                #expect(value.withUnsafeBytes { set.contains($0) } == expected.contains(value))
            }
        }
    }
}
