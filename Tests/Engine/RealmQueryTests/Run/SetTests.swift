// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTestSupport
import Testing

@testable import RealmQuery

/// The sets that evaluate IN compared with the standard library's.
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

    @Test func placesOfKeys() {
        var random = SeededGenerator(for: "places of keys")
        for spread in [100, 5_000, 1 << 40] {
            for isSqueezed in [false, true] {
                func key() -> ObjectKey {
                    let number = random.below(spread)
                    return isSqueezed && random.chance(90) ? .squeezed(UInt64(number)) : ObjectKey(Int64(number))
                }
                for count in [0, 1, 63, 64, 65, 1_000] {
                    let set = KeySet((0..<count / 2).map { _ in key() })
                    let given = (0..<count).map { _ in key() }
                    #expect(set.places(in: given) == given.indices.filter { set.contains(given[$0]) })
                }
            }
        }
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

    /// Testing each value defines IN where equality isn't transitive.
    @Test func mixed() {
        let seeded = SeededGenerator(for: "sets of mixed values")
        var random = RandomValues(seeded)
        for count in [0, 1, 5, 40, 400] {
            let values = (0..<count).map { _ in random.number() }
            let set = MixedSet(values)
            for value in values + (0..<500).map({ _ in random.number() }) {
                let expected = values.contains {
                    value.isComparable(to: $0) && StoredValue.compare(value, $0) == 0
                }
                #expect(set.contains(value) == expected, "\(value) in \(values)")
            }
        }
    }
}

/// Values that often equal values of other types.
private struct RandomValues {
    private var random: SeededGenerator

    init(_ random: SeededGenerator) { self.random = random }

    mutating func number() -> StoredValue {
        let whole = [0, 1, -1, 7, 1 << 24, 1 << 53, 1 << 62, .max, .min][random.below(9)] &+ random.below(3)
        let double = random.chance(30) ? [0.1, -0.0, .infinity, .nan, 1.5, 0.3][random.below(6)] : Double(whole)
        switch random.below(8) {
        case 0, 1: return .int(Int64(whole))
        case 2: return .float(Float(double))
        case 3: return .double(double)
        case 4: return .decimal(DecimalBits(Int64(whole)))
        case 5: return StoredValue.double(double).comparedAsDecimal.map { .decimal($0) } ?? .null
        case 6: return random.chance(50) ? .string("\(whole)") : .binary(Array("\(whole)".utf8))
        default:
            return random.chance(50)
                ? .bool(whole & 1 == 0)
                : .typedLink(ObjectLink(table: TableKey(1), object: ObjectKey(Int64(whole & 7))))
        }
    }
}
