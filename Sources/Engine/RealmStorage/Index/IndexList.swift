// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A list of object keys in a search index: a B+tree of plain integers (content 9.3). Read-only.
struct IndexList {
    let space: NodeSpace
    let root: Ref
    /// At least 1.
    let count: Int

    init(_ space: NodeSpace, _ root: Ref) throws {
        self.space = space
        self.root = root
        let node = try space.integers(root)
        let count = node.header.isInner ? try node.tagged(node.count - 1) : UInt64(node.count)
        guard count > 0, count <= UInt64(Int.max >> 8) else {
            throw StorageError.corrupt("a list of impossible length in a search index; the file is damaged", at: root)
        }
        self.count = Int(count)
    }

    func key(at index: Int) throws -> ObjectKey {
        var ref = root
        var row = index
        for _ in 0..<BPlusTree.maximumDepth {
            let node = try space.integers(ref)
            guard node.header.isInner else { return ObjectKey(try leaf(node).element(row)) }
            let (child, offset) = try TreeBranch.child(of: node, holding: row, in: space)
            ref = try node.child(child + 1)
            row -= offset
        }
        throw StorageError.corrupt("list nodes nested without end; the file is damaged", at: ref)
    }

    /// Stops when `body` returns false. Returns whether it never did.
    @discardableResult
    func forEach(_ body: (ObjectKey) throws -> Bool) throws -> Bool {
        try forEachLeaf { leaf in
            for row in 0..<leaf.count where try !body(ObjectKey(leaf[row])) { return false }
            return true
        }
    }

    private func forEachLeaf(_ body: (Node) throws -> Bool) throws -> Bool {
        var visited = VisitedNodes()
        return try visit(root, &visited, depth: 0, body)
    }

    func first(where matches: (ObjectKey) throws -> Bool) throws -> ObjectKey? {
        var result: ObjectKey?
        try forEach { key in
            if try matches(key) { result = key }
            return result == nil
        }
        return result
    }

    func keys() throws -> [ObjectKey] {
        var result: [ObjectKey] = []
        _ = try forEachLeaf { leaf in
            let keys = leaf.elements { ObjectKey($0) }
            // Most lists are one leaf, whose array is reused.
            if result.isEmpty { result = keys } else { result += keys }
            return true
        }
        return result
    }

    private func visit(
        _ ref: Ref, _ visited: inout VisitedNodes, depth: Int, _ body: (Node) throws -> Bool
    ) throws -> Bool {
        let node = try space.integers(ref)
        if node.header.isInner {
            guard depth < BPlusTree.maximumDepth, node.count >= 3 else {
                throw StorageError.corrupt("a list branch of impossible form; the file is damaged", at: ref)
            }
            for index in 1..<node.count - 1 {
                let child = try node.child(index)
                try visited.enter(child)
                guard try visit(child, &visited, depth: depth + 1, body) else { return false }
            }
            return true
        }
        return try body(leaf(node))
    }

    private func leaf(_ node: Node) throws -> Node {
        guard !node.header.hasRefs, node.count <= FileFormat.treeNodeCapacity else {
            throw StorageError.corrupt("an impossible list leaf in a search index; the file is damaged", at: node.ref)
        }
        return node
    }
}

extension IndexList {
    /// Returns the number of leading keys for which `isBelow` returns true. No key after one for which it returns false
    /// may satisfy it.
    func partition(_ isBelow: (ObjectKey) throws -> Bool) throws -> Int {
        // Most inserted keys are appended, and most keys that are removed early were added last.
        guard try isBelow(key(at: count - 1)) == false else { return count }
        var low = 0
        var high = count - 1
        while low < high {
            let middle = (low + high) >> 1
            if try isBelow(key(at: middle)) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the index of `key`, even if the list is out of order.
    func index(of key: ObjectKey) throws -> Int? {
        var index = 0
        let isAbsent = try forEach {
            if $0 == key { return false }
            index += 1
            return true
        }
        return isAbsent || index >= count ? nil : index
    }
}
