// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// An iterator over the leaves of a column from left to right (older 4). It doesn't read the counts in the branches.
struct RowLeaves {
    private let reader: RowReader
    private var path: [(node: Node, next: Int)] = []
    private var root: Ref

    init(_ reader: RowReader, _ root: Ref) {
        self.reader = reader
        self.root = root
    }

    mutating func next() throws -> Node? {
        guard var ref = try nextRef() else { return nil }
        while true {
            let node = try reader.node(ref)
            guard node.header.isInner else { return try checked(node) }
            guard path.count < BPlusTree.maximumDepth, node.count >= 3 else { throw RowReader.endless(ref) }
            path.append((node, 2))
            ref = try node.child(1)
        }
    }

    private mutating func nextRef() throws -> Ref? {
        if root != 0 {
            defer { root = 0 }
            return root
        }
        while let (node, next) = path.last {
            if next < node.count - 1 {
                path[path.count - 1].next += 1
                return try node.child(next)
            }
            path.removeLast()
        }
        return nil
    }

    /// Elements of width 0 use no bytes, so the file's size doesn't limit their number.
    private func checked(_ leaf: Node) throws -> Node {
        guard leaf.count <= FileFormat.treeNodeCapacity + 1 || leaf.width > 0 else {
            throw StorageError.corrupt("a leaf of impossible length", at: leaf.ref)
        }
        return leaf
    }
}
