// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Iterates over the objects of one version of a table in key order. Subtrees can be skipped without opening them.
///
/// Its position is before an unopened node, or before a row of an opened leaf.
struct ClusterWalk {
    struct Subtree {
        let ref: Ref
        /// A lower bound of its keys.
        let offset: UInt64
        let limit: UInt64
    }

    private let space: NodeSpace
    private let budget: DiffBudget
    /// The remaining subtrees, in reverse order.
    private var subtrees: [Subtree] = []
    private(set) var leaf: ClusterLeaf?
    private(set) var row = 0

    init(_ table: Table?, _ space: NodeSpace, _ budget: DiffBudget) {
        self.space = space
        self.budget = budget
        if let table { subtrees.append(Subtree(ref: table.clusterRoot, offset: 0, limit: .max)) }
    }

    /// Nil before a row and at the end.
    var subtree: Subtree? { leaf == nil ? subtrees.last : nil }

    /// Nil before a subtree and at the end.
    var key: UInt64? { leaf.map { $0.keyOffset &+ $0.relativeKey(at: row) } }

    var isAtEnd: Bool { leaf == nil && subtrees.isEmpty }

    /// 0 for a leaf.
    func height() throws -> UInt64 {
        guard let subtree else { return 0 }
        let node = try space.refs(subtree.ref)
        return node.header.isInner ? try ClusterBranch.depth(of: node, below: subtree.limit) : 0
    }

    mutating func skip() { subtrees.removeLast() }

    mutating func open() throws {
        guard leaf == nil, let subtree = subtrees.popLast() else { return }
        let node = try space.refs(subtree.ref)
        try budget.spend(node)
        guard node.header.isInner else {
            let leaf = try ClusterLeaf(space, node, keyOffset: subtree.offset)
            if leaf.count > 0 { (self.leaf, row) = (leaf, 0) }
            return
        }
        let limit = try ClusterBranch.depth(of: node, below: subtree.limit)
        let branch = try ClusterBranch(node, in: space)
        for index in branch.children.indices.reversed() {
            let offset = subtree.offset &+ branch.offsets[index]
            subtrees.append(Subtree(ref: branch.children[index], offset: offset, limit: limit))
        }
    }

    mutating func advance(_ rows: Int) { row += rows }

    var isLeafDone: Bool { leaf.map { row >= $0.count } ?? false }

    mutating func close() { (leaf, row) = (nil, 0) }
}
