// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmStorage

/// The interpolating search among the offsets of a branch.
@Suite struct UnsignedSearchTests {
    @Test(arguments: [8, 16, 32, 64])
    func countsAsALoopDoes(width: Int) throws {
        var generator = SeededGenerator(for: "unsigned search")
        let scratch = try ScratchStore()
        let largest = UInt64.max >> UInt64(64 - width)
        var lists: [[UInt64]] = [[], [0], [0, 0], [0, largest], [largest, largest]]
        lists.append((0..<40).map { UInt64($0) * (largest / 40) })
        lists.append((1...40).map { UInt64($0) * 3 })
        for _ in 0..<40 {
            lists.append((0..<generator.below(60)).map { _ in generator.next() & largest }.sorted())
        }
        for list in lists {
            // The largest element decides the width.
            let values = list.last == largest ? list : list + [largest]
            let ref = try scratch.store.create(unsigned: values)
            let node = try scratch.space.node(ref)
            #expect(node.width == width)
            for near in values + [0, largest] {
                for value in [near == 0 ? 0 : near - 1, near, near == .max ? near : near + 1] {
                    #expect(node.unsignedCount(notAbove: value) == values.count { $0 <= value })
                }
            }
            try scratch.store.free(ref)
        }
    }

    /// Elements of a damaged file. Any result up to their number is allowed.
    @Test func elementsInNoOrder() throws {
        var generator = SeededGenerator(for: "unsigned search in no order")
        let scratch = try ScratchStore()
        for _ in 0..<300 {
            let values = (0..<generator.below(20)).map { _ in generator.next() >> UInt64(generator.below(64)) }
            let ref = try scratch.store.create(unsigned: values)
            let node = try scratch.space.node(ref)
            for value in values + [0, .max] { #expect(0...values.count ~= node.unsignedCount(notAbove: value)) }
            try scratch.store.free(ref)
        }
    }
}
