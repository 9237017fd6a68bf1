// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Access to objects (content 0.3).
extension Table {
    package func find(_ key: ObjectKey) throws -> ClusterTree.Position? {
        key.rawValue < 0 ? nil : try clusters.find(key)
    }

    package func contains(_ key: ObjectKey) throws -> Bool { try find(key) != nil }

    /// Returns the value of a column that isn't a collection. Unresolved links read as null (content 5.8).
    package func value(_ column: Column, at position: ClusterTree.Position) throws -> StoredValue {
        let value = try storedValue(column, at: position)
        switch value {
        case .link(let key) where key.isUnresolved: return .null
        case .typedLink(let link) where link.object.isUnresolved: return .null
        default: return value
        }
    }

    /// Returns the stored value of a column that isn't a collection, including an unresolved link, which `value`
    /// returns as null.
    package func storedValue(_ column: Column, at position: ClusterTree.Position) throws -> StoredValue {
        try position.leaf.column(column.leafIndex, column.leafKind).value(at: position.row)
    }

    package func value(_ column: ColumnKey, of key: ObjectKey) throws -> StoredValue {
        let column = try require(column)
        return try value(column, at: try requireObject(key))
    }

    /// Returns an empty tree if the list or set was never written.
    package func list(_ column: Column, at position: ClusterTree.Position) throws -> BPlusTree {
        try BPlusTree(space, try collectionRoot(column, at: position), LeafKind(elementsOf: column.key))
    }

    package func list(_ column: ColumnKey, of key: ObjectKey) throws -> BPlusTree {
        try list(try require(column), at: try requireObject(key))
    }

    package func collectionRoot(_ column: Column, at position: ClusterTree.Position) throws -> Ref {
        try position.collectionRoot(column.leafIndex)
    }

    /// Returns the objects that link here through the backlink column `column`, once for each link (content 6.16).
    package func backlinks(_ column: Column, at position: ClusterTree.Position) throws -> [ObjectKey] {
        let cell = try position.leaf.column(column.leafIndex, .backlink).ref(at: position.row)
        return try Backlinks.keys(cell, in: space)
    }

    package func backlinkCount(_ column: Column, at position: ClusterTree.Position) throws -> Int {
        let cell = try position.leaf.column(column.leafIndex, .backlink).ref(at: position.row)
        return try Backlinks.count(cell, in: space)
    }

    /// Returns the backlink column of this table for the links of `column` of `table` (content 3.1).
    package func backlinkColumn(origin table: TableKey, _ column: ColumnKey) -> Column? {
        columns.last {
            $0.isBacklink && oppositeTables[$0.leafIndex] == table && oppositeColumns[$0.leafIndex] == column
        }
    }

    /// Finds an object with the index of the primary key (content 9.7).
    package func object(primaryKey value: StoredValue) throws -> ObjectKey? {
        try find(primaryKey: value) { try findBeforeErasures($0) }.map { $0.leaf.key(at: $0.row) }
    }

    package func find(primaryKey value: StoredValue) throws -> ClusterTree.Position? {
        try find(primaryKey: value) { try find($0) }
    }

    /// Finds an object with the index of the primary key. `find` locates each candidate, and may be faster than the
    /// table's own function.
    package func find(
        primaryKey value: StoredValue, _ find: (ObjectKey) throws -> ClusterTree.Position?
    ) throws -> ClusterTree.Position? {
        guard let primaryKey else { throw StorageError.absent("'\(name)' has no primary key") }
        guard case .int(let number) = value else { return try findFirst(primaryKey, equalTo: value, find) }
        if let bound = unsafe primaryKeyBound, number > bound { return nil }
        guard var distance = unsafe keyPredictor else { return try findFirst(primaryKey, equalTo: value, find) }
        defer { unsafe keyPredictor = distance }
        return try distance.find(
            number,
            guessed: {
                guard let position = try find($0), try self.value(require(primaryKey), at: position) == value else {
                    return nil
                }
                return position
            },
            indexed: { try findFirst(primaryKey, equalTo: value, find) }, key: { $0.leaf.key(at: $0.row) })
    }

    private func findFirst(
        _ column: ColumnKey, equalTo value: StoredValue, _ find: (ObjectKey) throws -> ClusterTree.Position?
    ) throws -> ClusterTree.Position? {
        let column = try require(column)
        try requireValueIndex(column)
        // Every candidate is compared below, so the index may contain removed objects.
        let root = try indexRoot(forComparing: column.leafIndex)
        var found: ClusterTree.Position?
        _ = try SearchIndex(space, root: root, isMixed: column.type == .mixed).first(equalTo: value) { key in
            guard let position = try find(key) else { return false }
            guard StoredValue.compare(try self.value(column, at: position), value) == 0 else { return false }
            found = position
            return true
        }
        return found
    }

    /// Ascending.
    package func objects(_ column: ColumnKey, equalTo value: StoredValue) throws -> [ObjectKey] {
        let column = try require(column)
        return try index(column).keys(equalTo: value) { try indexedValue(column, of: $0) }
    }

    package func index(_ column: Column) throws -> SearchIndex {
        try requireValueIndex(column)
        return SearchIndex(space, root: try indexRoot(column.leafIndex), isMixed: column.type == .mixed)
    }

    func requireValueIndex(_ column: Column) throws {
        guard hasIndex(column.key), !column.isFullTextIndexed, !column.key.isCollection else {
            throw StorageError.absent("'\(column.name)' has no index of its values")
        }
    }

    func indexedValue(_ column: Column, of key: ObjectKey) throws -> StoredValue? {
        guard let position = try find(key) else { return nil }
        return try value(column, at: position)
    }

    package func require(_ key: ColumnKey) throws -> Column {
        columns[try requirePosition(of: key)]
    }

    func requirePosition(of key: ColumnKey) throws -> Int {
        guard let position = position(of: key) else {
            throw StorageError.absent("\(key) is not a column of '\(name)' (any more)")
        }
        return position
    }

    package func requireObject(_ key: ObjectKey) throws -> ClusterTree.Position {
        guard let position = try find(key) else {
            throw StorageError.absent("\(key) is not in '\(name)' (any more)")
        }
        return position
    }
}

extension ClusterTree.Position {
    /// Returns the root of the collection in a column, or 0 (content 6.15).
    func collectionRoot(_ leafIndex: Int) throws -> Ref {
        let element = try leaf.column(leafIndex, .collection).ref(at: row)
        guard element & 1 == 0 else {
            throw StorageError.corrupt("a collection that isn't a reference", at: leaf.node.ref)
        }
        return Ref(element: element)
    }
}
