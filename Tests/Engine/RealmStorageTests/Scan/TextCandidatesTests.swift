// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmStorage

@Suite struct TextCandidatesTests {
    private static let letters: [Unicode.Scalar] = ["a", "A", "b", "B", "7", "é", "É", "×", "÷"]

    private static func text(_ limit: Int, _ random: inout SeededGenerator) -> String {
        var text = ""
        while true {
            let next = text + String(letters[Int.random(in: 0..<letters.count, using: &random)])
            if next.utf8.count > limit || Int.random(in: 0..<16, using: &random) == 0 { return text }
            text = next
        }
    }

    @Test func nothingThatMatchesIsLeftOut() {
        var random = SeededGenerator(for: "nothingThatMatchesIsLeftOut")
        let operations: [TextPattern.Operation] = [.equal, .beginsWith, .endsWith, .contains, .like]
        for round in 0..<1500 {
            let width = [1, 2, 4, 8, 16, 32, 64][round % 7]
            let texts = (0..<Int.random(in: 1...300, using: &random)).map { _ in
                Int.random(in: 0..<9, using: &random) == 0 ? nil : Self.text(width - 1, &random)
            }
            let start = Int.random(in: 0..<texts.count, using: &random)
            let count = min(texts.count - start, Int.random(in: 0...256, using: &random))
            ShortStrings.withNode(texts, width: width) { node in
                for operation in operations {
                    let wanted = Self.text(Int.random(in: 0...4, using: &random), &random)
                    let pattern = TextPattern(
                        operation, operation == .like ? wanted + "*" : wanted, ignoringCase: round % 2 == 0)
                    let candidates = pattern.candidates(in: node, from: start, count: count)
                    for row in 0..<count where texts[start + row].map(pattern.matches) ?? false {
                        #expect(candidates.contains(row), "\(operation) \(wanted) in \(texts[start + row] ?? "")")
                    }
                    #expect(candidates.subtracting(RowSet(count: count)).isEmpty)
                }
            }
        }
    }

    /// A few bytes exclude most rows. Otherwise the filter would be useless.
    @Test func falseCandidatesAreRare() {
        let texts = (0..<256).map { "person-\($0 * 389 % 100_000)" }
        ShortStrings.withNode(texts, width: 16) { node in
            for (operation, wanted) in [(.contains, "777"), (.beginsWith, "PERSON-77"), (.equal, "person-778")]
                as [(TextPattern.Operation, String)]
            {
                let pattern = TextPattern(operation, wanted, ignoringCase: true)
                let candidates = pattern.candidates(in: node, from: 0, count: 256)
                let matching = texts.filter(pattern.matches).count
                #expect(candidates.count <= 60 + matching, "\(operation) \(candidates.count)")
            }
        }
    }
}
