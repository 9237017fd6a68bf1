// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmStorage

@Suite struct LeafGuideTests {
    /// Where values are or belong by a guide that is told of each change, in trees of one leaf to as many levels as
    /// guides are made for and more, which grow and shrink in all places, by chance and in order, and are committed.
    @Test(arguments: [3, 4, 12, 24], [LeafKind.int, .key, .string])
    func placesAmongChanges(_ capacity: Int, _ kind: LeafKind) throws {
        var generator = SeededGenerator(for: "guide of \(kind), capacity \(capacity)")
        let scratch = try ScratchStore(treeCapacity: capacity)
        let guide = LeafGuide()
        var root = try scratch.store.treeCreate(kind)
        var (model, guidedCount): ([Int64], Int) = ([], 0)
        for round in 0..<3000 {
            let isOrdered = round / 200 % 3 == 2
            let number = isOrdered ? (model.last ?? 0) + 1 : Int64(generator.below(1200))
            let index = model.firstIndex { $0 >= number } ?? model.count
            let isFound = index < model.count && model[index] == number
            let value = LeafGuideTests.value(number, kind)
            let tree = try BPlusTree(scratch.space, root, kind)
            let place = try tree.place(of: value, by: guide)
            let slow = try tree.place(of: value, .plain)
            try require(slow.index == index && slow.isFound == isFound, "\(number) in \(model)")
            if let place {
                guidedCount += 1
                try require(place.index == index && place.isFound == isFound, "\(number) in \(model), guided")
            }
            let isShrinking = round / 100 % 4 == 3
            if isFound, let place, isShrinking || generator.chance(50) {
                try scratch.store.treeErase(&root, kind, at: place, of: model.count, by: guide)
                model.remove(at: index)
            } else if !isFound, let place {
                try scratch.store.treeInsert(&root, kind, value, at: place, of: model.count, by: guide)
                model.insert(number, at: index)
            } else if !isFound || isShrinking {
                guide.forget()
                if isFound {
                    try scratch.store.treeErase(&root, kind, at: index)
                    model.remove(at: index)
                } else {
                    try scratch.store.treeInsert(&root, kind, at: index, value)
                    model.insert(number, at: index)
                }
            }
            if generator.chance(1) {
                guide.forget()
                try scratch.commit(&root)
            }
            if generator.chance(5) {
                let expected = model.map { LeafGuideTests.value($0, kind) }
                try requireEqual(try BPlusTree(scratch.space, root, kind).values(), expected, "the elements")
                try BPlusTreeVerifier.verify(scratch.space, root, kind, capacity: capacity)
            }
        }
        #expect(guidedCount > (capacity == 24 ? 2900 : 0))
    }

    /// Numbers as values of the same order: texts begin alike, some are longer than a leaf of short ones holds, and
    /// some have a part of eight bytes in common.
    private static func value(_ number: Int64, _ kind: LeafKind) -> StoredValue {
        switch kind {
        case .int: return .int((number - 500) << 20)
        case .key: return .link(ObjectKey(number * 3))
        default:
            let digits = "\(10_000 + number)"
            return .string(
                "name: " + digits.prefix(2) + "        " + digits.dropFirst(2) + (number % 7 == 0 ? "x" : ""))
        }
    }

    /// In a tree that nobody changes, a guide comes to be when there were searches enough.
    @Test func comesToBeBySearches() throws {
        let scratch = try ScratchStore()
        var root = try scratch.store.treeCreate(.int)
        let count = 20_000
        for number in 0..<count {
            try scratch.store.treeInsert(&root, .int, at: number, .int(Int64(number * 2)))
        }
        try scratch.commit(&root)
        let tree = try BPlusTree(scratch.space, root, .int)
        let guide = LeafGuide()
        var firstGuided: Int?
        for number in 0..<count {
            guard let place = try tree.place(of: .int(Int64(number)), by: guide) else { continue }
            firstGuided = firstGuided ?? number
            try require(place.index == (number + 1) / 2 && place.isFound == (number % 2 == 0), "\(number)")
        }
        #expect(firstGuided == count >> 12)
    }
}
