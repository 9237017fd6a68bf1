// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmStorage

@Suite struct TreeSearchTests {
    @Test(arguments: [3, 4, 1000])
    func placesInTrees(_ capacity: Int) throws {
        var generator = SeededGenerator(for: "places in trees of \(capacity)")
        for kind in [LeafKind.int, .string] {
            let scratch = try ScratchStore(treeCapacity: capacity)
            var root = try BPlusTreeEditor(scratch.store, kind).create()
            var model: [Int64] = []
            for round in 0..<500 {
                let number = Int64(generator.below(400))
                let index = model.firstIndex { $0 >= number } ?? model.count
                let isFound = index < model.count && model[index] == number
                let tree = try BPlusTree(scratch.space, root, kind)
                let place = try tree.place(of: TreeSearchTests.value(number, kind), .plain)
                #expect(place.index == index && place.isFound == isFound, "\(number) in \(model)")
                let isShrinking = round / 100 % 2 == 1
                if isFound || isShrinking, !model.isEmpty {
                    let erased = isFound ? index : generator.below(model.count)
                    try BPlusTreeEditor(scratch.store, kind).erase(&root, at: erased)
                    model.remove(at: erased)
                } else if !isFound {
                    try BPlusTreeEditor(scratch.store, kind).insert(
                        &root, at: index, TreeSearchTests.value(number, kind))
                    model.insert(number, at: index)
                }
                if generator.chance(5) { try scratch.commit(&root) }
            }
        }
    }

    private static func value(_ number: Int64, _ kind: LeafKind) -> StoredValue {
        guard kind == .string else { return .int(number) }
        let digits = String(number + 1000)
        return .string(number % 7 == 0 ? digits + String(repeating: "x", count: Int(number) / 7) : digits)
    }
}
