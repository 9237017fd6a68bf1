// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

struct LinkFinder {
    struct Found {
        /// The positions of the nested collections on the path, the outermost first.
        var positions: [Int]
        let collection: StoredCollection
        let index: Int
    }

    private let space: NodeSpace
    private let link: ObjectLink
    /// In a valid file every nested collection has one parent; in a damaged one, the search could otherwise run in a
    /// cycle.
    private var visited: Set<Ref> = []

    init(_ space: NodeSpace, _ link: ObjectLink) {
        self.space = space
        self.link = link
    }

    /// Returns the first position of the link: the collection's own elements precede those of nested ones.
    mutating func find(in collection: StoredCollection, level: Int = 1) throws -> Found? {
        guard let elements = collection.elements else { return nil }
        if let index = try ownIndex(in: elements) { return Found(positions: [], collection: collection, index: index) }
        guard elements.kind == .mixed, level < FileFormat.maximumNestingLevel else { return nil }
        for (index, value) in try nestedElements(of: elements) {
            guard let nested = try unvisited(value), var found = try find(in: nested, level: level + 1) else {
                continue
            }
            found.positions.insert(index, at: 0)
            return found
        }
        return nil
    }

    private func nestedElements(of elements: BPlusTree) throws -> [(index: Int, value: StoredValue)] {
        var result: [(index: Int, value: StoredValue)] = []
        try elements.forEachLeaf { leaf in
            let mixed = try leaf.leaf.mixed
            for row in 0..<mixed.count where try mixed.isCollection(at: row) {
                result.append((leaf.start + row, try mixed.value(at: row)))
            }
            return true
        }
        return result
    }

    private func ownIndex(in elements: BPlusTree) throws -> Int? {
        var found: Int?
        try elements.forEachLeaf { leaf in
            if leaf.leaf.kind == .key, !leaf.leaf.holds(link.object) { return true }
            let row = try (0..<leaf.leaf.count).first { try isLink(leaf.leaf, $0) }
            found = row.map { leaf.start + $0 }
            return found == nil
        }
        return found
    }

    func ownIndexes(in elements: BPlusTree, first most: Int) throws -> [Int] {
        var found: [Int] = []
        try elements.forEachLeaf { leaf in
            if leaf.leaf.kind == .key, !leaf.leaf.holds(link.object) { return true }
            for row in 0..<leaf.leaf.count where try found.count < most && isLink(leaf.leaf, row) {
                found.append(leaf.start + row)
            }
            return found.count < most
        }
        return found
    }

    private func isLink(_ leaf: ColumnLeaf, _ row: Int) throws -> Bool {
        if leaf.kind == .key { return try leaf.ref(at: row) == link.object.rawValue }
        return try leaf.mixed.isLink(at: row) && leaf.value(at: row) == .typedLink(link)
    }

    private mutating func unvisited(_ value: StoredValue) throws -> StoredCollection? {
        switch value {
        case .list(let root, _), .dictionary(let root, _):
            visited.insert(root).inserted ? try StoredCollection(value: value, in: space) : nil
        default: nil
        }
    }
}
