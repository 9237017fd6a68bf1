// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmStorage

struct EraseInPlaceTests {
    /// What is erased in place leaves what `leafErase` leaves: every row of leaves of each width and many lengths.
    @Test(arguments: [LeafKind.int, .bool, .key])
    func leavesWhatAnErasureLeaves(kind: LeafKind) throws {
        let scratch = try ScratchStore()
        let store = scratch.store
        var generator = SeededGenerator(for: "erase in place")
        for bits in kind == .bool ? [0, 1] : [0, 1, 2, 4, 7, 15, 31, 62] {
            for count in 1..<24 {
                let elements = (0..<count).map { _ in Int64(generator.next() & (1 << UInt64(bits) - 1)) }
                for row in 0..<count {
                    let inPlace = try store.createPacked(kind, elements)
                    var general = try store.createPacked(kind, elements)
                    #expect(store.leafEraseInPlace(inPlace, kind, at: row))
                    try store.leafErase(&general, kind, at: row)
                    let (left, right) = (try store.node(inPlace), try store.node(general))
                    #expect(left.header == right.header && left.elements() == right.elements(), "\(bits) \(row)")
                    try store.free(inPlace)
                    try store.free(general)
                }
            }
        }
    }

    /// A leaf of the version before, a row that is not there, and a leaf that owns nodes are left to `leafErase`.
    @Test func refusesWhatIsNotItsOwn() throws {
        let scratch = try ScratchStore()
        let ref = try scratch.store.createPacked(.int, [1, 2, 3])
        #expect(!scratch.store.leafEraseInPlace(ref, .int, at: 3))
        #expect(!scratch.store.leafEraseInPlace(ref, .int, at: -1))
        let cells = try scratch.store.createPacked(.backlink, [0, 0])
        #expect(!scratch.store.leafEraseInPlace(cells, .backlink, at: 1))
        #expect(!scratch.store.leafEraseInPlace(cells, .int, at: 1))
        let committed = try #require(try scratch.commit([ref])[ref])
        #expect(!scratch.store.leafEraseInPlace(committed, .int, at: 1))
    }
}
