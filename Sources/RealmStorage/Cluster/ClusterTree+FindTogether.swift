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
        var key: ObjectKey
        var place: LeafPlace
        var row = 0
        /// The node that its value will be read from, probably.
        var value: Ref = 0
    }

    /// The leaf in which the objects with all these keys are, if the first and the last are in the same one. Else gives
    /// the place of each to `body`, while the value in child `child` of its leaf is fetched. Keys that are negative or
    /// of no object are passed over. At most `togetherLimit` keys.
    package func find(
        together keys: Range<Int>, _ key: (Int) -> ObjectKey?, fetching child: Int,
        _ body: (ObjectKey, Node, Int) -> Void
    ) throws -> ClusterLeaf? {
        try unsafe withUnsafeTemporaryAllocation(of: Search.self, capacity: ClusterTree.togetherLimit) { searches in
            var count = 0
            for index in keys.prefix(ClusterTree.togetherLimit) {
                guard let key = key(index), key.rawValue >= 0 else { continue }
                let place = try leafPlace(for: UInt64(bitPattern: key.rawValue))
                space.prefetch(place.ref)
                unsafe searches[count] = Search(key: key, place: place)
                count += 1
            }
            guard count > 0 else { return nil }
            if unsafe searches[0].place.ref == searches[count - 1].place.ref {
                return unsafe try leaf(at: searches[0].place)
            }
            for index in 0..<count {
                let search = unsafe searches[index]
                let leaf = try leaf(at: search.place)
                guard let row = leaf.row(of: search.key) else { continue }
                body(search.key, leaf.node, row)
                guard child < leaf.node.count else { continue }
                let value = Ref(element: leaf.node[child])
                space.prefetch(value)
                unsafe (searches[index].row, searches[index].value) = (row, value)
            }
            for index in 0..<count {
                let search = unsafe searches[index]
                if let node = space.nodeOrNil(search.value) {
                    space.prefetch(search.value, 8 &+ node.likelyOffset(of: search.row))
                }
            }
            return nil
        }
    }
}

extension Node {
    /// Where the element at `index` is in the payload, if the node is one of elements of the same size.
    package func likelyOffset(of index: Int) -> Int { (index &* (header.schemeCode == 0 ? width : width &* 8)) >> 3 }
}
