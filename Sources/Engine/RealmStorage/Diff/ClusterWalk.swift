// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The objects of one version of a table in key order, with subtrees that can be skipped unopened.
///
/// It stands in front of an unopened node, or in front of a row of an opened leaf.
struct ClusterWalk {
    /// A subtree that has not been looked into.
    struct Subtree {
        let ref: Ref
        /// What its keys are relative to: none is below.
        let offset: UInt64
        /// The depth of the branch above.
        let limit: UInt64
    }

    private let space: NodeSpace
    private let budget: DiffBudget
    /// The next one last.
    private var subtrees: [Subtree] = []
    private(set) var leaf: ClusterLeaf?
    private(set) var row = 0

    init(_ table: Table?, _ space: NodeSpace, _ budget: DiffBudget) {
        self.space = space
        self.budget = budget
        if let table { subtrees.append(Subtree(ref: table.clusterRoot, offset: 0, limit: .max)) }
    }

    /// The subtree in front; nil where that is a row, or nothing.
    var subtree: Subtree? { leaf == nil ? subtrees.last : nil }

    /// The key of the row in front; nil where that is a subtree, or nothing.
    var key: UInt64? { leaf.map { $0.keyOffset &+ $0.relativeKey(at: row) } }

    var isAtEnd: Bool { leaf == nil && subtrees.isEmpty }

    /// 0 for a leaf; of the subtree in front.
    func height() throws -> UInt64 {
        guard let subtree else { return 0 }
        let node = try space.refs(subtree.ref)
        return node.header.isInner ? try ClusterBranch.depth(of: node, below: subtree.limit) : 0
    }

    mutating func skip() { subtrees.removeLast() }

    /// Opens the subtree in front.
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

    /// Whether all rows of the opened leaf are behind.
    var isLeafDone: Bool { leaf.map { row >= $0.count } ?? false }

    mutating func close() { (leaf, row) = (nil, 0) }
}
