// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Iterates over two versions of a table in parallel, by key, and compares the objects in both.
///
/// Clusters split and merge, and roots grow and shrink, so the two trees may differ in depth and in the first keys of
/// their leaves. The iterator that is behind opens its subtree; if both are before the same node, they skip it. A
/// shared node has the same keys in both trees, so both iterators reach it.
struct TableComparison {
    /// A column in both versions. A column and its replacement with the same name aren't a pair.
    private struct Pair {
        let key: ColumnKey
        let old: Column
        let new: Column
    }

    private struct Run {
        let old: Int
        let new: Int
        var count: Int
    }

    private let nodes: SharedNodes
    private let pairs: [Pair]
    let budget: DiffBudget
    private var old: ClusterWalk
    private var new: ClusterWalk
    private var runs: [Run] = []
    private var result = TableDiff()

    init(_ old: Table?, _ new: Table?, _ nodes: SharedNodes) {
        self.nodes = nodes
        budget = DiffBudget(nodes)
        self.old = ClusterWalk(old, nodes.old, budget)
        self.new = ClusterWalk(new, nodes.new, budget)
        pairs = (new?.publicColumns ?? []).compactMap { column in
            old?.column(column.key).map { Pair(key: column.key, old: $0, new: column) }
        }
    }

    mutating func run() throws -> TableDiff {
        while !old.isAtEnd || !new.isAtEnd {
            try step()
            if old.isLeafDone || new.isLeafDone { try closeLeaves() }
        }
        return result
    }

    private mutating func step() throws {
        switch (old.subtree, new.subtree) {
        case (let a?, let b?): try stepNodes(a, b)
        case (let a?, nil):
            if let key = new.key, key < a.offset { try insert(key) } else { try old.open() }
        case (nil, let b?):
            if let key = old.key, key < b.offset { try delete(key) } else { try new.open() }
        case (nil, nil): try stepRows()
        }
    }

    private mutating func stepNodes(_ a: ClusterWalk.Subtree, _ b: ClusterWalk.Subtree) throws {
        if a.offset == b.offset, nodes.areSame(a.ref, b.ref) {
            old.skip()
            new.skip()
        } else if a.offset != b.offset {
            if a.offset < b.offset { try old.open() } else { try new.open() }
        } else {
            let (heightA, heightB) = (try old.height(), try new.height())
            if heightA >= heightB { try old.open() }
            if heightB >= heightA { try new.open() }
        }
    }

    private mutating func stepRows() throws {
        guard let a = old.key else { return try insert(new.key ?? 0) }
        guard let b = new.key else { return try delete(a) }
        if a < b { return try delete(a) }
        if b < a { return try insert(b) }
        let count = commonKeys()
        if let last = runs.last, last.old + last.count == old.row, last.new + last.count == new.row {
            runs[runs.count - 1].count += count
        } else {
            runs.append(Run(old: old.row, new: new.row, count: count))
        }
        old.advance(count)
        new.advance(count)
    }

    /// A lower bound of the number of rows, from the current ones on, with the same objects: 1, or the whole leaf.
    private func commonKeys() -> Int {
        guard let a = old.leaf, let b = new.leaf, old.row == 0, new.row == 0, a.count == b.count,
            a.keyOffset == b.keyOffset
        else { return 1 }
        switch (a.keys, b.keys) {
        case (nil, nil): return a.count
        case (let keysA?, let keysB?):
            return nodes.areSame(keysA.ref, keysB.ref)
                || keysA.common(0, keysB, 0, limit: a.count) == a.count ? a.count : 1
        default: return 1
        }
    }

    private mutating func delete(_ key: UInt64) throws {
        try TableComparison.append(key, to: &result.deletions)
        old.advance(1)
    }

    private mutating func insert(_ key: UInt64) throws {
        try TableComparison.append(key, to: &result.insertions)
        new.advance(1)
    }

    private static func append(_ key: UInt64, to keys: inout [ObjectKey]) throws {
        keys.append(try TableComparison.key(key, above: keys.last))
    }

    private static func key(_ key: UInt64, above last: ObjectKey?) throws -> ObjectKey {
        let key = ObjectKey(Int64(bitPattern: key))
        guard key.rawValue >= 0, last.map({ $0 < key }) ?? true else {
            throw StorageError(.invalidDatabase, "objects out of order; the file is damaged")
        }
        return key
    }

    // MARK: Values

    private struct Mark {
        let row: Int
        let column: Int
    }

    private mutating func closeLeaves() throws {
        if !runs.isEmpty, let a = old.leaf, let b = new.leaf {
            try compare(a, b)
            runs.removeAll(keepingCapacity: true)
        }
        if old.isLeafDone { old.close() }
        if new.isLeafDone { new.close() }
    }

    private mutating func compare(_ a: ClusterLeaf, _ b: ClusterLeaf) throws {
        var marks: [Mark] = []
        for (index, pair) in pairs.enumerated() {
            let refs = (try a.node.child(pair.old.leafIndex + 1), try b.node.child(pair.new.leafIndex + 1))
            if nodes.areSame(refs.0, refs.1), runs.allSatisfy({ $0.old == $0.new }) { continue }
            let columns = (
                try a.column(pair.old.leafIndex, pair.old.leafKind), try b.column(pair.new.leafIndex, pair.new.leafKind)
            )
            try compare(columns.0, columns.1, pair) { marks.append(Mark(row: $0, column: index)) }
        }
        marks.sort { ($0.row, $0.column) < ($1.row, $1.column) }
        var index = 0
        while index < marks.count {
            let row = marks[index].row
            let end = marks[index...].firstIndex { $0.row != row } ?? marks.count
            let key = try TableComparison.key(
                b.keyOffset &+ b.relativeKey(at: row), above: result.modifications.last?.object)
            let columns = marks[index..<end].map { pairs[$0.column].key }
            result.modifications.append(ObjectModification(object: key, columns: columns))
            index = end
        }
    }

    /// Passes rows of the new leaf to `differs`.
    private func compare(_ a: ColumnLeaf, _ b: ColumnLeaf, _ pair: Pair, _ differs: (Int) -> Void) throws {
        let values = ValueComparison(nodes: nodes, budget: budget, nested: .content)
        for run in runs {
            var index = 0
            while index < run.count {
                index += try values.common(a, run.old + index, b, run.new + index, limit: run.count - index)
                guard index < run.count else { break }
                let isSame =
                    pair.key.isCollection
                    ? try isSameCollection(a.ref(at: run.old + index), b.ref(at: run.new + index), pair, values) : false
                if !isSame { differs(run.new + index) }
                index += 1
            }
        }
    }

    private func isSameCollection(_ a: Int64, _ b: Int64, _ pair: Pair, _ values: ValueComparison) throws -> Bool {
        guard a & 1 == 0, b & 1 == 0 else {
            throw StorageError(.invalidDatabase, "a collection that isn't a reference; the file is damaged")
        }
        let refs = (Ref(element: a), Ref(element: b))
        if pair.key.isDictionary {
            return try values.isSame(
                try DictionaryTree(nodes.old, refs.0, keyType: pair.old.dictionaryKeyType ?? .string),
                try DictionaryTree(nodes.new, refs.1, keyType: pair.new.dictionaryKeyType ?? .string))
        }
        let kind = LeafKind(elementsOf: pair.key)
        return try values.isSame(try BPlusTree(nodes.old, refs.0, kind), try BPlusTree(nodes.new, refs.1, kind))
    }
}
