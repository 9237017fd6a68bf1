// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmStorage

struct EraseInPlaceTests {
    @Test(arguments: [LeafKind.int, .bool, .key])
    func equalsAnErasure(kind: LeafKind) throws {
        let scratch = try ScratchStore()
        let store = scratch.store
        var generator = SeededGenerator(for: "erase in place")
        for bits in kind == .bool ? [0, 1] : [0, 1, 2, 4, 7, 15, 31, 62] {
            for count in 1..<24 {
                let elements = (0..<count).map { _ in Int64(generator.next() & (1 << UInt64(bits) - 1)) }
                for row in 0..<count {
                    let inPlace = try PackedLeafEditor(store, kind).create(elements)
                    var general = try PackedLeafEditor(store, kind).create(elements)
                    #expect(ColumnLeafEditor(store, kind).eraseInPlace(inPlace, at: row))
                    try ColumnLeafEditor(store, kind).erase(&general, at: row)
                    let (left, right) = (try store.node(inPlace), try store.node(general))
                    #expect(left.header == right.header && left.elements() == right.elements(), "\(bits) \(row)")
                    try store.free(inPlace)
                    try store.free(general)
                }
            }
        }
    }

    /// Leaves a committed leaf, a row out of bounds, and a leaf that owns nodes to `erase`.
    @Test func refusesOtherLeavesAndValues() throws {
        let scratch = try ScratchStore()
        let ref = try PackedLeafEditor(scratch.store, .int).create([1, 2, 3])
        #expect(!ColumnLeafEditor(scratch.store, .int).eraseInPlace(ref, at: 3))
        #expect(!ColumnLeafEditor(scratch.store, .int).eraseInPlace(ref, at: -1))
        let cells = try PackedLeafEditor(scratch.store, .backlink).create([0, 0])
        #expect(!ColumnLeafEditor(scratch.store, .backlink).eraseInPlace(cells, at: 1))
        #expect(!ColumnLeafEditor(scratch.store, .int).eraseInPlace(cells, at: 1))
        let committed = try #require(try scratch.commit([ref])[ref])
        #expect(!ColumnLeafEditor(scratch.store, .int).eraseInPlace(committed, at: 1))
    }
}
