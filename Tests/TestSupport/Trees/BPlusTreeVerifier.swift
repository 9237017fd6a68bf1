// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Verifies the structure of a B+tree against container 4.4, from the bare nodes and without the tree's reader.
package struct BPlusTreeVerifier {
    private let space: NodeSpace
    private let kind: LeafKind
    private let capacity: Int

    package struct Summary {
        package var count: Int
        /// 0 for a leaf.
        package var depth: Int
        var isGeneral: Bool
    }

    /// Throws at the first broken invariant.
    @discardableResult
    package static func verify(
        _ space: NodeSpace, _ root: Ref, _ kind: LeafKind, capacity: Int
    ) throws -> Summary {
        try BPlusTreeVerifier(space: space, kind: kind, capacity: capacity).verify(root, isRoot: true)
    }

    private func verify(_ ref: Ref, isRoot: Bool) throws -> Summary {
        let node = try space.node(ref)
        guard node.header.isInner else {
            let count = try ColumnLeaf(space, ref, kind).count
            try require(count > 0 || isRoot, "an empty leaf at \(ref)")
            try require(count <= capacity, "a leaf of \(count) elements at \(ref)")
            return Summary(count: count, depth: 0, isGeneral: false)
        }
        try require(node.header.schemeCode == 0 && node.header.hasRefs, "a branch of the wrong kind at \(ref)")
        try require(isRoot || !node.header.hasContext, "a context bit below the root at \(ref)")
        let elements = node.elements()
        try require(elements.count >= 3, "a branch without children at \(ref)")
        try require(elements.count - 2 <= capacity, "a branch of \(elements.count - 2) children at \(ref)")
        let children = try elements[1..<elements.count - 1].map { element in
            try require(element != 0 && element & 1 == 0, "a child that is no ref in the branch at \(ref)")
            return try verify(Ref(bitPattern: Int(element)), isRoot: false)
        }
        let total = children.reduce(0) { $0 + $1.count }
        try requireEqual(elements[elements.count - 1], Tagged.encode(total), "the total of the branch at \(ref)")
        try require(Set(children.map(\.depth)).count == 1, "children of different depths below \(ref)")
        let isGeneral = elements[0] & 1 == 0
        try require(isGeneral || !children.contains(where: \.isGeneral), "general below compact at \(ref)")
        if isGeneral {
            try verifyOffsets(Ref(bitPattern: Int(elements[0])), of: children)
        } else {
            try verifyCompact(Int(Tagged.decode(elements[0])), children, at: ref)
        }
        return Summary(count: total, depth: children[0].depth + 1, isGeneral: isGeneral)
    }

    private func verifyOffsets(_ ref: Ref, of children: [Summary]) throws {
        let offsets = try space.node(ref)
        try require(
            offsets.header.flags == 0 && offsets.width >= 8, "an offsets array of the wrong kind at \(ref)")
        var end = 0
        let expected = children.dropLast().map { child in
            end += child.count
            return UInt64(end)
        }
        try requireEqual((0..<offsets.count).map { offsets.unsigned($0) }, expected, "the offsets at \(ref)")
    }

    private func verifyCompact(_ size: Int, _ children: [Summary], at ref: Ref) throws {
        let full = (0...children[0].depth).reduce(1) { product, _ in product * capacity }
        try requireEqual(size, full, "the size of the compact branch at \(ref)")
        for child in children.dropLast() { try requireEqual(child.count, size, "a child of the branch at \(ref)") }
        try require((1...size).contains(children[children.count - 1].count), "the last child of the branch at \(ref)")
    }
}
