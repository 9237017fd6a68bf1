// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Removes a link to a deleted object from its property or collection (content 12.4, step 1).
extension WriteTransaction {
    /// Removes all links to `link` that the column holds: one for each of its backlinks.
    func removeLinks(
        to link: ObjectLink, _ count: Int, _ column: Column, of object: ObjectKey, in table: Table
    ) throws {
        var rest = count
        if rest > 1 { rest -= try removeOwnElements(link, rest, column, of: object, in: table) }
        for _ in 0..<rest { try removeOneLink(to: link, column, of: object, in: table) }
    }

    /// Removes the links that are elements of a collection, but not those nested deeper, in one pass. Returns their
    /// number.
    private func removeOwnElements(
        _ link: ObjectLink, _ most: Int, _ column: Column, of object: ObjectKey, in table: Table
    ) throws -> Int {
        guard column.key.isCollection,
            let collection = try table.collection(column, at: try table.requireObject(object)),
            let elements = collection.elements
        else { return 0 }
        let indexes = try LinkFinder(space, link).ownIndexes(in: elements, first: most)
        guard !indexes.isEmpty else { return 0 }
        let place = ResolvedCollection(
            table: table, column: column, object: object, collection: collection, positions: [])
        try removeElements(indexes, link, of: place)
        return indexes.count
    }

    /// Removes the first link to `link` that the column holds: a single value becomes null, an element of a list or set
    /// is removed, a dictionary's value becomes null. In nested collections, the elements of the outer one are first.
    ///
    /// If the link isn't found, a column of Mixed stays unchanged (content 13.19); in any other column this is damage.
    func removeOneLink(to link: ObjectLink, _ column: Column, of object: ObjectKey, in table: Table) throws {
        if column.key.isCollection {
            try removeFromCollection(link, column, of: object, in: table)
        } else if column.type == .link {
            let value = try table.storedValue(column, at: table.requireObject(object))
            guard value == .link(link.object) else { throw missing(link) }
            try recorder?.record(.set(.null, column, object, table), in: self)
            try storeLink(nil, column, of: object, in: table)
        } else if try table.storedValue(column, at: table.requireObject(object)) == .typedLink(link) {
            guard let position = table.position(of: column.key) else { return }
            try recorder?.record(.set(.null, column, object, table), in: self)
            try replaceValue(.null, at: position, of: object, in: table)
        } else {
            try removeFromCollection(link, column, of: object, in: table)
        }
    }

    private func removeFromCollection(
        _ link: ObjectLink, _ column: Column, of object: ObjectKey, in table: Table
    ) throws {
        var finder = LinkFinder(space, link)
        guard let collection = try table.collection(column, at: try table.requireObject(object)),
            let found = try finder.find(in: collection)
        else {
            if column.type == .mixed { return }
            throw missing(link)
        }
        let place = ResolvedCollection(
            table: table, column: column, object: object, collection: found.collection, positions: found.positions)
        try removeElements([found.index], link, of: place)
    }

    @inline(never) private func missing(_ link: ObjectLink) -> any Error {
        StorageError(.invalidDatabase, "a backlink to \(link.object) has no link; the file is damaged")
    }

    /// Records the removal of links from a collection, as if one by one, the last of them first.
    private func record(
        _ indexes: [Int], _ link: ObjectLink, of place: ResolvedCollection, by recorder: any WriteRecorder
    ) throws {
        for (done, index) in indexes.reversed().enumerated() {
            switch try place.collection {
            case .list:
                try recorder.record(.collection(.erase(at: index, of: place.count - done), place), in: self)
            case .set(let set):
                try recorder.record(.collection(.eraseMember(set.value(at: index)), place), in: self)
            case .dictionary(let entries):
                let key = try entries.key(at: index)
                try recorder.record(.collection(.setEntry(.value(.null), key: key), place), in: self)
            }
        }
    }

    /// `indexes` must be ascending.
    private func removeElements(_ indexes: [Int], _ link: ObjectLink, of place: ResolvedCollection) throws {
        if let recorder { try record(indexes, link, of: place, by: recorder) }
        let kind = place.elementKind
        try change(place) { root in
            if !place.isDictionary {
                for index in indexes.reversed() { try BPlusTreeEditor(store, kind).erase(&root, at: index) }
                try updateContext(&root, kind, after: .link(link.object))
            } else {
                try DictionaryEditor(store).changeValues(&root) {
                    for index in indexes { try BPlusTreeEditor(store, .mixed).set(&$0, at: index, .null) }
                }
            }
        }
    }
}

/// Searches for a link in a collection and in those nested in it.
struct LinkFinder {
    /// An element that is the link.
    struct Found {
        /// The position, in each collection on the path, of the next one.
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

    /// Returns the indexes of the first `most` links among the elements of a collection.
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
