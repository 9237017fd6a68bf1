// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Finding several objects at once.
///
/// An object that lies anywhere is found through three or four nodes in turn, each of them in memory that has to be
/// waited for. Several are waited for together.
extension ClusterTree {
    /// How many objects are looked for at once.
    package static let togetherLimit = 8

    /// Where an object is, as far as it is known yet.
    private struct Search {
        let key: ObjectKey
        let place: LeafPlace
        var leaf: Node?
        var row = 0
    }

    /// The leaf in which the objects with all these keys are, if the first and the last are in the same one. Else has
    /// `known` remember the leaf of each, while the value in child `child` of its leaf is fetched, from where it is if
    /// the child has `header`. Keys that are negative or of no object are passed over. At most `togetherLimit` keys.
    package func find(
        together keys: Range<Int>, _ key: (Int) -> ObjectKey?, fetching child: Int, _ header: NodeHeader,
        _ known: KnownLeaves
    ) throws -> ClusterLeaf? {
        try unsafe withUnsafeTemporaryAllocation(of: Search.self, capacity: ClusterTree.togetherLimit) { searches in
            var count = 0
            for index in keys.prefix(ClusterTree.togetherLimit) {
                guard let key = key(index), key.rawValue >= 0 else { continue }
                unsafe searches[count] = try beginSearch(for: key, fetching: child, known)
                count += 1
            }
            guard count > 0 else { return nil }
            if unsafe searches[0].place.ref == searches[count - 1].place.ref {
                return unsafe try leaf(at: searches[0].place)
            }
            for index in 0..<count {
                if unsafe searches[index].leaf == nil { unsafe try endSearch(&searches[index], known) }
                guard let leaf = unsafe searches[index].leaf, child < leaf.count else { continue }
                unsafe space.prefetch(Ref(element: leaf[child]), header, row: searches[index].row)
            }
            return nil
        }
    }

    /// Finds where the leaf is, and has what will be read of it fetched.
    @inline(__always)
    private func beginSearch(for key: ObjectKey, fetching child: Int, _ known: KnownLeaves) throws -> Search {
        if let (leaf, row, keyOffset) = known.row(of: key, in: space) {
            space.prefetch(leaf.ref, 8 &+ leaf.header.likelyOffset(of: child))
            return Search(key: key, place: LeafPlace(ref: leaf.ref, keyOffset: keyOffset), leaf: leaf, row: row)
        }
        let place = try leafPlace(for: UInt64(bitPattern: key.rawValue))
        space.prefetch(place.ref)
        return Search(key: key, place: place)
    }

    private func endSearch(_ search: inout Search, _ known: KnownLeaves) throws {
        let leaf = try leaf(at: search.place)
        guard let row = leaf.row(of: search.key) else { return }
        known.remember(leaf, of: search.key)
        (search.leaf, search.row) = (leaf.node, row)
    }
}

extension NodeSpace {
    /// Begins to fetch the header of a column's leaf, and the value in `row` from where it is if the leaf has `header`,
    /// as another leaf of the column has.
    @inlinable @inline(__always)
    package func prefetch(_ leaf: Ref, _ header: NodeHeader, row: Int) {
        prefetch(leaf)
        prefetch(leaf, 8 &+ header.likelyOffset(of: row))
    }
}

extension NodeHeader {
    /// Where the element at `index` is in the payload, if the node is one of elements of the same size.
    @inlinable @inline(__always)
    package func likelyOffset(of index: Int) -> Int { (index &* (schemeCode == 0 ? width : width &* 8)) >> 3 }
}
