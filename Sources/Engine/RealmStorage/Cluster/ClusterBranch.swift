// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The decoded form of a branch of a cluster tree (content 5.1).
///
/// ```
/// [0]      0: compact form, the offset of child i is i << (8 * depth);  or ref of the offsets: general form
/// [1]      tagged depth, 1 = the children are leaves
/// [2]      tagged number of objects in this subtree
/// [3 … ]   children
/// ```
struct ClusterBranch {
    static let offsetsSlot = 0
    static let depthSlot = 1
    static let countSlot = 2
    static let firstChildSlot = 3
    /// 256 ^ 8 covers every key.
    static let maximumDepth: UInt64 = 16

    var depth: UInt64
    var count: Int
    var children: [Ref]
    var offsets: [UInt64]

    /// The depth of `node`. It must be less than its parent's, which bounds every descent.
    static func depth(of node: Node, below parent: UInt64) throws -> UInt64 {
        let depth = try node.tagged(depthSlot)
        guard depth >= 1, depth < parent, depth <= maximumDepth, node.count > firstChildSlot else {
            throw StorageError.corrupt("a cluster branch of impossible form", at: node.ref)
        }
        return depth
    }

    static func compactOffset(_ index: Int, depth: UInt64) -> UInt64 {
        UInt64(index) << (UInt64(FileFormat.clusterShift) * depth)
    }

    /// Doesn't decode the node.
    static func child(
        of node: Node, depth: UInt64, for key: UInt64, in space: NodeSpace
    ) throws -> (index: Int, offset: UInt64) {
        let childCount = node.count - firstChildSlot
        let offsetsRef = try node.child(offsetsSlot)
        if offsetsRef == 0 {
            let index = Int(min(key >> (UInt64(FileFormat.clusterShift) * depth), UInt64(childCount - 1)))
            return (index, compactOffset(index, depth: depth))
        }
        let offsets = try space.integers(offsetsRef)
        guard offsets.count == childCount else {
            throw StorageError.corrupt("a cluster branch with a wrong number of offsets", at: node.ref)
        }
        let low = offsets.unsignedCount(notAbove: key)
        guard low > 0 else { throw StorageError.corrupt("cluster offsets that do not begin at 0", at: node.ref) }
        return (low - 1, offsets.unsigned(low - 1))
    }

    /// Nil for the last child, whose keys have no end.
    static func end(ofChild index: Int, of node: Node, depth: UInt64, in space: NodeSpace) throws -> UInt64? {
        guard index + 1 < node.count - firstChildSlot else { return nil }
        return try offset(ofChild: index + 1, of: node, depth: depth, in: space)
    }

    static func offset(ofChild index: Int, of node: Node, depth: UInt64, in space: NodeSpace) throws -> UInt64 {
        let offsetsRef = try node.child(offsetsSlot)
        if offsetsRef == 0 { return compactOffset(index, depth: depth) }
        let offsets = try space.integers(offsetsRef)
        guard offsets.count == node.count - firstChildSlot, index < offsets.count else {
            throw StorageError.corrupt("a cluster branch with a wrong number of offsets", at: node.ref)
        }
        return offsets.unsigned(index)
    }

    init(depth: UInt64, count: Int, children: [Ref], offsets: [UInt64]) {
        self.depth = depth
        self.count = count
        self.children = children
        self.offsets = offsets
    }

    init(_ node: Node, in space: NodeSpace) throws {
        depth = try ClusterBranch.depth(of: node, below: .max)
        count = Int(clamping: try node.tagged(ClusterBranch.countSlot))
        children = try (ClusterBranch.firstChildSlot..<node.count).map { try node.child($0) }
        let offsetsRef = try node.child(ClusterBranch.offsetsSlot)
        if offsetsRef == 0 {
            let depth = depth
            offsets = children.indices.map { ClusterBranch.compactOffset($0, depth: depth) }
        } else {
            let node = try space.integers(offsetsRef)
            guard node.count == children.count else {
                throw StorageError.corrupt("a cluster branch with a wrong number of offsets", at: node.ref)
            }
            offsets = (0..<node.count).map { node.unsigned($0) }
        }
    }

    /// The child that holds object number `rest` of this subtree. `rest` becomes the number within that child.
    static func child(of node: Node, skipping rest: inout Int, in space: NodeSpace) throws -> Int {
        for index in 0..<node.count - firstChildSlot {
            let count = try ClusterTree.count(space, try node.child(index + firstChildSlot))
            if rest < count { return index }
            rest -= count
        }
        throw StorageError.corrupt("a cluster branch with a wrong count", at: node.ref)
    }

    private var isCompact: Bool {
        offsets.indices.allSatisfy { offsets[$0] == ClusterBranch.compactOffset($0, depth: depth) }
    }

    func encode(in store: NodeStore) throws -> Ref {
        let offsetsRef = isCompact ? 0 : try store.create(unsigned: offsets)
        let elements =
            [offsetsRef.element, Tagged.encode(depth), Tagged.encode(count)] + children.map(\.element)
        return try store.create(elements, flags: NodeHeader.Flags.inner | NodeHeader.Flags.hasRefs)
    }

    /// Doesn't free the children.
    static func free(_ ref: Ref, in store: NodeStore) throws {
        try store.free(try store.node(ref).child(offsetsSlot))
        try store.free(ref)
    }

    func replace(_ ref: inout Ref, in store: NodeStore) throws {
        try ClusterBranch.free(ref, in: store)
        ref = try encode(in: store)
    }
}
