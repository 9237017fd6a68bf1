// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmStorage

@Suite struct PrefixFilterTests {
    @Test func nothingOfTheSetIsLeftOut() {
        var random = SeededGenerator(for: "nothingOfTheSetIsLeftOut")
        for round in 0..<500 {
            let width = [1, 2, 4, 8, 16, 32, 64][round % 7]
            let texts = (0..<Int.random(in: 1...300, using: &random)).map { _ in
                random.below(9) == 0
                    ? nil : String((0..<random.below(width)).map { _ in "abc".randomElement(using: &random)! })
            }
            let wanted = Set(texts.compactMap(\.self).filter { _ in random.below(3) == 0 })
            let beginnings = PrefixFilter(wanted.map { Array($0.utf8) })
            let start = Int.random(in: 0..<texts.count, using: &random)
            let count = min(texts.count - start, Int.random(in: 0...256, using: &random))
            ShortStrings.withNode(texts, width: width, filler: round % 2 == 0 ? 0 : 0xA5) { node in
                let candidates = node.rows(from: start, count: count, among: beginnings)
                for row in 0..<count where texts[start + row].map(wanted.contains) ?? false {
                    #expect(candidates.contains(row), "\(texts[start + row] ?? "") of width \(width)")
                }
                #expect(candidates.subtracting(RowSet(count: count)).isEmpty)
            }
        }
    }

    /// Nearly all strings that differ in their first fifteen bytes are excluded. Otherwise the filter would be useless.
    @Test(arguments: [8, 16, 32])
    func falseCandidatesAreRare(_ width: Int) {
        let beginnings = PrefixFilter((0..<1_000).map { Array("p-\($0 * 7)".utf8) })
        let others = (0..<256).map { "q-\($0)" }
        ShortStrings.withNode(others, width: width) { node in
            #expect(node.rows(from: 0, count: 256, among: beginnings).count <= 40)
        }
    }
}
