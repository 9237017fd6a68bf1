// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension ClusterTree {
    /// Returns the leaf at about `fraction` of the way through the tree; 0 is the first one. Takes as long as finding
    /// one object, because it counts children, not objects.
    package func leaf(near fraction: Double) throws -> ClusterLeaf {
        var ref = root
        var offset: UInt64 = 0
        var depth = UInt64.max
        var rest = min(max(fraction, 0), 1)
        while true {
            let node = try space.refs(ref)
            guard node.header.isInner else { return try ClusterLeaf(space, node, keyOffset: offset) }
            depth = try ClusterBranch.depth(of: node, below: depth)
            let branch = try ClusterBranch(node, in: space)
            let place = rest * Double(branch.children.count)
            let index = min(Int(place), branch.children.count - 1)
            rest = min(max(place - Double(index), 0), 1)
            ref = branch.children[index]
            offset &+= branch.offsets[index]
        }
    }
}
