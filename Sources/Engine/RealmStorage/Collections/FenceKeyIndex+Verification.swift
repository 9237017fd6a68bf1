// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Debug verification of positions found through fence keys; see `ClusterTree.verify`.
extension BPlusTree {
    @inline(__always)
    func verify(_ value: StoredValue, _ place: LeafPosition?) {
        #if DEBUG
            guard let place else { return }
            verify(value) { $0.index == place.index && $0.isFound == place.isFound }
        #endif
    }

    @inline(__always)
    func verify(_ key: String, _ entry: LookupResult?, in values: BPlusTree) {
        #if DEBUG
            guard let entry else { return }
            verify(.string(key)) { found in
                guard case .present(let leaf, let row) = entry else { return !found.isFound }
                guard found.isFound else { return false }
                let expected = try values.leaf(holding: found.index)
                return try expected.leaf.mixed.root.ref == leaf.root.ref && found.index - expected.start == row
            }
        #endif
    }

    #if DEBUG
        private func verify(_ value: StoredValue, _ isRight: ((index: Int, isFound: Bool)) throws -> Bool) {
            let isStale = (try? !isRight(place(of: value, .plain)) && isAscending()) ?? false
            precondition(!isStale, "the fenceIndex of the tree at \(root) does not lead to \(value)")
        }

        private func isAscending() throws -> Bool {
            for (index, value) in try values().enumerated() {
                let place = try place(of: value, .plain)
                guard place.isFound, place.index == index else { return false }
            }
            return true
        }
    #endif
}
