// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension Upgrade {
    /// Step 3.4, dictionaries: converts the tree of hashes to two trees, of keys in order and of their values. Links
    /// and their backlinks are unchanged.
    func rebuildDictionaries(of table: Table) throws {
        for column in table.columns where column.key.isDictionary {
            let keyKind: LeafKind = column.dictionaryKeyType == .int ? .int : .string
            try forEachTree(of: column, in: table) { root in
                let entries = try HashedDictionary(space, root, keyKind, budget).entries()
                let new = try dictionary(entries, keyKind)
                try store.freeTree(root)
                root = new
            }
        }
    }

    /// Format 23 orders keys by signed bytes, and the original doesn't change that (content 7.6 requires 8.2).
    func sortDictionaries(of table: Table) throws {
        guard era.hasMixed else { return }
        for column in table.columns where column.key.isDictionary && column.dictionaryKeyType != .int {
            try forEachTree(of: column, in: table) { root in
                let top = try space.refs(root)
                guard top.count == 2 else { throw StorageError.corrupt("a dictionary of \(top.count) slots", at: root) }
                let keys = try elements(try top.child(0), .string)
                let isSorted = zip(keys, keys.dropFirst()).allSatisfy { ExactValue.precedes($0, $1) }
                guard !isSorted else { return }
                let values = try elements(try top.child(1), .mixed)
                guard keys.count == values.count else {
                    throw StorageError.corrupt("a dictionary with more keys than values or fewer", at: root)
                }
                let new = try dictionary(zip(keys, values).map { (key: $0, value: $1) }, .string)
                try store.freeTree(root)
                root = new
            }
        }
    }

    /// Creates a dictionary; returns 0 for an empty one.
    private func dictionary(_ entries: [HashedDictionary.Entry], _ keyKind: LeafKind) throws -> Ref {
        guard !entries.isEmpty else { return 0 }
        let sorted = entries.ordered { HashedDictionary.precedes($0.key, $1.key) }
        guard zip(sorted, sorted.dropFirst()).allSatisfy({ HashedDictionary.precedes($0.key, $1.key) }) else {
            throw StorageError(.invalidDatabase, "a dictionary that has a key twice; the file is damaged")
        }
        let keys = try BPlusTreeEditor(store, keyKind).create(sorted.map(\.key))
        let values = try BPlusTreeEditor(store, .mixed).create(sorted.map(\.value))
        return try store.create([keys, values].map(\.element), flags: NodeHeader.Flags.hasRefs)
    }

    /// Steps 3.4 and 3.5, sets: orders strings and binaries by unsigned bytes, and in sets of Mixed all strings before
    /// the first binary. Sets that are already in order are unchanged.
    func sortSets(of table: Table) throws {
        for column in table.columns where column.key.isSet {
            let kind = LeafKind(elementsOf: column.key)
            guard kind == .string || kind == .binary || kind == .mixed else { continue }
            try forEachTree(of: column, in: table) { root in
                var values = try elements(root, kind)
                // Other values, such as null, stay at their index.
                let places = values.indices.filter { values[$0].rankOfBytes != nil }
                let isSorted = zip(places, places.dropFirst()).allSatisfy { a, b in
                    !ExactValue.precedes(values[b], values[a])
                }
                guard !isSorted else { return }
                let sorted = places.map { values[$0] }.ordered(by: ExactValue.precedes)
                for (place, value) in zip(places, sorted) { values[place] = value }
                let new = try BPlusTreeEditor(store, kind).create(values)
                try store.freeTree(root)
                root = new
            }
        }
    }
}

/// A dictionary of formats 21 and 22: a cluster tree whose object keys are hashes of the dictionary's keys. The keys
/// are in column 0 and the values, as Mixed, in column 1 (container 10.2, 10.3).
struct HashedDictionary {
    typealias Entry = (key: ExactValue, value: ExactValue)

    private let tree: ClusterTree
    private let keyKind: LeafKind
    private let budget: WorkBudget

    init(_ space: NodeSpace, _ root: Ref, _ keyKind: LeafKind, _ budget: WorkBudget) {
        tree = ClusterTree(space, root: root)
        self.keyKind = keyKind
        self.budget = budget
    }

    func entries() throws -> [Entry] {
        var result: [Entry] = []
        try tree.forEachLeaf { leaf in
            try budget.spendCluster()
            let keys = try leaf.column(0, keyKind)
            let values = try leaf.column(1, .mixed)
            for row in 0..<leaf.count {
                let entry = (key: try ExactValue(keys, row), value: try ExactValue(values, row))
                if case .other(.null) = entry.key {
                    throw StorageError.corrupt("a dictionary with null as a key", at: leaf.node.ref)
                }
                try budget.spend(byteCount: entry.key.byteCount + entry.value.byteCount)
                result.append(entry)
            }
            return true
        }
        return result
    }

    static func precedes(_ a: ExactValue, _ b: ExactValue) -> Bool {
        if case (.other(let a), .other(let b)) = (a, b) { return StoredValue.compare(a, b) < 0 }
        return ExactValue.precedes(a, b)
    }
}
