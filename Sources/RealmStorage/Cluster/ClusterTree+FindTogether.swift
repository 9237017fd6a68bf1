// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Finding several objects at once.
///
/// An object that lies anywhere is found through three or four nodes in turn, each of them in memory that has to be
/// waited for. Several are waited for together.
extension ClusterTree {
    /// How many objects are looked for at once.
    package static let togetherLimit = 8

    /// An object that is looked for, and where it is, as far as that is known.
    package struct Sought {
        package let key: ObjectKey
        fileprivate var place = LeafPlace(ref: 0, keyOffset: 0)
        package fileprivate(set) var leaf: Node?
        package fileprivate(set) var row = 0

        /// `key` is not negative.
        package init(_ key: ObjectKey) { self.key = key }
    }

    /// The leaf in which all these objects are, if the first and the last are in the same one. Else finds the leaf and
    /// the row of each, which `known` remembers, while the value in child `child` of its leaf is fetched, from where it
    /// is if the child has `header`. At least one object, and at most `togetherLimit`.
    package func find(
        together sought: UnsafeMutableBufferPointer<Sought>, fetching child: Int, _ header: NodeHeader,
        _ known: ClusterLeafCache
    ) throws -> ClusterLeaf? {
        for index in sought.indices { unsafe try begin(&sought[index], fetching: child, known) }
        if unsafe sought[0].place.ref == sought[sought.count - 1].place.ref {
            return unsafe try leaf(at: sought[0].place)
        }
        for index in sought.indices {
            if unsafe sought[index].leaf == nil { unsafe try end(&sought[index], known) }
            guard let leaf = unsafe sought[index].leaf, child < leaf.count else { continue }
            unsafe space.prefetch(Ref(element: leaf[child]), header, row: sought[index].row)
        }
        return nil
    }

    /// Finds where the leaf is, and has what will be read of it fetched.
    @inline(__always)
    private func begin(_ sought: inout Sought, fetching child: Int, _ known: ClusterLeafCache) throws {
        if let (leaf, row, keyOffset) = known.row(of: sought.key, in: space) {
            verify(sought.key, isIn: leaf, row)
            space.prefetch(leaf.ref, 8 &+ leaf.header.likelyOffset(of: child))
            sought.place = LeafPlace(ref: leaf.ref, keyOffset: keyOffset)
            (sought.leaf, sought.row) = (leaf, row)
        } else {
            sought.place = try leafPlace(for: UInt64(bitPattern: sought.key.rawValue))
            space.prefetch(sought.place.ref)
        }
    }

    private func end(_ sought: inout Sought, _ known: ClusterLeafCache) throws {
        let leaf = try leaf(at: sought.place)
        guard let row = leaf.row(of: sought.key) else { return }
        known.remember(leaf, of: sought.key)
        (sought.leaf, sought.row) = (leaf.node, row)
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
