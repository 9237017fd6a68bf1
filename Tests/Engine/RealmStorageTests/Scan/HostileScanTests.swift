// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmStorage

/// A scan of one column, which prefetches leaves, compared with a visit of all leaves, in damaged trees. Both return
/// equal values, or throw.
struct HostileScanTests {
    @Test(arguments: [false, true])
    func randomDamage(hasGaps: Bool) throws {
        var random = SeededGenerator(for: "hostile scan \(hasGaps)")
        for count in [1, 3, 7, 40] {
            let bench = try ClusterFixture(capacity: 4, keys: (0..<UInt64(count)).map { hasGaps ? $0 * 5 : $0 })
            try bench.commit()
            // The last one is the root.
            let images = try bench.scratch.committed.keys.sorted().map { Array(try bench.scratch.space.node($0).image) }
            var (whole, damaged) = (0, 0)
            for _ in 0..<400 {
                let scratch = try ScratchStore(clusterCapacity: 4)
                var root: Ref = 0
                for image in images.randomlyDamaged(by: &random) { root = try scratch.place(image) }
                scratch.reopen()
                let tree = ClusterTree(scratch.space, root: root)
                for column in bench.layout.columns {
                    let expected = try? HostileScanTests.visited(tree, column)
                    try requireEqual(try? HostileScanTests.scanned(tree, column), expected, "\(column.kind)")
                    if expected == nil { damaged += 1 } else { whole += 1 }
                    let stepped = try? HostileScanTests.stepped(tree, column)
                    try requireEqual(stepped, expected, "\(column.kind), by a cursor")
                }
            }
            #expect(whole > 0 && damaged > 0)
        }
    }

    private static func stepped(_ tree: ClusterTree, _ column: ClusterLayout.Column) throws -> [StoredValue] {
        var found: [StoredValue] = []
        var cursor = try LeafCursor(tree)
        while let leaf = try cursor.next() { found += try values(of: column, in: leaf) }
        return found
    }

    private static func visited(_ tree: ClusterTree, _ column: ClusterLayout.Column) throws -> [StoredValue] {
        var found: [StoredValue] = []
        try tree.forEachLeaf { leaf in
            found += try values(of: column, in: leaf)
            return true
        }
        return found
    }

    private static func values(of column: ClusterLayout.Column, in leaf: ClusterLeaf) throws -> [StoredValue] {
        let values = try leaf.column(column.leafIndex, column.kind)
        return try (0..<leaf.count).map { try values.value(at: $0) }
    }

    private static func scanned(_ tree: ClusterTree, _ column: ClusterLayout.Column) throws -> [StoredValue] {
        var found: [StoredValue] = []
        try tree.forEachColumnLeaf(column.leafIndex, column.kind) { leaf, count in
            found += try (0..<count).map { try leaf.value(at: $0) }
        }
        return found
    }
}
