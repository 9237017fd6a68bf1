// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Two versions of a sequence, compared element by element from any two positions. Equal leaves are skipped.
struct TreePair {
    private var old: BPlusTreeCursor
    private var new: BPlusTreeCursor
    private let values: ValueComparison
    private let isCharged: Bool
    /// The cost of the comparisons so far, in compared elements. Opening a leaf counts as several.
    private(set) var work = 0

    /// The leaves used last, if their elements are plain integers. A search for the shortest edit mostly checks whether
    /// the elements at two positions differ.
    private var oldWindow = Window()
    private var newWindow = Window()

    private struct Window {
        private var range = 0..<0
        private var node: Node?

        init() {}

        init(_ leaf: ColumnLeaf, from start: Int) {
            switch leaf.kind {
            case .int, .key: (range, node) = (start..<start + leaf.count, leaf.node)
            default: break
            }
        }

        func element(_ index: Int) -> Int64? {
            guard let node, range.contains(index) else { return nil }
            return node[index - range.lowerBound]
        }
    }

    private static let leafWork = 16

    /// `charged`: every leaf is visited only once, which the budget of `values` enforces.
    init(_ old: BPlusTree, _ new: BPlusTree, _ values: ValueComparison, charged: Bool = false) throws {
        for tree in [old, new] {
            // A leaf has at least a header. This bounds the time spent on a list with a count that is too large for the
            // file.
            let slab = tree.space.isDirty(tree.root) ? Int(tree.space.slabEnd - tree.space.slabStart) : 0
            let capacity = (Int(tree.space.fileEnd) + slab) / NodeHeader.byteCount
            guard tree.count <= capacity * FileFormat.treeNodeCapacity else {
                throw StorageError.corrupt("a list longer than the file can hold", at: tree.root)
            }
        }
        self.old = BPlusTreeCursor(old)
        self.new = BPlusTreeCursor(new)
        self.values = values
        isCharged = charged
    }

    /// From `i` in the old version and `j` in the new one, up to `limit`, which must be within both.
    mutating func common(_ i: Int, _ j: Int, limit: Int) throws -> Int {
        if let a = oldWindow.element(i), let b = newWindow.element(j), a != b { return 0 }
        var done = 0
        while done < limit {
            let (a, row) = try old.position(i + done)
            let (b, otherRow) = try new.position(j + done)
            let part = min(limit - done, a.count - row, b.count - otherRow)
            work += TreePair.leafWork
            oldWindow = Window(a, from: i + done - row)
            newWindow = Window(b, from: j + done - otherRow)
            if isCharged, row == 0 { try values.budget.spend(a.node) }
            if isCharged, otherRow == 0 { try values.budget.spend(b.node) }
            if row == otherRow, values.nodes.areSame(a.node.ref, b.node.ref) {
                done += part
                continue
            }
            let same = try values.common(a, row, b, otherRow, limit: part)
            done += same
            work += same
            if same < part { break }
        }
        return done
    }

    /// Before `i` in the old version and `j` in the new one, up to `limit`.
    mutating func commonBefore(_ i: Int, _ j: Int, limit: Int) throws -> Int {
        var done = 0
        while done < limit {
            let (a, row) = try old.position(i - done - 1)
            let (b, otherRow) = try new.position(j - done - 1)
            let part = min(limit - done, row + 1, otherRow + 1)
            if row == otherRow, values.nodes.areSame(a.node.ref, b.node.ref) {
                done += part
                continue
            }
            for back in 0..<part {
                guard try values.common(a, row - back, b, otherRow - back, limit: 1) == 1 else { return done }
                done += 1
            }
        }
        return done
    }
}
