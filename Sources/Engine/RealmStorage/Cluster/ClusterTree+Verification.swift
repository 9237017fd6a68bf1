// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Comparison of cached positions with fresh searches in debug builds. A stale position under a current stamp is an
/// error of this library and stops the process. Release builds skip it.
extension ClusterTree {
    @inlinable @inline(__always)
    package func verify(_ key: ObjectKey, isIn leaf: Node, _ row: Int) {
        #if DEBUG
            verifyRow(key, leaf, row)
        #endif
    }

    #if DEBUG
        @usableFromInline package func verifyRow(_ key: ObjectKey, _ leaf: Node, _ row: Int) {
            verify(key) { found in
                guard let found else { return false }
                return unsafe found.leaf.node.payload == leaf.payload && found.row == row
            }
        }

        /// Stops the process if `isRight` rejects the result of a fresh search. Damaged trees are exempt: they may
        /// contradict themselves, so that searches legitimately differ.
        package func verify(_ key: ObjectKey, _ isRight: (Position?) throws -> Bool) {
            let isStale = (try? !isRight(find(key)) && isInOrder()) ?? false
            precondition(!isStale, "what is remembered of \(key) is stale, and the clock does not say so")
        }

        private func isInOrder() throws -> Bool {
            var (last, isInOrder): (ObjectKey?, Bool) = (nil, true)
            try forEachLeaf { leaf in
                for row in 0..<leaf.count {
                    let key = leaf.key(at: row)
                    if let last, key <= last { isInOrder = false }
                    last = key
                }
                return isInOrder
            }
            return isInOrder
        }
    #endif
}
