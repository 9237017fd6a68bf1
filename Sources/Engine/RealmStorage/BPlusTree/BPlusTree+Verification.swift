// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Debug verification of cached locations in a tree; see `ClusterTree.verify`.
extension BPlusTree {
    #if DEBUG
        /// Stops the process unless a search for the first element of `range` finds this leaf, with exactly that range.
        static func verify(_ leaf: Ref, holds range: Range<Int>, _ root: Ref, _ kind: LeafKind, in space: NodeSpace) {
            guard !range.isEmpty else { return }
            let isStale = try? {
                let tree = try BPlusTree(space, root, kind)
                let found = try tree.leaf(holding: range.lowerBound)
                return try (found.leaf.node.ref != leaf || found.range != range) && tree.isInOrder()
            }()
            precondition(isStale != true, "the open leaf of the tree at \(root) is not where it is remembered")
        }

        private func isInOrder() throws -> Bool {
            var end = 0
            try forEachLeaf { leaf in
                guard leaf.start == end else { return false }
                end += leaf.leaf.count
                return true
            }
            return end == count
        }
    #endif
}
