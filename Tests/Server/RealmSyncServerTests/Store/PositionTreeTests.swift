// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmTestSupport
    import Testing

    @testable import RealmSyncServer

    @Suite struct PositionTreeTests {
        @Test(arguments: 1...4) func aTreeEqualsAnArray(seed: UInt64) {
            var generator = SeededGenerator(seed: seed)
            var array = Array(0..<5000)
            var tree = PositionTree(array)
            var copies: [(PositionTree<Int>, [Int])] = []
            for round in 0..<30_000 {
                let mayGrow = round % 12_000 < 2_000
                if array.isEmpty || mayGrow && generator.below(3) > 0 {
                    let position = generator.below(4) == 0 ? 0 : generator.below(array.count + 1)
                    array.insert(round, at: position)
                    tree.insert(round, at: position)
                } else if generator.below(5) == 0 {
                    let position = generator.below(array.count)
                    array[position] = -round
                    tree[position] = -round
                } else {
                    let position = generator.below(array.count)
                    let removed = array.remove(at: position)
                    #expect(tree.remove(at: position) == removed)
                }
                if round % 3_000 == 0 { copies.append((tree, array)) }
            }
            #expect(tree.elements == array && tree.count == array.count)
            for (tree, array) in copies { #expect(tree.elements == array) }
            #expect(tree == PositionTree(array))
        }

        /// A million insertions at the front of an array would move 500,000,000,000 elements.
        @Test func insertionsInFrontAreCheap() {
            var tree = PositionTree<Int>()
            for number in 0..<200_000 { tree.insert(number, at: 0) }
            #expect(tree.count == 200_000 && tree[0] == 199_999 && tree[199_999] == 0)
        }
    }
#endif
