// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Compares values of two versions without copying them.
struct ValueComparison {
    enum Nested {
        /// Equal contents at any depth.
        case content
        /// One collection in both versions, with any contents (content 6.14, collection keys).
        case identity
    }

    let nodes: SharedNodes
    let budget: DiffBudget
    var nested: Nested
    var level = 0

    /// The number of rows of `a` from `row` with the same values as those of `b` from `otherRow`, up to `limit`.
    ///
    /// Cells of collection columns are compared by their refs alone. Unresolved links, alone or in Mixed, are null.
    func common(_ a: ColumnLeaf, _ row: Int, _ b: ColumnLeaf, _ otherRow: Int, limit: Int) throws -> Int {
        guard row >= 0, row + limit <= a.count else { throw ColumnLeaf.noRow(a.node.ref) }
        guard otherRow >= 0, otherRow + limit <= b.count else { throw ColumnLeaf.noRow(b.node.ref) }
        switch (a.kind, b.kind) {
        case (.int, .int), (.bool, .bool), (.key, .key):
            return a.node.common(row, b.node, otherRow, limit: limit)
        case (.enumeratedString(let keysA), .enumeratedString(let keysB)) where nodes.areSame(keysA, keysB):
            return a.node.common(row, b.node, otherRow, limit: limit)
        case (.float, .float): return a.node.commonFixed(row, b.node, otherRow, limit: limit, width: 4)
        case (.double, .double): return a.node.commonFixed(row, b.node, otherRow, limit: limit, width: 8)
        case (.link, .link):
            return count(limit, quick: { a.node.common(row + $0, b.node, otherRow + $0, limit: limit - $0) }) {
                max(a.node[row + $0], 0) == max(b.node[otherRow + $0], 0)
            }
        case (.optionalInt, .optionalInt) where a.node[0] == b.node[0]:
            return a.node.common(row + 1, b.node, otherRow + 1, limit: limit)
        case (.collection, .collection): return commonRefs(a.node, row, b.node, otherRow, limit)
        case (.string, .string): return try commonBytes(.string, a, row, b, otherRow, limit)
        case (.binary, .binary): return try commonBytes(.binary, a, row, b, otherRow, limit)
        case (.timestamp, .timestamp):
            let (leafA, leafB) = (try TimestampLeaf(a.space, a.node), try TimestampLeaf(b.space, b.node))
            return try count(limit, quick: { leafA.common(row + $0, leafB, otherRow + $0, limit: limit - $0) }) {
                try leafA.value(at: row + $0) == leafB.value(at: otherRow + $0)
            }
        case (.decimal, .decimal), (.objectId, .objectId), (.uuid, .uuid):
            return try count(limit, quick: { a.commonFixed(row + $0, b, otherRow + $0, limit: limit - $0) }) {
                try a.value(at: row + $0).isIdentical(to: b.value(at: otherRow + $0))
            }
        case (.mixed, .mixed):
            let (leafA, leafB) = (try a.mixed, try b.mixed)
            return try count(limit) { try isSame(leafA, row + $0, leafB, otherRow + $0) }
        default: return try count(limit) { try a.value(at: row + $0).isIdentical(to: b.value(at: otherRow + $0)) }
        }
    }

    private func count(_ limit: Int, _ isSame: (Int) throws -> Bool) rethrows -> Int {
        var index = 0
        while index < limit, try isSame(index) { index += 1 }
        return index
    }

    /// `quick` returns a lower bound of the number of equal values from an index.
    private func count(_ limit: Int, quick: (Int) -> Int, _ isSame: (Int) throws -> Bool) rethrows -> Int {
        var index = 0
        while index < limit {
            index += quick(index)
            guard index < limit, try isSame(index) else { break }
            index += 1
        }
        return index
    }

    private func commonRefs(_ a: Node, _ row: Int, _ b: Node, _ otherRow: Int, _ limit: Int) -> Int {
        count(limit) {
            let (refA, refB) = (a[row + $0], b[otherRow + $0])
            return refA == refB && nodes.areSame(Ref(element: refA), Ref(element: refB))
        }
    }

    // MARK: Mixed

    private func isSame(_ a: MixedLeaf, _ row: Int, _ b: MixedLeaf, _ otherRow: Int) throws -> Bool {
        let descriptor = try a.descriptor(at: row)
        if descriptor.payload == .inline, try descriptor == b.descriptor(at: otherRow) { return true }
        return try isSame(a.value(at: row), b.value(at: otherRow))
    }

    func isSame(_ a: StoredValue, _ b: StoredValue) throws -> Bool {
        switch (a, b) {
        case (.list(let rootA, let keyA), .list(let rootB, let keyB)):
            if nested == .identity { return keyA == keyB }
            if nodes.areSame(rootA, rootB) { return true }
            return try inner(at: rootA).isSame(
                BPlusTree(nodes.old, rootA, .mixed), BPlusTree(nodes.new, rootB, .mixed))
        case (.dictionary(let rootA, let keyA), .dictionary(let rootB, let keyB)):
            if nested == .identity { return keyA == keyB }
            if nodes.areSame(rootA, rootB) { return true }
            return try inner(at: rootA).isSame(DictionaryTree(nodes.old, rootA), DictionaryTree(nodes.new, rootB))
        default: return a.readable.isIdentical(to: b.readable)
        }
    }

    private func inner(at ref: Ref) throws -> ValueComparison {
        guard level <= FileFormat.maximumNestingLevel else {
            throw StorageError.corrupt("collections nested too deeply; the file is damaged", at: ref)
        }
        var inner = self
        inner.level += 1
        return inner
    }

    // MARK: Collections

    func isSame(_ a: BPlusTree, _ b: BPlusTree) throws -> Bool {
        guard a.count == b.count else { return false }
        if nodes.areSame(a.root, b.root) { return true }
        var trees = try TreePair(a, b, self, charged: true)
        return try trees.common(0, 0, limit: a.count) == a.count
    }

    func isSame(_ a: DictionaryTree, _ b: DictionaryTree) throws -> Bool {
        guard a.count == b.count else { return false }
        guard let keysA = a.keys, let keysB = b.keys, let valuesA = a.valuesTree, let valuesB = b.valuesTree
        else { return true }
        return try isSame(keysA, keysB) && isSame(valuesA, valuesB)
    }
}

extension StoredValue {
    /// Unresolved links are null.
    fileprivate var readable: StoredValue {
        switch self {
        case .typedLink(let link) where link.object.isUnresolved: .null
        case .link(let key) where key.isUnresolved: .null
        default: self
        }
    }
}
