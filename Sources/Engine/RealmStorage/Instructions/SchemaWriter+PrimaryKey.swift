// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The primary key of a table (content 9.7, 12.5).
extension SchemaWriter {
    /// Makes a column the primary key, or removes the primary key.
    ///
    /// Throws `.invalidArgument`, without effect, if the column can't be one or if two objects have the same value.
    /// Tombstones that can't be found by the new primary key are removed with the links to them, because they could
    /// never be resolved. A table that loses its primary key also loses all its tombstones, because the key is their
    /// only value.
    package func setPrimaryKey(_ column: ColumnKey?, of key: TableKey) throws {
        let table = try require(key)
        guard table.primaryKey != column else { return }
        let info = try column.map { try validPrimaryKey($0, of: table) }
        try record(.setPrimaryKey(info, table))
        if let old = table.primaryKey {
            try dropPrimaryKey(of: table)
            if try !table.require(old).attributes.contains(.indexed) { try transaction.indexes.free(old, of: table) }
        }
        changed(table, .contents)
        guard let info else { return }
        try transaction.indexes.build(info, of: table)
        table.primaryKey = info.key
        unsafe table.primaryKeyBound = nil
        for tombstone in try table.tombstoneKeys() where try isStray(tombstone, in: table) {
            try transaction.tombstones.remove(tombstone, of: table)
        }
    }

    private func isStray(_ tombstone: ObjectKey, in table: Table) throws -> Bool {
        guard let value = try table.tombstoneValue(of: tombstone) else { return true }
        return try table.tombstone(primaryKey: value) != tombstone
    }

    func dropPrimaryKey(of table: Table) throws {
        try transaction.tombstones.removeAll(of: table)
        table.primaryKey = nil
    }

    private func validPrimaryKey(_ column: ColumnKey, of table: Table) throws -> Column {
        let info = try table.require(column)
        guard info.type.canBePrimaryKey, !column.isCollection, !info.isFullTextIndexed else {
            throw StorageError(.invalidArgument, "'\(info.name)' cannot be the primary key")
        }
        guard !table.isEmbedded else {
            throw StorageError(.invalidArgument, "the embedded table '\(table.name)' cannot have a primary key")
        }
        guard try duplicate(of: info, in: table) == nil else {
            throw StorageError(
                .invalidArgument, "'\(info.name)' cannot be the primary key: its values are not distinct")
        }
        return info
    }

    package func duplicate(of column: ColumnKey, in key: TableKey) throws -> StoredValue? {
        let table = try require(key)
        return try duplicate(of: try table.require(column), in: table)
    }

    private func duplicate(of column: Column, in table: Table) throws -> StoredValue? {
        var seen = Set<StoredValue>()
        var found: StoredValue?
        try table.clusters.forEachLeaf { leaf in
            let values = try leaf.column(column.leafIndex, column.leafKind)
            for row in 0..<leaf.count where found == nil {
                let value = try values.value(at: row)
                if !seen.insert(value).inserted { found = value }
            }
            return found == nil
        }
        return found
    }
}

/// An upper bound of the primary keys: most new objects have a larger key than all others, so no search for a duplicate
/// is needed.
extension Table {
    /// Computes the bound once enough objects have been added that reading all rows costs less than the searches for
    /// them.
    func learnPrimaryKeyBound() throws {
        guard unsafe primaryKeyBound == nil, let primaryKey, primaryKey.type == .int else { return }
        primaryKeySearches += 1
        guard try count() <= primaryKeySearches &* Table.rowsPerSearch else { return }
        let column = try require(primaryKey)
        var bound = Int64.min
        try clusters.forEachLeaf { leaf in
            let values = try leaf.column(column.leafIndex, column.leafKind)
            for row in 0..<leaf.count {
                if case .int(let value) = try values.value(at: row) { bound = max(bound, value) }
            }
            return true
        }
        unsafe primaryKeyBound = bound
    }

    func raisePrimaryKeyBound(_ value: StoredValue) {
        guard let bound = unsafe primaryKeyBound, case .int(let value) = value else { return }
        unsafe primaryKeyBound = max(bound, value)
    }

    /// The number of rows that can be read in the time of one search.
    private static let rowsPerSearch = 64

    func requireDistinct(primaryKey value: StoredValue, of key: ObjectKey?) throws {
        guard let other = try object(primaryKey: value), other != key else { return }
        throw StorageError(.invalidArgument, "an object of '\(className ?? name)' has this primary key already")
    }
}
