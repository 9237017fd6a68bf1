// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// B+trees (container 4).
extension Audit {
    /// A limit of the audit, not of the format. Valid trees are less deep.
    static let treeLevelLimit = 64

    /// The shape of one B+tree: its leaves in order, and their sizes according to its branches.
    private struct TreeShape {
        struct Branch {
            let ref: Int64
            let elements: [Int64]
            /// For each child the number of leaves before it, and at the end the number of all leaves.
            var starts: [Int]
        }
        let kind: String
        let markedRoot: Bool
        var leaves: [Int64] = []
        var branches: [Branch] = []
        var leafLevel: Int?
    }

    /// Reads all leaves of the tree at `root` with `leaf`, which returns the number of elements, and compares the
    /// branches with their leaves. Returns the number of all elements. `markedRoot`: the root may have `CTX` set, as in
    /// lists and sets of links (content 7.4).
    @discardableResult
    func readTree(
        _ root: Int64, _ kind: String, markedRoot: Bool = false, leaf: (Int64) throws(Damage) -> Int
    ) throws(Damage) -> Int {
        if !(try node(root).isInner) { return try leaf(root) }
        var shape = TreeShape(kind: kind, markedRoot: markedRoot)
        try descend(root, level: 0, isBelowCompact: false, &shape)
        var before = [0]
        for ref in shape.leaves {
            let count = try leaf(ref)
            if count == 0 { throw Damage(ref, "1:4.4 W9", "empty leaf below a branch of \(kind)") }
            before.append(before[before.count - 1] + count)
        }
        for branch in shape.branches { try verify(branch, before, kind) }
        return before[before.count - 1]
    }

    private func descend(_ ref: Int64, level: Int, isBelowCompact: Bool, _ shape: inout TreeShape) throws(Damage) {
        if level > Self.treeLevelLimit {
            throw Damage(ref, "1:4.1 R23", "\(shape.kind) deeper than \(Self.treeLevelLimit) levels")
        }
        if !(try node(ref).isInner) { return try addLeaf(ref, level, &shape) }
        let node = try expect(
            ref, shape.kind + " branch", Node.inner, or: shape.markedRoot && level == 0 ? Node.markedInner : nil)
        guard (3...FileFormat.treeNodeCapacity + 2).contains(node.count) else {
            throw Damage(ref, "1:4.2 W9", "\(shape.kind) branch of \(node.count) elements")
        }
        let elements = try ints(node)
        let first = elements[0]
        guard first != 0, Tagged.isTagged(elements[elements.count - 1]) else {
            throw Damage(ref, "1:4.2 W9", "\(shape.kind) branch that begins with \(first), or ends without a total")
        }
        let isCompact = Tagged.isTagged(first)
        if !isCompact, isBelowCompact { violation(ref, "1:4.4 W9", "general branch below a compact one") }
        var branch = TreeShape.Branch(ref: ref, elements: elements, starts: [])
        for child in elements[1..<elements.count - 1] {
            guard isRef(child) else { throw Damage(ref, "1:4.2 W9", "\(shape.kind) branch with \(child) as child") }
            branch.starts.append(shape.leaves.count)
            try descend(child, level: level + 1, isBelowCompact: isCompact, &shape)
        }
        branch.starts.append(shape.leaves.count)
        shape.branches.append(branch)
    }

    private func addLeaf(_ ref: Int64, _ level: Int, _ shape: inout TreeShape) throws(Damage) {
        if let leafLevel = shape.leafLevel, leafLevel != level {
            throw Damage(ref, "1:4.2 W9", "\(shape.kind) with leaves at different depths")
        }
        shape.leafLevel = level
        shape.leaves.append(ref)
    }

    /// Compares the numbers in a branch with the sizes of its leaves (container 4.2, 4.4). `before`: the number of
    /// elements before each leaf of the tree.
    private func verify(_ branch: TreeShape.Branch, _ before: [Int], _ kind: String) throws(Damage) {
        let start = before[branch.starts[0]]
        let ends = branch.starts.dropFirst().map { before[$0] - start }
        let count = ends[ends.count - 1]
        let total = Tagged.decode(branch.elements[branch.elements.count - 1])
        guard total == UInt64(count) else {
            throw Damage(branch.ref, "1:4.4 W9", "branch says \(total) elements, holds \(count)")
        }
        let first = branch.elements[0]
        if Tagged.isTagged(first) { return try verifyCompact(branch.ref, each: Tagged.decode(first), ends) }
        let offsets = try unsignedArray(first, kind + " offsets", limit: FileFormat.treeNodeCapacity)
        guard offsets.elementsEqual(ends.dropLast().lazy.map { UInt64($0) }) else {
            throw Damage(first, "1:4.2 W9", "offsets do not match the children")
        }
    }

    private func verifyCompact(_ ref: Int64, each: UInt64, _ ends: [Int]) throws(Damage) {
        var before = 0
        for (i, end) in ends.enumerated() {
            let count = UInt64(end - before)
            before = end
            if count == each || i == ends.count - 1 && count > 0 && count < each { continue }
            throw Damage(ref, "1:4.4 W9", "compact branch of \(each) elements per child, child \(i) has \(count)")
        }
    }
}
