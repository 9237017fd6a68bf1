// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension ClusterTree {
    /// The indices of objects among all objects in key order, as in the results of a whole table. A subtree without any
    /// of the keys is counted from its root alone.
    ///
    /// The keys must be ascending; a missing one throws `.invalidArgument`.
    package func places(of keys: [ObjectKey]) throws -> [Int] {
        guard !keys.isEmpty else { return [] }
        for (a, b) in zip(keys, keys.dropFirst()) where a >= b {
            throw StorageError.absent("\(b) after \(a)")
        }
        var search = PlaceSearch(space: space, keys: keys)
        try search.visit(root, offset: 0, end: nil, limit: .max)
        return search.places
    }
}

private struct PlaceSearch {
    let space: NodeSpace
    let keys: [ObjectKey]
    var places: [Int] = []
    private var start = 0

    init(space: NodeSpace, keys: [ObjectKey]) {
        self.space = space
        self.keys = keys
    }

    /// Whether the next key is less than `end`, the first key after a subtree; nil for a subtree without an end.
    private func hasKey(before end: UInt64?) -> Bool {
        guard places.count < keys.count else { return false }
        return end.map { UInt64(bitPattern: keys[places.count].rawValue) < $0 } ?? true
    }

    /// Visits a subtree to which the next key belongs. Every visit finds at least one key, which bounds the number of
    /// visits.
    mutating func visit(_ ref: Ref, offset: UInt64, end: UInt64?, limit: UInt64) throws {
        let node = try space.refs(ref)
        guard node.header.isInner else { return try find(ClusterLeaf(space, node, keyOffset: offset), end) }
        let depth = try ClusterBranch.depth(of: node, below: limit)
        let branch = try ClusterBranch(node, in: space)
        for (index, child) in branch.children.enumerated() where places.count < keys.count {
            let isLast = index == branch.children.count - 1
            let childEnd = isLast ? end : offset &+ branch.offsets[index + 1]
            if hasKey(before: childEnd) {
                try visit(child, offset: offset &+ branch.offsets[index], end: childEnd, limit: depth)
            } else {
                start &+= try ClusterTree.count(space, child)
            }
        }
    }

    private mutating func find(_ leaf: ClusterLeaf, _ end: UInt64?) throws {
        while hasKey(before: end) {
            guard let row = leaf.row(of: keys[places.count]) else {
                throw StorageError.absent("\(keys[places.count]) is not in the table")
            }
            places.append(start &+ row)
        }
        start &+= leaf.count
    }
}
