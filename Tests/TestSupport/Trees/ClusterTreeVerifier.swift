// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Verifies the structure of a cluster tree against content 5, from the bare nodes and without the tree's reader.
package struct ClusterTreeVerifier {
    private let space: NodeSpace
    private let layout: ClusterLayout
    private let capacity: Int

    /// The verified properties of a subtree, with keys relative to it.
    private struct Subtree {
        var keys: [UInt64]
        var depth: UInt64
    }

    package struct Summary {
        package var keys: [UInt64]
        package var depth: Int
    }

    /// Throws at the first broken invariant.
    @discardableResult
    package static func verify(
        _ space: NodeSpace, _ root: Ref, _ layout: ClusterLayout, capacity: Int
    ) throws -> Summary {
        let verifier = ClusterTreeVerifier(space: space, layout: layout, capacity: capacity)
        let tree = try verifier.verify(root, isRoot: true)
        return Summary(keys: tree.keys, depth: Int(tree.depth))
    }

    private func verify(_ ref: Ref, isRoot: Bool) throws -> Subtree {
        let node = try space.node(ref)
        try require(node.header.schemeCode == 0 && node.header.hasRefs, "a cluster of the wrong kind at \(ref)")
        try require(!node.header.hasContext, "a context bit at \(ref)")
        let elements = node.elements()
        return try node.header.isInner
            ? branch(elements, at: ref) : Subtree(keys: leaf(elements, at: ref, isRoot: isRoot), depth: 0)
    }

    private func branch(_ elements: [Int64], at ref: Ref) throws -> Subtree {
        let refs = elements.dropFirst(3)
        try require((1...capacity).contains(refs.count), "a branch of \(refs.count) children at \(ref)")
        let children = try refs.map { element in
            try require(element != 0 && element & 1 == 0, "a child that is no ref in the branch at \(ref)")
            return try verify(Ref(bitPattern: Int(element)), isRoot: false)
        }
        try require(Set(children.map(\.depth)).count == 1, "children of different depths below \(ref)")
        let depth = children[0].depth + 1
        try requireEqual(elements[1], Tagged.encode(depth), "the depth of the branch at \(ref)")
        let count = children.reduce(0) { $0 + $1.keys.count }
        try requireEqual(elements[2], Tagged.encode(count), "the count of the branch at \(ref)")
        let offsets = try offsets(elements[0], childCount: children.count, depth: depth, at: ref)
        let keys = zip(children, offsets).flatMap { child, offset in child.keys.map { $0 &+ offset } }
        try require(zip(keys, keys.dropFirst()).allSatisfy(<), "keys out of order below \(ref)")
        return Subtree(keys: keys, depth: depth)
    }

    private func offsets(_ element: Int64, childCount: Int, depth: UInt64, at ref: Ref) throws -> [UInt64] {
        if element == 0 { return (0..<UInt64(childCount)).map { $0 << (8 * depth) } }
        let offsets = try unsigned(element)
        try requireEqual(offsets.count, childCount, "the number of offsets of \(ref)")
        try requireEqual(offsets.first, 0, "the first offset of \(ref)")
        try require(zip(offsets, offsets.dropFirst()).allSatisfy(<), "offsets out of order in \(ref)")
        return offsets
    }

    private func leaf(_ elements: [Int64], at ref: Ref, isRoot: Bool) throws -> [UInt64] {
        let keys = try elements[0] & 1 == 1 ? Array(0..<Tagged.decode(elements[0])) : unsigned(elements[0])
        try require(zip(keys, keys.dropFirst()).allSatisfy(<), "keys out of order in \(ref)")
        try require(keys.count <= capacity, "a cluster of \(keys.count) rows at \(ref)")
        try require(isRoot || !keys.isEmpty, "an empty cluster at \(ref)")
        let columns = Dictionary(uniqueKeysWithValues: layout.columns.map { ($0.leafIndex + 1, $0) })
        try require(elements.count > columns.keys.max() ?? 0, "a cluster with too few slots at \(ref)")
        for slot in 1..<elements.count {
            guard let column = columns[slot] else {
                try requireEqual(elements[slot], 0, "slot \(slot) of no column at \(ref)")
                continue
            }
            try require(elements[slot] != 0 && elements[slot] & 1 == 0, "slot \(slot) at \(ref) is no ref")
            let leaf = try ColumnLeaf(space, Ref(bitPattern: Int(elements[slot])), column.kind)
            try requireEqual(leaf.count, keys.count, "the rows of slot \(slot) at \(ref)")
        }
        return keys
    }

    private func unsigned(_ element: Int64) throws -> [UInt64] {
        let ref = Ref(bitPattern: Int(element))
        let node = try space.node(ref)
        try require(node.header.flags == 0 && node.width >= 8, "an array of keys of the wrong kind at \(ref)")
        return (0..<node.count).map { node.unsigned($0) }
    }
}
