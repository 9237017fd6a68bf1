// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension Table {
    /// Ascending.
    package func allKeys(first limit: Int = .max) throws -> [ObjectKey] {
        var keys: [ObjectKey] = []
        keys.reserveCapacity(min(limit, try clusters.count(), Table.largestReserve))
        try clusters.forEachLeaf { leaf in
            let end = min(leaf.count, limit - keys.count)
            leaf.appendKeys(of: 0..<end, to: &keys)
            return keys.count < limit
        }
        return keys
    }

    /// The maximum number of objects for which memory is reserved at once: a damaged file may claim any number.
    package static let largestReserve = 1 << 24
}

extension Table {
    /// Calls `body` once for each link in the backlink column `column`, until it returns false.
    package func forEachBacklink(
        _ column: Column, at position: ClusterTree.Position, _ body: (ObjectKey) throws -> Bool
    ) throws {
        let cell = try position.leaf.column(column.leafIndex, .backlink).ref(at: position.row)
        if cell == 0 { return }
        if Tagged.isTagged(cell) {
            _ = try body(ObjectKey(Int64(bitPattern: Tagged.decode(cell))))
        } else {
            try BPlusTree(space, Ref(element: cell), .key).forEachObject(body)
        }
    }

    package func forEachElementLeaf(
        _ column: Column, at position: ClusterTree.Position, _ body: (ColumnLeaf) throws -> Bool
    ) throws {
        let root = try collectionRoot(column, at: position)
        guard root != 0 else { return }
        let tree =
            column.key.isDictionary
            ? try DictionaryTree(space, root, keyType: column.dictionaryKeyType ?? .string).valuesTree
            : try BPlusTree(space, root, LeafKind(elementsOf: column.key))
        try tree?.forEachLeaf { try body($0.leaf) }
    }

    /// Skips null and unresolved links.
    package func forEachLinked(
        _ column: Column, at position: ClusterTree.Position, _ body: (ObjectKey) throws -> Bool
    ) throws {
        try forEachElementLeaf(column, at: position) { leaf in
            for row in 0..<leaf.count {
                guard let key = try leaf.linkedObject(at: row) else { continue }
                guard try body(key) else { return false }
            }
            return true
        }
    }

    /// Requires an index of the column's values.
    package func count(_ column: Column, equalTo value: StoredValue) throws -> Int {
        try requireValueIndex(column)
        return try countByIndex(column.key, equalTo: value) ?? 0
    }

    /// Counts with the index; returns nil if the column was removed or has no index of its values. `known` caches the
    /// leaves in which objects of the table were found lately.
    package func countByIndex(
        _ key: ColumnKey, equalTo value: StoredValue, _ known: ClusterLeafCache? = nil
    ) throws -> Int? {
        guard let kind = leafKind(ofIndexed: key) else { return nil }
        let index = SearchIndex(space, root: try indexRoot(key.leafIndex), isMixed: kind == .mixed)
        let clusters = clusters
        return try index.count(equalTo: value) { object in
            guard object.rawValue >= 0, let position = try clusters.find(object, known) else { return nil }
            if case .string = kind, case .string(let text) = value { return try position.hasText(text, key.leafIndex) }
            return StoredValue.compare(try self.value(require(key), at: position), value) == 0
        }
    }

    /// The number of elements that are visible to an application.
    package func elementCount(_ column: Column, at position: ClusterTree.Position) throws -> Int {
        let root = try collectionRoot(column, at: position)
        guard root != 0 else { return 0 }
        if column.key.isDictionary {
            return try DictionaryTree(space, root, keyType: column.dictionaryKeyType ?? .string).count
        }
        let tree = try BPlusTree(space, root, LeafKind(elementsOf: column.key))
        // The flag of the root indicates whether the tree can have unresolved links (content 7.4).
        guard column.type == .link, try space.node(root).header.hasContext else { return tree.count }
        var count = 0
        try tree.forEachObject { _ in
            count += 1
            return true
        }
        return count
    }
}

extension ClusterTree.Position {
    /// Compares in place, without creating a string.
    fileprivate func hasText(_ text: String, _ leafIndex: Int) throws -> Bool {
        var text = text
        let leaf = try leaf.column(leafIndex, .string)
        return unsafe try leaf.withStringBytes(at: row) { stored in
            guard unsafe stored != nil else { return false }
            return text.withUTF8 { unsafe ByteOrder.isEqual(stored, UnsafeRawBufferPointer($0)) }
        }
    }
}

extension BPlusTree {
    /// Skips null and unresolved links.
    package func forEachObject(_ body: (ObjectKey) throws -> Bool) throws {
        try forEachLeaf { leaf in
            for row in 0..<leaf.leaf.count {
                guard let key = try leaf.leaf.linkedObject(at: row) else { continue }
                guard try body(key) else { return false }
            }
            return true
        }
    }
}

extension ColumnLeaf {
    /// The target of a row of a link column, an element of a list of links, or a link in Mixed. Nil for null and for
    /// unresolved links.
    package func linkedObject(at row: Int) throws -> ObjectKey? {
        let key: ObjectKey
        switch kind {
        case .link: key = ObjectKey(try ref(at: row) &- 1)
        case .key: key = ObjectKey(try ref(at: row))
        default:
            guard case .typedLink(let link) = try value(at: row) else { return nil }
            key = link.object
        }
        return key.rawValue < 0 ? nil : key
    }
}
