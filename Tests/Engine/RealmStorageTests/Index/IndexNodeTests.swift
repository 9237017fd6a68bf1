// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Testing

@testable import RealmStorage

/// Searches in one node from any start.
struct IndexNodeTests {
    @Test func lowerBoundsAreThoseOfAPlainSearch() throws {
        var random = SplitMix(state: randomSeed("lowerBoundsAreThoseOfAPlainSearch"))
        for round in 0..<120 {
            let keys = IndexNodeTests.keys(round, &random)
            let harness = try IndexStore(capacity: 1000)
            defer { withExtendedLifetime(harness) {} }
            let ref = try SearchIndexEditor(harness.store).createNode(
                keys: keys, elements: keys.indices.map { Int64($0 * 2 + 1) }, isInner: false)
            let node = try IndexNode(harness.store.space, ref)
            for _ in 0..<200 {
                let chunk = IndexNodeTests.chunk(near: keys, &random)
                let expected = keys.firstIndex { $0 >= chunk } ?? keys.count
                #expect(node.lowerBound(chunk) == expected)
                for span in IndexNodeTests.spans(keys, &random) {
                    #expect(node.lowerBound(chunk, in: span) == expected, "\(chunk) in \(span), \(keys.count) keys")
                }
            }
        }
    }

    @Test func aBranchReturnsTheSpansOfItsChildren() throws {
        let harness = try IndexStore(capacity: 1000)
        defer { withExtendedLifetime(harness) {} }
        let ref = try SearchIndexEditor(harness.store).createNode(
            keys: [-5, 7, 7, 9], elements: [1, 3, 5, 7], isInner: false)
        let node = try IndexNode(harness.store.space, ref)
        #expect((-1...4).map(node.span) == [nil, nil, -5...7, nil, 7...9, nil])
    }

    private static func keys(_ round: Int, _ random: inout SplitMix) -> [Int32] {
        let count = Int.random(in: round % 4 == 0 ? 1...70 : 65...1000, using: &random)
        switch round % 3 {
        case 0:
            let first = Int32.random(in: -1_000_000...1_000_000, using: &random)
            return (0..<count).map { first + Int32($0) }
        case 1: return Set((0..<count).map { _ in Int32.random(in: .min ... .max, using: &random) }).sorted()
        default:
            let heaps = (0..<5).map { _ in Int32.random(in: -1_000_000_000...1_000_000_000, using: &random) }
            return Set((0..<count).map { heaps[$0 % 5] + Int32.random(in: 0...2_000, using: &random) }).sorted()
        }
    }

    private static func chunk(near keys: [Int32], _ random: inout SplitMix) -> Int32 {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: .random(in: .min ... .max, using: &random)
        case 1: [.min, .max, keys[0], keys[keys.count - 1]].randomElement(using: &random) ?? 0
        default: keys[Int.random(in: 0..<keys.count, using: &random)] &+ Int32.random(in: -1...1, using: &random)
        }
    }

    private static func spans(_ keys: [Int32], _ random: inout SplitMix) -> [ClosedRange<Int32>] {
        let (a, b) = (Int32.random(in: .min ... .max, using: &random), Int32.random(in: .min ... .max, using: &random))
        return [keys[0]...keys[keys.count - 1], min(a, b)...max(a, b), a...a, .min ... .max, .min ... .min]
    }
}
