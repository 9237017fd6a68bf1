// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem
import Testing

@Suite struct OrderedElementsTests {
    @Test(arguments: [0, 1, 2, 7, 33, 500]) func theOrderEqualsThatOfTheLibrary(count: Int) {
        let elements = (0..<count).map { (key: $0 * 7919 % 13, place: $0) }
        let ordered = elements.ordered { $0.key < $1.key }
        #expect(ordered.map(\.place) == elements.sorted { ($0.key, $0.place) < ($1.key, $1.place) }.map(\.place))
    }
}
