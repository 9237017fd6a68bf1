// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmStorage

@Suite struct BytesLookupTests {
    @Test(arguments: [8, 16], ["", "dog", "person-", "person-7", "person-777", "person-7777-777"])
    func exactlyTheEqualOnesAreFound(width: Int, wanted: String) {
        guard wanted.utf8.count < width else {
            #expect(BytesLookup(Array(wanted.utf8)).eight == nil)
            return
        }
        var random = SeededGenerator(for: "sought \(wanted) of \(width)")
        let others = [
            nil, "", "cat", "dogs", String(wanted.reversed()), "q" + wanted.dropFirst(), wanted.dropLast() + "8",
        ]
        for share in [0, 1, 2, 5, 20, 60, 100] {
            let texts = (0..<300).map { _ in
                random.chance(share) ? wanted : others[random.below(others.count)].map { String($0.prefix(width - 1)) }
            }
            let start = random.below(40)
            let count = random.below(257)
            ShortStrings.withNode(texts, width: width) { node in
                let sought = BytesLookup(Array(wanted.utf8))
                let element = width == 8 ? sought.eight! : sought.sixteen!
                let found = node.rows(from: start, count: count, like: element)
                #expect(found == RowSet(count: count).filter { texts[start + $0] == wanted }, "\(share) %")
            }
        }
    }
}
